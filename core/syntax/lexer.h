// Turns Python text into tokens: indentation, line joining, comments kept on the side.
//
//   if a:            Keyword(if) Name(a) Op(:) Newline
//     f(b,           Indent Name(f) Op(() Name(b) Op(,)
//       c)           Name(c) Op()) Newline
//   d                Dedent Name(d) Newline End
//
// Inside brackets there are no Newline, Indent or Dedent tokens. A statement keyword at the start
// of a line inside brackets proves that a bracket was never closed: it is reported at the bracket
// and the lexer goes on at statement level, so one slip does not hide the rest of the file.
#pragma once

#include "core/support/diagnostics.h"
#include "core/syntax/ast.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilescope {

enum class TokenKind : uint8_t { End, Newline, Indent, Dedent, Name, Keyword, Number, String, Op };

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text; // points into the source text; empty for Newline, Indent, Dedent, End
  Span span;

  bool is(TokenKind other) const { return kind == other; }
  bool isOp(llvm::StringRef op) const { return kind == TokenKind::Op && text == op; }
  bool isKeyword(llvm::StringRef word) const { return kind == TokenKind::Keyword && text == word; }
};

struct TokenStream {
  std::vector<Token> tokens;          // ends with exactly one End
  std::vector<ast::Comment> comments; // by line; text points into the source text
};

// Lexing, and parsing behind it, end after this many errors.
constexpr unsigned MaxSyntaxErrors = 100;

// Tokens of a whole file. Errors are reported and skipped. The result points into `text`, which
// must be the text of `file` in SourceFiles.
TokenStream lexFile(FileId file, llvm::StringRef text, Diagnostics &diagnostics);

// Tokens of an expression that starts in the middle of a line: the inside of an f-string's braces.
// Newlines are blanks. `line` and `column` are the position of the first byte.
TokenStream lexEmbeddedExpression(FileId file, llvm::StringRef text, uint32_t line, uint32_t column,
                                  Diagnostics &diagnostics);

// Reports the first byte that is not UTF-8, with its position; true when there is none.
bool checkUtf8(FileId file, llvm::StringRef text, Diagnostics &diagnostics);

} // namespace tilescope
