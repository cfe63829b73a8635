// Statements with an indented body.
#include "core/syntax/grammar.h"

namespace tilescope {

using llvm::StringRef;

static const ast::Stmt *parseAsync(Parser &parser, Span start, const Parser::Exprs &decorators);
static const ast::Stmt *parseIf(Parser &parser);
static const ast::Stmt *parseFor(Parser &parser);
static const ast::Stmt *parseWhile(Parser &parser);
static const ast::Stmt *parseWith(Parser &parser);
static const ast::Stmt *parseTry(Parser &parser);
static const ast::Stmt *parseDecorated(Parser &parser);
static const ast::Stmt *parseFunction(Parser &parser, Span start, const Parser::Exprs &decorators);
static const ast::Stmt *parseClass(Parser &parser, Span start, const Parser::Exprs &decorators);

bool startsBlockStatement(const Parser &parser) {
  if (parser.token().isOp("@") || isMatchStatement(parser))
    return true;
  static constexpr StringRef Words[] = {"if",  "for", "while", "with",
                                        "try", "def", "class", "async"};
  return parser.token().is(TokenKind::Keyword) && llvm::is_contained(Words, parser.token().text);
}

const ast::Stmt *parseBlockStatement(Parser &parser) {
  if (parser.token().isOp("@"))
    return parseDecorated(parser);
  StringRef word = parser.token().text;
  if (word == "if")
    return parseIf(parser);
  if (word == "for")
    return parseFor(parser);
  if (word == "while")
    return parseWhile(parser);
  if (word == "with")
    return parseWith(parser);
  if (word == "try")
    return parseTry(parser);
  if (word == "def")
    return parseFunction(parser, parser.token().span, {});
  if (word == "class")
    return parseClass(parser, parser.token().span, {});
  return word == "async" ? parseAsync(parser, parser.token().span, {}) : parseMatch(parser);
}

// What an `async` function does, and what stands behind `async` in one.
static const ast::Stmt *parseAsync(Parser &parser, Span start, const Parser::Exprs &decorators) {
  parser.noteUnsupported(DiagId::UnsupportedSyntax, parser.next());
  if (parser.token().isKeyword("def"))
    return parseFunction(parser, start, decorators);
  if (decorators.empty() && parser.token().isKeyword("for"))
    return parseFor(parser);
  if (decorators.empty() && parser.token().isKeyword("with"))
    return parseWith(parser);
  return parser.expected(decorators.empty() ? "'def', 'for' or 'with' behind 'async'"
                                            : "'def' behind 'async'");
}

// What a header uses is an error for who runs the body.
static void refuseInBody(Parser &parser, ast::StmtList &body) {
  std::optional<ast::UnsupportedSyntax> unsupported = parser.exchangeUnsupported(std::nullopt);
  if (!unsupported)
    return;
  Parser::Stmts stmts{parser.makeUnsupported(unsupported->span, *unsupported, nullptr)};
  stmts.append(body.begin(), body.end());
  body = parser.save(stmts);
}

std::optional<ast::StmtList> parseBody(Parser &parser) {
  if (!parser.expect(":"))
    return std::nullopt;
  Parser::Stmts body;
  if (!parser.token().is(TokenKind::Newline)) {
    parseSimpleLine(parser, body);
    return parser.save(body);
  }
  parser.next();
  if (!parser.token().is(TokenKind::Indent)) {
    parser.expected("an indented block");
    return std::nullopt;
  }
  parser.next();
  if (!parseIndentedStatements(parser, body))
    return std::nullopt;
  return parser.save(body);
}

bool parseIndentedStatements(Parser &parser, Parser::Stmts &out) {
  Parser::Nested nested = parser.nestBlock();
  if (nested.isTooDeep()) {
    parser.error(DiagId::NestingTooDeep, parser.token().span, "block", MaxBlockDepth);
    for (unsigned open = 1; open != 0 && !parser.token().is(TokenKind::End); parser.next()) {
      open += parser.token().is(TokenKind::Indent);
      open -= parser.token().is(TokenKind::Dedent);
    }
    return false;
  }
  while (!parser.token().is(TokenKind::Dedent) && !parser.token().is(TokenKind::End))
    parseStatementInto(parser, out);
  if (parser.token().is(TokenKind::Dedent))
    parser.next();
  return true;
}

void skipIndentedBlock(Parser &parser) {
  parser.next();
  Parser::Stmts dropped;
  parseIndentedStatements(parser, dropped);
}

static std::optional<ast::StmtList> parseOptionalElse(Parser &parser) {
  if (!parser.acceptKeyword("else"))
    return ast::StmtList();
  return parseBody(parser);
}

static const ast::Stmt *parseIf(Parser &parser) {
  Span start = parser.token().span;
  llvm::SmallVector<ast::IfBranch, 2> branches;
  do {
    Span branchStart = parser.next().span;
    const ast::Expr *condition = parseNamed(parser);
    if (!condition)
      return nullptr;
    Span header = parser.spanSince(branchStart);
    std::optional<ast::StmtList> body = parseBody(parser);
    if (!body)
      return nullptr;
    branches.push_back({condition, *body, header});
  } while (parser.token().isKeyword("elif"));
  std::optional<ast::StmtList> orelse = parseOptionalElse(parser);
  if (!orelse)
    return nullptr;
  return parser.makeStmt<ast::IfStmt>(start, parser.save(branches), *orelse);
}

static const ast::Stmt *parseFor(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *target = parseTargetList(parser);
  if (!target || !canBeAssigned(parser, target) || !parser.expectKeyword("in"))
    return nullptr;
  const ast::Expr *iter = parseExprList(parser);
  if (!iter)
    return nullptr;
  std::optional<ast::StmtList> body = parseBody(parser);
  std::optional<ast::StmtList> orelse = body ? parseOptionalElse(parser) : std::nullopt;
  if (!orelse)
    return nullptr;
  return parser.makeStmt<ast::ForStmt>(start, target, iter, *body, *orelse);
}

static const ast::Stmt *parseWhile(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *condition = parseNamed(parser);
  if (!condition)
    return nullptr;
  std::optional<ast::StmtList> body = parseBody(parser);
  std::optional<ast::StmtList> orelse = body ? parseOptionalElse(parser) : std::nullopt;
  if (!orelse)
    return nullptr;
  return parser.makeStmt<ast::WhileStmt>(start, condition, *body, *orelse);
}

// In `with (a as b, c):` the brackets hold items; in `with (a).b():` they belong to the expression.
static bool withItemsAreParenthesized(const Parser &parser) {
  if (!parser.token().isOp("("))
    return false;
  unsigned open = 0;
  size_t ahead = 0;
  do {
    const Token &current = parser.token(ahead++);
    if (current.is(TokenKind::Newline) || current.is(TokenKind::End))
      return false;
    open += current.isOp("(") || current.isOp("[") || current.isOp("{");
    open -= current.isOp(")") || current.isOp("]") || current.isOp("}");
  } while (open != 0);
  return parser.token(ahead).isOp(":");
}

static bool parseWithItems(Parser &parser, llvm::SmallVectorImpl<ast::WithItem> &items) {
  bool isParenthesized = withItemsAreParenthesized(parser);
  if (isParenthesized)
    parser.next();
  do {
    if (isParenthesized && parser.token().isOp(")"))
      break;
    const ast::Expr *context = parseExpr(parser);
    if (!context)
      return false;
    const ast::Expr *target = nullptr;
    if (parser.acceptKeyword("as")) {
      target = parsePostfix(parser);
      if (!target || !canBeAssigned(parser, target))
        return false;
    }
    items.push_back({context, target});
  } while (parser.accept(","));
  return !isParenthesized || parser.expect(")");
}

static const ast::Stmt *parseWith(Parser &parser) {
  Span start = parser.next().span;
  llvm::SmallVector<ast::WithItem, 2> items;
  if (!parseWithItems(parser, items))
    return nullptr;
  std::optional<ast::StmtList> body = parseBody(parser);
  if (!body)
    return nullptr;
  return parser.makeStmt<ast::WithStmt>(start, parser.save(items), *body);
}

static bool parseHandler(Parser &parser, llvm::SmallVectorImpl<ast::ExceptHandler> &handlers) {
  const ast::Expr *type = nullptr;
  StringRef name;
  if (!parser.token().isOp(":")) {
    type = parseExpr(parser);
    if (!type)
      return false;
    if (parser.acceptKeyword("as")) {
      std::optional<StringRef> given = parser.expectName("a name");
      if (!given)
        return false;
      name = *given;
    }
  }
  std::optional<ast::StmtList> body = parseBody(parser);
  if (body)
    handlers.push_back({type, name, *body});
  return body.has_value();
}

static const ast::Stmt *parseTry(Parser &parser) {
  Span start = parser.next().span;
  std::optional<ast::StmtList> body = parseBody(parser);
  if (!body)
    return nullptr;
  llvm::SmallVector<ast::ExceptHandler, 2> handlers;
  while (parser.acceptKeyword("except"))
    if (!parseHandler(parser, handlers))
      return nullptr;
  std::optional<ast::StmtList> orelse = parseOptionalElse(parser);
  if (!orelse)
    return nullptr;
  bool hasFinally = parser.acceptKeyword("finally");
  std::optional<ast::StmtList> finally = hasFinally ? parseBody(parser) : ast::StmtList();
  if (!finally)
    return nullptr;
  if (handlers.empty() && !hasFinally)
    return parser.expected("'except' or 'finally'");
  return parser.makeStmt<ast::TryStmt>(start, *body, parser.save(handlers), *orelse, *finally);
}

static const ast::Stmt *parseDecorated(Parser &parser) {
  Span start = parser.token().span;
  Parser::Exprs decorators;
  while (parser.accept("@")) {
    const ast::Expr *decorator = parseNamed(parser);
    if (!decorator)
      return nullptr;
    decorators.push_back(decorator);
    if (!parser.token().is(TokenKind::Newline))
      return parser.expected("the end of the line");
    parser.next();
  }
  if (parser.token().isKeyword("def"))
    return parseFunction(parser, start, decorators);
  if (parser.token().isKeyword("class"))
    return parseClass(parser, start, decorators);
  if (parser.token().isKeyword("async"))
    return parseAsync(parser, start, decorators);
  return parser.expected("'def' or 'class' behind a decorator");
}

static const ast::Stmt *parseFunction(Parser &parser, Span start, const Parser::Exprs &decorators) {
  parser.next();
  Span nameSpan = parser.token().span;
  std::optional<StringRef> name = parser.expectName("a function name");
  Parser::Params params;
  if (!name || !parser.expect("(") || !parseParams(parser, params, ")", true) ||
      !parser.expect(")"))
    return nullptr;
  const ast::Expr *returns = nullptr;
  if (parser.accept("->") && !parseInto(parser, returns))
    return nullptr;
  bool outerYielded = parser.exchangeYielded(false);
  std::optional<ast::StmtList> body = parseBody(parser);
  bool isGenerator = parser.exchangeYielded(outerYielded);
  if (!body)
    return nullptr;
  refuseInBody(parser, *body);
  return parser.makeStmt<ast::FunctionDefStmt>(start, *name, nameSpan, parser.save(decorators),
                                               parser.save(params), returns, *body, isGenerator);
}

static const ast::Stmt *parseClass(Parser &parser, Span start, const Parser::Exprs &decorators) {
  parser.next();
  Span nameSpan = parser.token().span;
  std::optional<StringRef> name = parser.expectName("a class name");
  if (!name)
    return nullptr;
  Parser::Exprs bases;
  llvm::SmallVector<ast::Keyword, 2> keywords;
  if (parser.accept("(")) {
    while (!parser.token().isOp(")"))
      if (!parseArgument(parser, bases, keywords) ||
          (!parser.accept(",") && !parser.token().isOp(")") && !parser.expect(")")))
        return nullptr;
    parser.next();
  }
  std::optional<ast::StmtList> body = parseBody(parser);
  if (!body)
    return nullptr;
  refuseInBody(parser, *body);
  return parser.makeStmt<ast::ClassDefStmt>(start, *name, nameSpan, parser.save(decorators),
                                            parser.save(bases), parser.save(keywords), *body);
}

} // namespace tilescope
