// Statements with an indented body.
#include "core/syntax/parser_impl.h"

namespace tilescope {

using llvm::StringRef;

bool Parser::startsBlockStatement() const {
  if (token().isOp("@") || isMatchStatement())
    return true;
  static constexpr StringRef Words[] = {"if",  "for", "while", "with",
                                        "try", "def", "class", "async"};
  return token().is(TokenKind::Keyword) && llvm::is_contained(Words, token().text);
}

const ast::Stmt *Parser::parseBlockStatement() {
  if (token().isOp("@"))
    return parseDecorated();
  StringRef word = token().text;
  if (word == "if")
    return parseIf();
  if (word == "for")
    return parseFor();
  if (word == "while")
    return parseWhile();
  if (word == "with")
    return parseWith();
  if (word == "try")
    return parseTry();
  if (word == "def")
    return parseFunction(token().span, {});
  if (word == "class")
    return parseClass(token().span, {});
  return word == "async" ? parseAsync(token().span, {}) : passMatch();
}

// What an `async` function does, and what stands behind `async` in one.
const ast::Stmt *Parser::parseAsync(Span start, const Exprs &decorators) {
  noteUnsupported(DiagId::UnsupportedSyntax, next());
  if (token().isKeyword("def"))
    return parseFunction(start, decorators);
  if (decorators.empty() && token().isKeyword("for"))
    return parseFor();
  if (decorators.empty() && token().isKeyword("with"))
    return parseWith();
  return expected(decorators.empty() ? "'def', 'for' or 'with' behind 'async'"
                                     : "'def' behind 'async'");
}

// `match` is an ordinary name unless the line ends in a colon and a `case` follows.
bool Parser::isMatchStatement() const {
  if (!token().is(TokenKind::Name) || token().text != "match")
    return false;
  size_t ahead = 1;
  while (!token(ahead).is(TokenKind::Newline) && !token(ahead).is(TokenKind::End))
    ++ahead;
  return token(ahead - 1).isOp(":") && token(ahead + 1).is(TokenKind::Indent) &&
         token(ahead + 2).is(TokenKind::Name) && token(ahead + 2).text == "case";
}

// Patterns are no expressions: the cases are passed over.
const ast::Stmt *Parser::passMatch() {
  Span start = token().span;
  noteUnsupported(DiagId::UnsupportedSyntax, next());
  while (!token().is(TokenKind::Indent))
    next();
  unsigned open = 0;
  do {
    open += token().is(TokenKind::Indent);
    open -= token().is(TokenKind::Dedent);
    next();
  } while (open != 0 && !token().is(TokenKind::End));
  return makeStmt<ast::PassStmt>(start);
}

// What a header uses is an error for who runs the body.
void Parser::refuseInBody(ast::StmtList &body) {
  if (!unsupported_)
    return;
  Stmts stmts{new (module_.arena) ast::UnsupportedStmt(unsupported_->span, *unsupported_, nullptr)};
  stmts.append(body.begin(), body.end());
  body = save(stmts);
  unsupported_.reset();
}

// What follows a colon: a block, or statements on the same line.
std::optional<ast::StmtList> Parser::parseBody() {
  if (!expect(":"))
    return std::nullopt;
  Stmts body;
  if (!token().is(TokenKind::Newline)) {
    parseSimpleLine(body);
    return save(body);
  }
  next();
  if (!token().is(TokenKind::Indent)) {
    expected("an indented block");
    return std::nullopt;
  }
  next();
  if (!parseIndentedStatements(body))
    return std::nullopt;
  return save(body);
}

// Precondition: the Indent is taken. Takes the Dedent.
bool Parser::parseIndentedStatements(Stmts &out) {
  Nested nested(blockDepth_);
  if (blockDepth_ > MaxBlockDepth) {
    error(DiagId::NestingTooDeep, token().span, "block", MaxBlockDepth);
    for (unsigned open = 1; open != 0 && !token().is(TokenKind::End); next()) {
      open += token().is(TokenKind::Indent);
      open -= token().is(TokenKind::Dedent);
    }
    return false;
  }
  while (!token().is(TokenKind::Dedent) && !token().is(TokenKind::End))
    parseStatementInto(out);
  if (token().is(TokenKind::Dedent))
    next();
  return true;
}

// The body of a broken header: parsed for its errors, then dropped.
void Parser::skipIndentedBlock() {
  next();
  Stmts dropped;
  parseIndentedStatements(dropped);
}

std::optional<ast::StmtList> Parser::parseOptionalElse() {
  if (!acceptKeyword("else"))
    return ast::StmtList();
  return parseBody();
}

const ast::Stmt *Parser::parseIf() {
  Span start = token().span;
  llvm::SmallVector<ast::IfBranch, 2> branches;
  do {
    Span branchStart = next().span;
    const ast::Expr *condition = parseNamed();
    if (!condition)
      return nullptr;
    Span header = spanSince(branchStart);
    std::optional<ast::StmtList> body = parseBody();
    if (!body)
      return nullptr;
    branches.push_back({condition, *body, header});
  } while (token().isKeyword("elif"));
  std::optional<ast::StmtList> orelse = parseOptionalElse();
  if (!orelse)
    return nullptr;
  return makeStmt<ast::IfStmt>(start, save(branches), *orelse);
}

const ast::Stmt *Parser::parseFor() {
  Span start = next().span;
  const ast::Expr *target = parseTargetList();
  if (!target || !canBeAssigned(target) || !expectKeyword("in"))
    return nullptr;
  const ast::Expr *iter = parseExprList();
  if (!iter)
    return nullptr;
  std::optional<ast::StmtList> body = parseBody();
  std::optional<ast::StmtList> orelse = body ? parseOptionalElse() : std::nullopt;
  if (!orelse)
    return nullptr;
  return makeStmt<ast::ForStmt>(start, target, iter, *body, *orelse);
}

const ast::Stmt *Parser::parseWhile() {
  Span start = next().span;
  const ast::Expr *condition = parseNamed();
  if (!condition)
    return nullptr;
  std::optional<ast::StmtList> body = parseBody();
  std::optional<ast::StmtList> orelse = body ? parseOptionalElse() : std::nullopt;
  if (!orelse)
    return nullptr;
  return makeStmt<ast::WhileStmt>(start, condition, *body, *orelse);
}

// In `with (a as b, c):` the brackets hold items; in `with (a).b():` they belong to the expression.
bool Parser::withItemsAreParenthesized() const {
  if (!token().isOp("("))
    return false;
  unsigned open = 0;
  size_t ahead = 0;
  do {
    const Token &current = token(ahead++);
    if (current.is(TokenKind::Newline) || current.is(TokenKind::End))
      return false;
    open += current.isOp("(") || current.isOp("[") || current.isOp("{");
    open -= current.isOp(")") || current.isOp("]") || current.isOp("}");
  } while (open != 0);
  return token(ahead).isOp(":");
}

bool Parser::parseWithItems(llvm::SmallVectorImpl<ast::WithItem> &items) {
  bool isParenthesized = withItemsAreParenthesized();
  if (isParenthesized)
    next();
  do {
    if (isParenthesized && token().isOp(")"))
      break;
    const ast::Expr *context = parseExpr();
    if (!context)
      return false;
    const ast::Expr *target = nullptr;
    if (acceptKeyword("as")) {
      target = parsePostfix();
      if (!target || !canBeAssigned(target))
        return false;
    }
    items.push_back({context, target});
  } while (accept(","));
  return !isParenthesized || expect(")");
}

const ast::Stmt *Parser::parseWith() {
  Span start = next().span;
  llvm::SmallVector<ast::WithItem, 2> items;
  if (!parseWithItems(items))
    return nullptr;
  std::optional<ast::StmtList> body = parseBody();
  if (!body)
    return nullptr;
  return makeStmt<ast::WithStmt>(start, save(items), *body);
}

bool Parser::parseHandler(llvm::SmallVectorImpl<ast::ExceptHandler> &handlers) {
  const ast::Expr *type = nullptr;
  StringRef name;
  if (!token().isOp(":")) {
    type = parseExpr();
    if (!type)
      return false;
    if (acceptKeyword("as")) {
      std::optional<StringRef> given = expectName("a name");
      if (!given)
        return false;
      name = *given;
    }
  }
  std::optional<ast::StmtList> body = parseBody();
  if (body)
    handlers.push_back({type, name, *body});
  return body.has_value();
}

const ast::Stmt *Parser::parseTry() {
  Span start = next().span;
  std::optional<ast::StmtList> body = parseBody();
  if (!body)
    return nullptr;
  llvm::SmallVector<ast::ExceptHandler, 2> handlers;
  while (acceptKeyword("except"))
    if (!parseHandler(handlers))
      return nullptr;
  std::optional<ast::StmtList> orelse = parseOptionalElse();
  if (!orelse)
    return nullptr;
  bool hasFinally = acceptKeyword("finally");
  std::optional<ast::StmtList> finally = hasFinally ? parseBody() : ast::StmtList();
  if (!finally)
    return nullptr;
  if (handlers.empty() && !hasFinally)
    return expected("'except' or 'finally'");
  return makeStmt<ast::TryStmt>(start, *body, save(handlers), *orelse, *finally);
}

const ast::Stmt *Parser::parseDecorated() {
  Span start = token().span;
  Exprs decorators;
  while (accept("@")) {
    const ast::Expr *decorator = parseNamed();
    if (!decorator)
      return nullptr;
    decorators.push_back(decorator);
    if (!token().is(TokenKind::Newline))
      return expected("the end of the line");
    next();
  }
  if (token().isKeyword("def"))
    return parseFunction(start, decorators);
  if (token().isKeyword("class"))
    return parseClass(start, decorators);
  if (token().isKeyword("async"))
    return parseAsync(start, decorators);
  return expected("'def' or 'class' behind a decorator");
}

const ast::Stmt *Parser::parseFunction(Span start, const Exprs &decorators) {
  next();
  Span nameSpan = token().span;
  std::optional<StringRef> name = expectName("a function name");
  Params params;
  if (!name || !expect("(") || !parseParams(params, ")", true) || !expect(")"))
    return nullptr;
  const ast::Expr *returns = nullptr;
  if (accept("->") && !parseInto(returns))
    return nullptr;
  std::optional<ast::StmtList> body = parseBody();
  if (!body)
    return nullptr;
  refuseInBody(*body);
  return makeStmt<ast::FunctionDefStmt>(start, *name, nameSpan, save(decorators), save(params),
                                        returns, *body);
}

const ast::Stmt *Parser::parseClass(Span start, const Exprs &decorators) {
  next();
  Span nameSpan = token().span;
  std::optional<StringRef> name = expectName("a class name");
  if (!name)
    return nullptr;
  Exprs bases;
  llvm::SmallVector<ast::Keyword, 2> keywords;
  if (accept("(")) {
    while (!token().isOp(")"))
      if (!parseArgument(bases, keywords) || (!accept(",") && !token().isOp(")") && !expect(")")))
        return nullptr;
    next();
  }
  std::optional<ast::StmtList> body = parseBody();
  if (!body)
    return nullptr;
  refuseInBody(*body);
  return makeStmt<ast::ClassDefStmt>(start, *name, nameSpan, save(decorators), save(bases),
                                     save(keywords), *body);
}

} // namespace tilescope
