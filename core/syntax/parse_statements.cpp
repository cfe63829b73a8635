// Statements of one line, and the recovery behind a broken one.
#include "core/syntax/parser_impl.h"

#include <utility>

namespace tilescope {

using llvm::StringRef;

// Appends one statement, or the several of a line with semicolons; always takes a token.
void Parser::parseStatementInto(Stmts &out) {
  std::optional<ast::UnsupportedSyntax> outer = std::exchange(unsupported_, std::nullopt);
  size_t before = out.size();
  parseSupportedInto(out);
  for (size_t i = before; unsupported_ && i != out.size(); ++i)
    // To import a name is not to use it.
    if (!llvm::isa<ast::ImportStmt, ast::ImportFromStmt>(out[i]))
      out[i] = new (module_.arena) ast::UnsupportedStmt(out[i]->span, *unsupported_, out[i]);
  unsupported_ = outer;
}

void Parser::parseSupportedInto(Stmts &out) {
  if (tooManyErrors())
    return;
  size_t start = position_;
  statementLine_ = token().span.line;
  size_t before = out.size();
  if (token().is(TokenKind::Indent)) {
    error(DiagId::UnexpectedIndent, token().span);
    next();
    parseIndentedStatements(out);
    return;
  }
  if (!startsBlockStatement()) {
    parseSimpleLine(out);
  } else if (const ast::Stmt *stmt = parseBlockStatement()) {
    out.push_back(stmt);
  }
  bool failed = out.size() == before;
  bool lineIsDone = position_ > start && (tokens_[previous_].is(TokenKind::Newline) ||
                                          tokens_[previous_].is(TokenKind::Dedent));
  if (failed && !lineIsDone)
    skipToNextLine();
  if (failed && token().is(TokenKind::Indent))
    skipIndentedBlock();
}

void Parser::skipToNextLine() {
  while (!token().is(TokenKind::Newline) && !token().is(TokenKind::End))
    next();
  if (token().is(TokenKind::Newline))
    next();
}

void Parser::parseSimpleLine(Stmts &out) {
  size_t before = out.size();
  while (true) {
    const ast::Stmt *stmt = parseSimpleStatement();
    bool ended = stmt && (token().isOp(";") || token().is(TokenKind::Newline));
    if (stmt && !ended)
      expected("the end of the line");
    if (!ended) {
      out.truncate(before);
      skipToNextLine();
      return;
    }
    out.push_back(stmt);
    accept(";");
    if (token().is(TokenKind::Newline))
      break;
  }
  next();
}

const ast::Stmt *Parser::parseSimpleStatement() {
  Span start = token().span;
  if (!token().is(TokenKind::Keyword))
    return parseExpressionStatement();
  if (acceptKeyword("pass"))
    return makeStmt<ast::PassStmt>(start);
  if (acceptKeyword("break"))
    return makeStmt<ast::BreakStmt>(start);
  if (acceptKeyword("continue"))
    return makeStmt<ast::ContinueStmt>(start);
  if (token().isKeyword("return"))
    return parseReturn();
  if (token().isKeyword("raise"))
    return parseRaise();
  if (token().isKeyword("assert"))
    return parseAssert();
  if (token().isKeyword("del"))
    return parseDelete();
  if (token().isKeyword("global"))
    return parseNameList<ast::GlobalStmt>();
  if (token().isKeyword("nonlocal"))
    return parseNameList<ast::NonlocalStmt>();
  if (token().isKeyword("import"))
    return parseImport();
  if (token().isKeyword("from"))
    return parseImportFrom();
  return parseExpressionStatement();
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

const ast::Stmt *Parser::parseExpressionStatement() {
  Span start = token().span;
  const ast::Expr *first = parseExprList();
  if (!first)
    return nullptr;
  if (token().isOp("="))
    return parseAssignment(start, first);
  if (std::optional<ast::BinaryOp> op = augmentedOp(token())) {
    next();
    const ast::Expr *value = parseExprList();
    if (!value || !canBeAssigned(first))
      return nullptr;
    if (llvm::isa<ast::TupleExpr, ast::ListExpr>(first))
      return error(DiagId::CannotAssign, first->span, "a tuple with an operator");
    return makeStmt<ast::AugAssignStmt>(start, *op, first, value);
  }
  if (accept(":")) {
    const ast::Expr *annotation = parseExpr();
    const ast::Expr *value = nullptr;
    if (!annotation || !canBeAssigned(first))
      return nullptr;
    if (accept("=") && !parseListInto(value))
      return nullptr;
    return makeStmt<ast::AnnAssignStmt>(start, first, annotation, value);
  }
  return makeStmt<ast::ExprStmt>(start, first);
}

const ast::Stmt *Parser::parseAssignment(Span start, const ast::Expr *first) {
  Exprs targets{first};
  while (accept("=")) {
    const ast::Expr *value = parseExprList();
    if (!value)
      return nullptr;
    targets.push_back(value);
  }
  const ast::Expr *value = targets.pop_back_val();
  for (const ast::Expr *target : targets)
    if (!canBeAssigned(target))
      return nullptr;
  return makeStmt<ast::AssignStmt>(start, save(targets), value);
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

// Reports what cannot.
bool Parser::canBeAssigned(const ast::Expr *target) {
  if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(target))
    return canBeAssigned(starred->value);
  ast::ExprList elements;
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
    elements = tuple->elements;
  else if (const auto *list = llvm::dyn_cast<ast::ListExpr>(target))
    elements = list->elements;
  else if (!llvm::isa<ast::NameExpr, ast::AttributeExpr, ast::SubscriptExpr>(target)) {
    error(DiagId::CannotAssign, target->span, nounFor(target));
    return false;
  }
  return llvm::all_of(elements, [&](const ast::Expr *element) { return canBeAssigned(element); });
}

const ast::Stmt *Parser::parseReturn() {
  Span start = next().span;
  const ast::Expr *value = nullptr;
  bool isBare = token().is(TokenKind::Newline) || token().isOp(";");
  if (!isBare && !parseListInto(value))
    return nullptr;
  return makeStmt<ast::ReturnStmt>(start, value);
}

const ast::Stmt *Parser::parseRaise() {
  Span start = next().span;
  const ast::Expr *exception = nullptr;
  const ast::Expr *cause = nullptr;
  bool isBare = token().is(TokenKind::Newline) || token().isOp(";");
  if (!isBare && !parseInto(exception))
    return nullptr;
  if (exception && acceptKeyword("from") && !parseInto(cause))
    return nullptr;
  return makeStmt<ast::RaiseStmt>(start, exception, cause);
}

const ast::Stmt *Parser::parseAssert() {
  Span start = next().span;
  const ast::Expr *condition = parseExpr();
  const ast::Expr *message = nullptr;
  if (!condition || (accept(",") && !parseInto(message)))
    return nullptr;
  return makeStmt<ast::AssertStmt>(start, condition, message);
}

const ast::Stmt *Parser::parseDelete() {
  Span start = next().span;
  const ast::Expr *list = parseExprList();
  if (!list || !canBeAssigned(list))
    return nullptr;
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(list))
    return makeStmt<ast::DeleteStmt>(start, tuple->elements);
  return makeStmt<ast::DeleteStmt>(start, save(Exprs{list}));
}

template <typename T> const ast::Stmt *Parser::parseNameList() {
  Span start = next().span;
  llvm::SmallVector<StringRef, 4> names;
  do {
    std::optional<StringRef> name = expectName("a name");
    if (!name)
      return nullptr;
    names.push_back(*name);
  } while (accept(","));
  return makeStmt<T>(start, save(names));
}

// `a.b.c`, saved as written without blanks.
std::optional<StringRef> Parser::parseDottedName() {
  std::string dotted;
  do {
    std::optional<StringRef> part = expectName("a module name");
    if (!part)
      return std::nullopt;
    dotted += (dotted.empty() ? "" : ".") + part->str();
  } while (accept("."));
  return save(StringRef(dotted));
}

bool Parser::parseImportedNames(llvm::SmallVectorImpl<ast::ImportAlias> &out, bool areDotted) {
  Span start = token().span;
  std::optional<StringRef> name = areDotted ? parseDottedName() : expectName("a name to import");
  if (!name)
    return false;
  StringRef asName;
  if (acceptKeyword("as")) {
    std::optional<StringRef> given = expectName("a name");
    if (!given)
      return false;
    asName = *given;
  }
  out.push_back({*name, asName, spanSince(start)});
  return true;
}

const ast::Stmt *Parser::parseImport() {
  Span start = next().span;
  llvm::SmallVector<ast::ImportAlias, 2> names;
  do {
    if (!parseImportedNames(names, true))
      return nullptr;
  } while (accept(","));
  return makeStmt<ast::ImportStmt>(start, save(names));
}

const ast::Stmt *Parser::parseImportFrom() {
  Span start = next().span;
  unsigned level = 0;
  for (; token().isOp(".") || token().isOp("..."); next())
    level += static_cast<unsigned>(token().text.size());
  StringRef module;
  if (level == 0 || !token().isKeyword("import")) {
    std::optional<StringRef> name = parseDottedName();
    if (!name)
      return nullptr;
    module = *name;
  }
  if (!expectKeyword("import"))
    return nullptr;
  llvm::SmallVector<ast::ImportAlias, 4> names;
  if (token().isOp("*")) {
    names.push_back({"*", "", next().span});
    return makeStmt<ast::ImportFromStmt>(start, module, level, save(names));
  }
  bool isParenthesized = accept("(");
  do {
    if (isParenthesized && token().isOp(")"))
      break;
    if (!parseImportedNames(names, false))
      return nullptr;
  } while (accept(","));
  if (isParenthesized && !expect(")"))
    return nullptr;
  return makeStmt<ast::ImportFromStmt>(start, module, level, save(names));
}

} // namespace tilescope
