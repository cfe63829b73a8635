// The parser's entry and its primitives: tokens, errors, text that the module owns.
#include "core/syntax/parser_impl.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tilescope {

using llvm::StringRef;

unsigned depth::of(const ast::ComprehensionClause &clause) {
  return std::max({of(clause.target), of(clause.iter), of(clause.conditions)});
}

Parser::Parser(FileId file, StringRef text, ast::Module &module, Diagnostics &diagnostics)
    : file_(file), text_(text), module_(module), diagnostics_(diagnostics),
      errorsAtStart_(diagnostics.errorCount()) {
  size_t reportedBefore = diagnostics.all().size();
  TokenStream stream = lexFile(file, text, diagnostics);
  tokens_ = std::move(stream.tokens);
  for (const ast::Comment &comment : stream.comments)
    module_.comments.push_back({comment.line, comment.column, save(comment.text)});
  for (size_t i = reportedBefore; i < diagnostics.all().size(); ++i)
    badLines_.push_back(diagnostics.all()[i].span.line);
  std::sort(badLines_.begin(), badLines_.end());
  lineStarts_.push_back(0);
  for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
    lineStarts_.push_back(at + 1);
}

void Parser::parseFile() {
  Stmts body;
  while (!token().is(TokenKind::End))
    parseStatementInto(body);
  module_.body = save(body);
}

const Token &Parser::token(size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

const Token &Parser::next() {
  previous_ = position_;
  if (!token().text.empty())
    lastSpan_ = token().span;
  if (position_ + 1 < tokens_.size())
    ++position_;
  const Token &taken = tokens_[previous_];
  // Python compares names after normalising them, which would need Unicode's tables.
  if (taken.is(TokenKind::Name) && !llvm::isASCII(taken.text))
    noteUnsupported(DiagId::NonAsciiName, taken);
  return taken;
}

void Parser::noteUnsupported(DiagId why, const Token &token) {
  if (!unsupported_)
    unsupported_ = {why, token.span, save(token.text)};
}

bool Parser::accept(StringRef op) {
  if (!token().isOp(op))
    return false;
  next();
  return true;
}

bool Parser::acceptKeyword(StringRef word) {
  if (!token().isKeyword(word))
    return false;
  next();
  return true;
}

bool Parser::expect(StringRef op) {
  if (accept(op))
    return true;
  expected(("'" + op + "'").str());
  return false;
}

bool Parser::expectKeyword(StringRef word) {
  if (acceptKeyword(word))
    return true;
  expected(("'" + word + "'").str());
  return false;
}

std::optional<StringRef> Parser::expectName(StringRef what) {
  if (token().is(TokenKind::Name))
    return save(next().text);
  expected(what);
  return std::nullopt;
}

static std::string describe(const Token &token) {
  switch (token.kind) {
  case TokenKind::End:
    return "the end of the file";
  case TokenKind::Newline:
    return "the end of the line";
  case TokenKind::Indent:
    return "indentation";
  case TokenKind::Dedent:
    return "the end of the block";
  case TokenKind::String:
    return "a string";
  default:
    return ("'" + token.text + "'").str();
  }
}

std::nullptr_t Parser::expected(StringRef what) {
  if (lexerComplainedAboutThisStatement())
    return nullptr;
  return error(DiagId::ExpectedSyntax, token().span, what, describe(token()));
}

// A token that the lexer dropped would be reported a second time, as missing.
bool Parser::lexerComplainedAboutThisStatement() const {
  auto bad = std::lower_bound(badLines_.begin(), badLines_.end(), statementLine_);
  return bad != badLines_.end() && *bad <= token().span.line;
}

bool Parser::tooManyErrors() {
  if (diagnostics_.errorCount() - errorsAtStart_ < MaxSyntaxErrors)
    return false;
  error(DiagId::TooManySyntaxErrors, token().span, MaxSyntaxErrors);
  position_ = tokens_.size() - 1;
  return true;
}

StringRef Parser::save(StringRef text) { return text.copy(module_.arena); }

std::unique_ptr<ast::Module> parseModule(FileId file, const SourceFiles &files,
                                         Diagnostics &diagnostics) {
  StringRef text = files.get(file).text;
  if (!checkUtf8(file, text, diagnostics))
    return nullptr;
  auto module = std::make_unique<ast::Module>();
  module->file = file;
  Parser(file, text, *module, diagnostics).parseFile();
  return module;
}

} // namespace tilescope
