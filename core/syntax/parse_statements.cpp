// Statements of one line, and the recovery behind a broken one.
#include "core/syntax/grammar.h"

#include <utility>

namespace tilescope {

using llvm::StringRef;

static void parseSupportedInto(Parser &parser, Parser::Stmts &out);
static void skipToNextLine(Parser &parser);
static const ast::Stmt *parseSimpleStatement(Parser &parser);
static const ast::Stmt *parseExpressionStatement(Parser &parser);
static const ast::Stmt *parseAssignment(Parser &parser, Span start, const ast::Expr *first);
static const ast::Stmt *parseReturn(Parser &parser);
static const ast::Stmt *parseRaise(Parser &parser);
static const ast::Stmt *parseYieldStatement(Parser &parser);
static const ast::Stmt *parseAssert(Parser &parser);
static const ast::Stmt *parseDelete(Parser &parser);
static const ast::Stmt *parseImport(Parser &parser);
static const ast::Stmt *parseImportFrom(Parser &parser);
template <typename T> static const ast::Stmt *parseNameList(Parser &parser);

void parseStatementInto(Parser &parser, Parser::Stmts &out) {
  std::optional<ast::UnsupportedSyntax> outer = parser.exchangeUnsupported(std::nullopt);
  size_t before = out.size();
  parseSupportedInto(parser, out);
  std::optional<ast::UnsupportedSyntax> unsupported = parser.exchangeUnsupported(outer);
  for (size_t i = before; unsupported && i != out.size(); ++i)
    // To import a name is not to use it.
    if (!llvm::isa<ast::ImportStmt, ast::ImportFromStmt>(out[i]))
      out[i] = parser.makeUnsupported(out[i]->span, *unsupported, out[i]);
}

static void parseSupportedInto(Parser &parser, Parser::Stmts &out) {
  if (parser.tooManyErrors())
    return;
  size_t start = parser.position();
  parser.startStatement();
  size_t before = out.size();
  if (parser.token().is(TokenKind::Indent)) {
    parser.error(DiagId::UnexpectedIndent, parser.token().span);
    parser.next();
    parseIndentedStatements(parser, out);
    return;
  }
  if (!startsBlockStatement(parser)) {
    parseSimpleLine(parser, out);
  } else if (const ast::Stmt *stmt = parseBlockStatement(parser)) {
    out.push_back(stmt);
  }
  bool failed = out.size() == before;
  bool lineIsDone = parser.position() > start && (parser.previous().is(TokenKind::Newline) ||
                                                  parser.previous().is(TokenKind::Dedent));
  if (failed && !lineIsDone)
    skipToNextLine(parser);
  if (failed && parser.token().is(TokenKind::Indent))
    skipIndentedBlock(parser);
}

static void skipToNextLine(Parser &parser) {
  while (!parser.token().is(TokenKind::Newline) && !parser.token().is(TokenKind::End))
    parser.next();
  if (parser.token().is(TokenKind::Newline))
    parser.next();
}

void parseSimpleLine(Parser &parser, Parser::Stmts &out) {
  size_t before = out.size();
  while (true) {
    const ast::Stmt *stmt = parseSimpleStatement(parser);
    bool ended = stmt && (parser.token().isOp(";") || parser.token().is(TokenKind::Newline));
    if (stmt && !ended)
      parser.expected("the end of the line");
    if (!ended) {
      out.truncate(before);
      skipToNextLine(parser);
      return;
    }
    out.push_back(stmt);
    parser.accept(";");
    if (parser.token().is(TokenKind::Newline))
      break;
  }
  parser.next();
}

static const ast::Stmt *parseSimpleStatement(Parser &parser) {
  Span start = parser.token().span;
  if (!parser.token().is(TokenKind::Keyword))
    return parseExpressionStatement(parser);
  if (parser.acceptKeyword("pass"))
    return parser.makeStmt<ast::PassStmt>(start);
  if (parser.acceptKeyword("break"))
    return parser.makeStmt<ast::BreakStmt>(start);
  if (parser.acceptKeyword("continue"))
    return parser.makeStmt<ast::ContinueStmt>(start);
  if (parser.token().isKeyword("return"))
    return parseReturn(parser);
  if (parser.token().isKeyword("raise"))
    return parseRaise(parser);
  if (parser.token().isKeyword("yield"))
    return parseYieldStatement(parser);
  if (parser.token().isKeyword("assert"))
    return parseAssert(parser);
  if (parser.token().isKeyword("del"))
    return parseDelete(parser);
  if (parser.token().isKeyword("global"))
    return parseNameList<ast::GlobalStmt>(parser);
  if (parser.token().isKeyword("nonlocal"))
    return parseNameList<ast::NonlocalStmt>(parser);
  if (parser.token().isKeyword("import"))
    return parseImport(parser);
  if (parser.token().isKeyword("from"))
    return parseImportFrom(parser);
  return parseExpressionStatement(parser);
}

// `yield`, `yield a, b`, `yield from a`
static const ast::Stmt *parseYieldStatement(Parser &parser) {
  Span start = parser.next().span;
  parser.exchangeYielded(true);
  bool isFrom = parser.acceptKeyword("from");
  const ast::Expr *value = nullptr;
  bool isBare = !isFrom && (parser.token().is(TokenKind::Newline) || parser.token().isOp(";"));
  if (!isBare && !parseListInto(parser, value))
    return nullptr;
  return parser.makeStmt<ast::YieldStmt>(start, value, isFrom);
}

static std::optional<ast::BinaryOp> augmentedOp(const Token &token) {
  if (!token.is(TokenKind::Op) || token.text.size() < 2 || !token.text.ends_with("="))
    return std::nullopt;
  StringRef op = token.text.drop_back();
  for (unsigned i = 0; i <= static_cast<unsigned>(ast::BinaryOp::BitXor); ++i)
    if (op == ast::spelling(static_cast<ast::BinaryOp>(i)))
      return static_cast<ast::BinaryOp>(i);
  return std::nullopt;
}

static const ast::Stmt *parseExpressionStatement(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *first = parseExprList(parser);
  if (!first)
    return nullptr;
  if (parser.token().isOp("="))
    return parseAssignment(parser, start, first);
  if (std::optional<ast::BinaryOp> op = augmentedOp(parser.token())) {
    parser.next();
    const ast::Expr *value = parseExprList(parser);
    if (!value || !canBeAssigned(parser, first))
      return nullptr;
    if (llvm::isa<ast::TupleExpr, ast::ListExpr>(first))
      return parser.error(DiagId::CannotAssign, first->span, "a tuple with an operator");
    return parser.makeStmt<ast::AugAssignStmt>(start, *op, first, value);
  }
  if (parser.accept(":")) {
    const ast::Expr *annotation = parseExpr(parser);
    const ast::Expr *value = nullptr;
    if (!annotation || !canBeAssigned(parser, first))
      return nullptr;
    if (parser.accept("=") && !parseListInto(parser, value))
      return nullptr;
    return parser.makeStmt<ast::AnnAssignStmt>(start, first, annotation, value);
  }
  return parser.makeStmt<ast::ExprStmt>(start, first);
}

static const ast::Stmt *parseAssignment(Parser &parser, Span start, const ast::Expr *first) {
  Parser::Exprs targets{first};
  while (parser.accept("=")) {
    const ast::Expr *value = parseExprList(parser);
    if (!value)
      return nullptr;
    targets.push_back(value);
  }
  const ast::Expr *value = targets.pop_back_val();
  for (const ast::Expr *target : targets)
    if (!canBeAssigned(parser, target))
      return nullptr;
  return parser.makeStmt<ast::AssignStmt>(start, parser.save(targets), value);
}

static StringRef nounFor(const ast::Expr *expr) {
  switch (expr->kind) {
  case ast::ExprKind::None:
  case ast::ExprKind::Bool:
  case ast::ExprKind::Int:
  case ast::ExprKind::Float:
  case ast::ExprKind::String:
  case ast::ExprKind::FString:
  case ast::ExprKind::Ellipsis:
    return "a literal";
  case ast::ExprKind::Call:
    return "a call";
  case ast::ExprKind::Compare:
    return "a comparison";
  default:
    return "this expression";
  }
}

bool canBeAssigned(Parser &parser, const ast::Expr *target) {
  if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(target))
    return canBeAssigned(parser, starred->value);
  ast::ExprList elements;
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
    elements = tuple->elements;
  else if (const auto *list = llvm::dyn_cast<ast::ListExpr>(target))
    elements = list->elements;
  else if (!llvm::isa<ast::NameExpr, ast::AttributeExpr, ast::SubscriptExpr>(target)) {
    parser.error(DiagId::CannotAssign, target->span, nounFor(target));
    return false;
  }
  return llvm::all_of(elements,
                      [&](const ast::Expr *element) { return canBeAssigned(parser, element); });
}

static const ast::Stmt *parseReturn(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *value = nullptr;
  bool isBare = parser.token().is(TokenKind::Newline) || parser.token().isOp(";");
  if (!isBare && !parseListInto(parser, value))
    return nullptr;
  return parser.makeStmt<ast::ReturnStmt>(start, value);
}

static const ast::Stmt *parseRaise(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *exception = nullptr;
  const ast::Expr *cause = nullptr;
  bool isBare = parser.token().is(TokenKind::Newline) || parser.token().isOp(";");
  if (!isBare && !parseInto(parser, exception))
    return nullptr;
  if (exception && parser.acceptKeyword("from") && !parseInto(parser, cause))
    return nullptr;
  return parser.makeStmt<ast::RaiseStmt>(start, exception, cause);
}

static const ast::Stmt *parseAssert(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *condition = parseExpr(parser);
  const ast::Expr *message = nullptr;
  if (!condition || (parser.accept(",") && !parseInto(parser, message)))
    return nullptr;
  return parser.makeStmt<ast::AssertStmt>(start, condition, message);
}

static const ast::Stmt *parseDelete(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *list = parseExprList(parser);
  if (!list || !canBeAssigned(parser, list))
    return nullptr;
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(list))
    return parser.makeStmt<ast::DeleteStmt>(start, tuple->elements);
  return parser.makeStmt<ast::DeleteStmt>(start, parser.save(Parser::Exprs{list}));
}

template <typename T> static const ast::Stmt *parseNameList(Parser &parser) {
  Span start = parser.next().span;
  llvm::SmallVector<StringRef, 4> names;
  do {
    std::optional<StringRef> name = parser.expectName("a name");
    if (!name)
      return nullptr;
    names.push_back(*name);
  } while (parser.accept(","));
  return parser.makeStmt<T>(start, parser.save(names));
}

// `a.b.c`, saved as written without blanks.
static std::optional<StringRef> parseDottedName(Parser &parser) {
  std::string dotted;
  do {
    std::optional<StringRef> part = parser.expectName("a module name");
    if (!part)
      return std::nullopt;
    dotted += (dotted.empty() ? "" : ".") + part->str();
  } while (parser.accept("."));
  return parser.save(StringRef(dotted));
}

static bool parseImportedNames(Parser &parser, llvm::SmallVectorImpl<ast::ImportAlias> &out,
                               bool areDotted) {
  Span start = parser.token().span;
  std::optional<StringRef> name =
      areDotted ? parseDottedName(parser) : parser.expectName("a name to import");
  if (!name)
    return false;
  StringRef asName;
  if (parser.acceptKeyword("as")) {
    std::optional<StringRef> given = parser.expectName("a name");
    if (!given)
      return false;
    asName = *given;
  }
  out.push_back({*name, asName, parser.spanSince(start)});
  return true;
}

static const ast::Stmt *parseImport(Parser &parser) {
  Span start = parser.next().span;
  llvm::SmallVector<ast::ImportAlias, 2> names;
  do {
    if (!parseImportedNames(parser, names, true))
      return nullptr;
  } while (parser.accept(","));
  return parser.makeStmt<ast::ImportStmt>(start, parser.save(names));
}

static const ast::Stmt *parseImportFrom(Parser &parser) {
  Span start = parser.next().span;
  unsigned level = 0;
  for (; parser.token().isOp(".") || parser.token().isOp("..."); parser.next())
    level += static_cast<unsigned>(parser.token().text.size());
  StringRef module;
  if (level == 0 || !parser.token().isKeyword("import")) {
    std::optional<StringRef> name = parseDottedName(parser);
    if (!name)
      return nullptr;
    module = *name;
  }
  if (!parser.expectKeyword("import"))
    return nullptr;
  llvm::SmallVector<ast::ImportAlias, 4> names;
  if (parser.token().isOp("*")) {
    names.push_back({"*", "", parser.next().span});
    return parser.makeStmt<ast::ImportFromStmt>(start, module, level, parser.save(names));
  }
  bool isParenthesized = parser.accept("(");
  do {
    if (isParenthesized && parser.token().isOp(")"))
      break;
    if (!parseImportedNames(parser, names, false))
      return nullptr;
  } while (parser.accept(","));
  if (isParenthesized && !parser.expect(")"))
    return nullptr;
  return parser.makeStmt<ast::ImportFromStmt>(start, module, level, parser.save(names));
}

} // namespace tilescope
