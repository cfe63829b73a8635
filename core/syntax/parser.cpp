#include "core/syntax/parser_impl.h"

#include "core/syntax/grammar.h"

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
  place_.tokens = std::move(stream.tokens);
  for (const ast::Comment &comment : stream.comments)
    module_.comments.push_back({comment.line, comment.column, save(comment.text)});
  for (size_t i = reportedBefore; i < diagnostics.all().size(); ++i)
    badLines_.push_back(diagnostics.all()[i].span.line);
  std::sort(badLines_.begin(), badLines_.end());
  lineStarts_.push_back(0);
  for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
    lineStarts_.push_back(at + 1);
}

const Token &Parser::token(size_t ahead) const {
  return place_.tokens[std::min(place_.position + ahead, place_.tokens.size() - 1)];
}

const Token &Parser::next() {
  place_.previous = place_.position;
  if (!token().text.empty())
    lastSpan_ = token().span;
  if (place_.position + 1 < place_.tokens.size())
    ++place_.position;
  const Token &taken = previous();
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
  place_.position = place_.tokens.size() - 1;
  return true;
}

Parser::Place Parser::enterEmbedded(StringRef text) {
  Span at = spanInSource(text);
  TokenStream stream = lexEmbeddedExpression(file_, text, at.line, at.column, diagnostics_);
  return std::exchange(place_, {std::move(stream.tokens)});
}

Span Parser::spanInSource(StringRef part) const {
  size_t offset = static_cast<size_t>(part.data() - text_.data());
  auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  auto line = static_cast<uint32_t>(after - lineStarts_.begin());
  auto column = static_cast<uint32_t>(offset - *std::prev(after)) + 1;
  return {file_, line, column, line, column + std::max<uint32_t>(1, part.size())};
}

const ast::Stmt *Parser::makeUnsupported(Span span, const ast::UnsupportedSyntax &unsupported,
                                         const ast::Stmt *stmt) {
  return new (module_.arena) ast::UnsupportedStmt(span, unsupported, stmt);
}

std::unique_ptr<ast::Module> parseModule(FileId file, const SourceFiles &files,
                                         Diagnostics &diagnostics) {
  StringRef text = files.get(file).text;
  if (!checkUtf8(file, text, diagnostics))
    return nullptr;
  auto module = std::make_unique<ast::Module>();
  module->file = file;
  Parser parser(file, text, *module, diagnostics);
  Parser::Stmts body;
  while (!parser.token().is(TokenKind::End))
    parseStatementInto(parser, body);
  module->body = parser.save(body);
  return module;
}

} // namespace tilescope
