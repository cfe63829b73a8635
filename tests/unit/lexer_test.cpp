#include "core/syntax/lexer.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// Tokens as text: names and operators as written, NL, IN, DE, and nothing for End.
std::string lexed(llvm::StringRef text, std::string *errors = nullptr) {
  Diagnostics diagnostics;
  TokenStream stream = lexFile(FileId(0), text, diagnostics);
  std::string out;
  for (const Token &token : stream.tokens) {
    if (token.is(TokenKind::End))
      break;
    out += out.empty() ? "" : " ";
    out += token.is(TokenKind::Newline)  ? "NL"
           : token.is(TokenKind::Indent) ? "IN"
           : token.is(TokenKind::Dedent) ? "DE"
                                         : token.text.str();
  }
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (errors)
      *errors += nameOf(diagnostic.id).str() + "@" + std::to_string(diagnostic.span.line) + ":" +
                 std::to_string(diagnostic.span.column) + ";";
  }
  return out;
}

std::string errorsOf(llvm::StringRef text) {
  std::string errors;
  lexed(text, &errors);
  return errors;
}

TEST(Lexer, TurnsIndentationIntoTokens) {
  EXPECT_EQ(lexed("if a:\n  b\n\n  # c\n  if d:\n      e\nf\n"),
            "if a : NL IN b NL if d : NL IN e NL DE DE f NL");
}

TEST(Lexer, ClosesBlocksAtTheEndOfAFileWithoutNewline) {
  EXPECT_EQ(lexed("if a:\n  b"), "if a : NL IN b NL DE");
}

TEST(Lexer, JoinsLinesInsideBracketsAndAfterABackslash) {
  EXPECT_EQ(lexed("f(a,  # one\n     b)\nc + \\\n d\n"), "f ( a , b ) NL c + d NL");
}

TEST(Lexer, TakesTheLongestOperator) {
  EXPECT_EQ(lexed("a//=b**c!=d:=e->..."), "a //= b ** c != d := e -> ... NL");
}

TEST(Lexer, KeepsStringsWhole) {
  EXPECT_EQ(lexed("rb'\\'' f\"{a['#']}\" '''x\ny''' \"\"\"'\"'\"\"\"\n"),
            "rb'\\'' f\"{a['#']}\" '''x\ny''' \"\"\"'\"'\"\"\" NL");
}

TEST(Lexer, KeepsNumbersWhole) {
  EXPECT_EQ(lexed("1e-5 .5 1. 0xFF 1_000 a.b 1if"), "1e-5 .5 1. 0xFF 1_000 a . b 1if NL");
}

TEST(Lexer, KeepsCommentsOnTheSide) {
  Diagnostics diagnostics;
  TokenStream stream = lexFile(FileId(0), "a  #@ s1 \n# tilescope: f\nf('#')\n", diagnostics);
  ASSERT_EQ(stream.comments.size(), 2u);
  EXPECT_EQ(stream.comments[0].text, "#@ s1");
  EXPECT_EQ(stream.comments[0].line, 1u);
  EXPECT_EQ(stream.comments[0].column, 4u);
  EXPECT_EQ(stream.comments[1].text, "# tilescope: f");
}

TEST(Lexer, SpansCountFromOne) {
  Diagnostics diagnostics;
  TokenStream stream = lexFile(FileId(3), "a\n  bc", diagnostics);
  const Token &name = stream.tokens[3];
  EXPECT_EQ(name.text, "bc");
  EXPECT_EQ(name.span, (Span{FileId(3), 2, 3, 2, 5}));
}

TEST(Lexer, ReadsWindowsNewlinesAndAByteOrderMark) {
  EXPECT_EQ(lexed("\xEF\xBB\xBFif a:\r\n  b\r\nc\r\n"), "if a : NL IN b NL DE c NL");
}

TEST(Lexer, ReportsBrokenIndentation) {
  EXPECT_EQ(errorsOf("if a:\n    b\n  c\n"), "InconsistentDedent@3:3;");
  EXPECT_EQ(errorsOf("if a:\n        b\n\tc\n"), "MixedIndentation@3:2;");
}

TEST(Lexer, ReportsBrokenStrings) {
  EXPECT_EQ(errorsOf("a = 'b\nc = 1\n"), "UnterminatedString@1:5;");
  EXPECT_EQ(errorsOf("a = 'b\\'\n"), "UnterminatedString@1:5;");
  EXPECT_EQ(errorsOf("a = f'''b\n''\n"), "UnterminatedString@1:5;");
}

TEST(Lexer, ReportsBrokenBrackets) {
  EXPECT_EQ(errorsOf("a = b)\n"), "UnmatchedBracket@1:6;");
  EXPECT_EQ(errorsOf("a = (b]\n"), "MismatchedBracket@1:7;");
  EXPECT_EQ(errorsOf("a = (b"), "UnclosedBracket@1:5;");
}

TEST(Lexer, GoesOnBehindABracketThatWasNeverClosed) {
  std::string errors;
  EXPECT_EQ(lexed("def f():\n  a = g(1,\n  return a\n", &errors),
            "def f ( ) : NL IN a = g ( 1 , NL return a NL DE");
  EXPECT_EQ(errors, "UnclosedBracket@2:8;");
}

TEST(Lexer, ReportsCharactersThatStartNothing) {
  EXPECT_EQ(errorsOf("a $ b\n"), "InvalidCharacter@1:3;");
  EXPECT_EQ(lexed("gr\xC3\xB6\xC3\x9F"
                  "e = 1\n"),
            "gr\xC3\xB6\xC3\x9F"
            "e = 1 NL");
  EXPECT_EQ(errorsOf(llvm::StringRef("a \0 b\n", 6)), "InvalidCharacter@1:3;");
}

TEST(Lexer, StopsAfterManyErrors) {
  Diagnostics diagnostics;
  lexFile(FileId(0), std::string(100000, '$'), diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), MaxSyntaxErrors);
}

TEST(Lexer, NamesTheByteThatIsNotUtf8) {
  Diagnostics diagnostics;
  EXPECT_TRUE(checkUtf8(FileId(0), "a\n\xC3\xA4", diagnostics));
  EXPECT_FALSE(checkUtf8(FileId(0), "a\nb\xFF", diagnostics));
  EXPECT_EQ(diagnostics.all()[0].text, "file is not UTF-8: byte 0xff at offset 3");
  EXPECT_EQ(diagnostics.all()[0].span.line, 2u);
  EXPECT_EQ(diagnostics.all()[0].span.column, 2u);
}

} // namespace
} // namespace tilescope
