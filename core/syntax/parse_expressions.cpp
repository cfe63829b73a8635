// Expressions with operators, calls, subscripts.
#include "core/syntax/grammar.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope {

using llvm::StringRef;

static const ast::Expr *parseLambda(Parser &parser);
static const ast::Expr *parseAnd(Parser &parser);
static const ast::Expr *parseNot(Parser &parser);
static const ast::Expr *parseComparison(Parser &parser);
static const ast::Expr *parseBinary(Parser &parser, unsigned minPrecedence);
static const ast::Expr *parsePower(Parser &parser);
static const ast::Expr *parseCall(Parser &parser, const ast::Expr *callee);
static const ast::Expr *parseSubscript(Parser &parser, const ast::Expr *object);
static const ast::Expr *parseIndex(Parser &parser);

// Where an expression list may end; a trailing comma makes a tuple.
static bool endsExprList(const Token &token) {
  if (token.is(TokenKind::Newline) || token.is(TokenKind::End))
    return true;
  if (!token.is(TokenKind::Op))
    return false;
  return llvm::StringSwitch<bool>(token.text)
      .Cases(")", "]", "}", ":", ";", "=", true)
      .Default(false);
}

const ast::Expr *parseExprList(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *first = parseStarOrNamed(parser);
  if (!first || !parser.token().isOp(","))
    return first;
  Parser::Exprs elements{first};
  while (parser.accept(",") && !endsExprList(parser.token())) {
    const ast::Expr *element = parseStarOrNamed(parser);
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  return parser.makeExpr<ast::TupleExpr>(parser.spanSince(start), parser.save(elements));
}

bool parseInto(Parser &parser, const ast::Expr *&out) {
  out = parseExpr(parser);
  return out != nullptr;
}

bool parseListInto(Parser &parser, const ast::Expr *&out) {
  out = parseExprList(parser);
  return out != nullptr;
}

const ast::Expr *parseStarOrNamed(Parser &parser) {
  Span start = parser.token().span;
  if (!parser.accept("*"))
    return parseNamed(parser);
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep())
    return parser.error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *value = parseBinary(parser, 1);
  return value ? parser.makeExpr<ast::StarredExpr>(parser.spanSince(start), value) : nullptr;
}

const ast::Expr *parseNamed(Parser &parser) {
  Span start = parser.token().span;
  if (!parser.token().is(TokenKind::Name) || !parser.token(1).isOp(":="))
    return parseExpr(parser);
  StringRef name = parser.save(parser.next().text);
  parser.next();
  const ast::Expr *value = parseExpr(parser);
  return value ? parser.makeExpr<ast::WalrusExpr>(parser.spanSince(start), name, value) : nullptr;
}

const ast::Expr *parseTargetList(Parser &parser) {
  Span start = parser.token().span;
  Parser::Exprs elements;
  bool isTuple = false;
  do {
    if (parser.token().isKeyword("in"))
      break;
    Span elementStart = parser.token().span;
    bool isStarred = parser.accept("*");
    const ast::Expr *element = parsePostfix(parser);
    if (element && isStarred)
      element = parser.makeExpr<ast::StarredExpr>(parser.spanSince(elementStart), element);
    if (!element)
      return nullptr;
    elements.push_back(element);
    isTuple |= parser.token().isOp(",");
  } while (parser.accept(","));
  if (elements.empty())
    return parser.expected("a loop variable");
  return isTuple ? parser.makeExpr<ast::TupleExpr>(parser.spanSince(start), parser.save(elements))
                 : elements[0];
}

const ast::Expr *parseExpr(Parser &parser) {
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep())
    return parser.error(DiagId::NestingTooDeep, parser.token().span, "expression", MaxBracketDepth);
  if (parser.token().isKeyword("lambda"))
    return parseLambda(parser);
  Span start = parser.token().span;
  const ast::Expr *then = parseOr(parser);
  if (!then || !parser.acceptKeyword("if"))
    return then;
  const ast::Expr *condition = parseOr(parser);
  if (!condition || !parser.expectKeyword("else"))
    return nullptr;
  const ast::Expr *otherwise = parseExpr(parser);
  if (!otherwise)
    return nullptr;
  return parser.makeExpr<ast::ConditionalExpr>(parser.spanSince(start), condition, then, otherwise);
}

static const ast::Expr *parseLambda(Parser &parser) {
  Span start = parser.next().span;
  Parser::Params params;
  if (!parseParams(parser, params, ":", false) || !parser.expect(":"))
    return nullptr;
  const ast::Expr *body = parseExpr(parser);
  return body ? parser.makeExpr<ast::LambdaExpr>(parser.spanSince(start), parser.save(params), body)
              : nullptr;
}

const ast::Expr *parseOr(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *first = parseAnd(parser);
  if (!first || !parser.token().isKeyword("or"))
    return first;
  Parser::Exprs operands{first};
  while (parser.acceptKeyword("or")) {
    const ast::Expr *operand = parseAnd(parser);
    if (!operand)
      return nullptr;
    operands.push_back(operand);
  }
  return parser.makeExpr<ast::BoolOpExpr>(parser.spanSince(start), false, parser.save(operands));
}

static const ast::Expr *parseAnd(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *first = parseNot(parser);
  if (!first || !parser.token().isKeyword("and"))
    return first;
  Parser::Exprs operands{first};
  while (parser.acceptKeyword("and")) {
    const ast::Expr *operand = parseNot(parser);
    if (!operand)
      return nullptr;
    operands.push_back(operand);
  }
  return parser.makeExpr<ast::BoolOpExpr>(parser.spanSince(start), true, parser.save(operands));
}

static const ast::Expr *parseNot(Parser &parser) {
  Span start = parser.token().span;
  if (!parser.acceptKeyword("not"))
    return parseComparison(parser);
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep())
    return parser.error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *operand = parseNot(parser);
  if (!operand)
    return nullptr;
  return parser.makeExpr<ast::UnaryExpr>(parser.spanSince(start), ast::UnaryOp::Not, operand);
}

static std::optional<ast::CompareOp> acceptCompareOp(Parser &parser) {
  using Op = ast::CompareOp;
  if (parser.token().isKeyword("not") && parser.token(1).isKeyword("in")) {
    parser.next();
    parser.next();
    return Op::NotIn;
  }
  if (parser.acceptKeyword("is"))
    return parser.acceptKeyword("not") ? Op::IsNot : Op::Is;
  if (parser.acceptKeyword("in"))
    return Op::In;
  if (!parser.token().is(TokenKind::Op))
    return std::nullopt;
  std::optional<Op> op = llvm::StringSwitch<std::optional<Op>>(parser.token().text)
                             .Case("==", Op::Eq)
                             .Case("!=", Op::Ne)
                             .Case("<", Op::Lt)
                             .Case("<=", Op::Le)
                             .Case(">", Op::Gt)
                             .Case(">=", Op::Ge)
                             .Default(std::nullopt);
  if (op)
    parser.next();
  return op;
}

static const ast::Expr *parseComparison(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *first = parseBinary(parser, 1);
  if (!first)
    return nullptr;
  Parser::Exprs operands{first};
  llvm::SmallVector<ast::CompareOp, 2> ops;
  while (std::optional<ast::CompareOp> op = acceptCompareOp(parser)) {
    const ast::Expr *operand = parseBinary(parser, 1);
    if (!operand)
      return nullptr;
    ops.push_back(*op);
    operands.push_back(operand);
  }
  if (ops.empty())
    return first;
  return parser.makeExpr<ast::CompareExpr>(parser.spanSince(start), parser.save(operands),
                                           parser.save(ops));
}

namespace {
struct Infix {
  ast::BinaryOp op;
  unsigned precedence; // 0: not an infix operator
};
} // namespace

static Infix infixOf(const Token &token) {
  using Op = ast::BinaryOp;
  Infix none{Op::Add, 0};
  if (!token.is(TokenKind::Op))
    return none;
  return llvm::StringSwitch<Infix>(token.text)
      .Case("|", {Op::BitOr, 1})
      .Case("^", {Op::BitXor, 2})
      .Case("&", {Op::BitAnd, 3})
      .Case("<<", {Op::ShiftLeft, 4})
      .Case(">>", {Op::ShiftRight, 4})
      .Case("+", {Op::Add, 5})
      .Case("-", {Op::Sub, 5})
      .Case("*", {Op::Mul, 6})
      .Case("/", {Op::Div, 6})
      .Case("//", {Op::FloorDiv, 6})
      .Case("%", {Op::Mod, 6})
      .Case("@", {Op::MatMul, 6})
      .Default(none);
}

// Left-associative operators of at least `minPrecedence`.
static const ast::Expr *parseBinary(Parser &parser, unsigned minPrecedence) {
  Span start = parser.token().span;
  const ast::Expr *lhs = parseUnary(parser);
  while (lhs) {
    Infix infix = infixOf(parser.token());
    if (infix.precedence == 0 || infix.precedence < minPrecedence)
      return lhs;
    parser.next();
    const ast::Expr *rhs = parseBinary(parser, infix.precedence + 1);
    if (!rhs)
      return nullptr;
    lhs = parser.makeExpr<ast::BinaryExpr>(parser.spanSince(start), infix.op, lhs, rhs);
  }
  return nullptr;
}

const ast::Expr *parseUnary(Parser &parser) {
  Span start = parser.token().span;
  std::optional<ast::UnaryOp> op;
  if (parser.token().isOp("-"))
    op = ast::UnaryOp::Negate;
  else if (parser.token().isOp("+"))
    op = ast::UnaryOp::Plus;
  else if (parser.token().isOp("~"))
    op = ast::UnaryOp::Invert;
  if (!op)
    return parsePower(parser);
  parser.next();
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep())
    return parser.error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *operand = parseUnary(parser);
  return operand ? parser.makeExpr<ast::UnaryExpr>(parser.spanSince(start), *op, operand) : nullptr;
}

// Binds tighter than a sign on its left, looser than one on its right.
static const ast::Expr *parsePower(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *base = parsePostfix(parser);
  if (!base || !parser.accept("**"))
    return base;
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep())
    return parser.error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *exponent = parseUnary(parser);
  if (!exponent)
    return nullptr;
  return parser.makeExpr<ast::BinaryExpr>(parser.spanSince(start), ast::BinaryOp::Pow, base,
                                          exponent);
}

const ast::Expr *parsePostfix(Parser &parser) {
  const ast::Expr *object = parseAtom(parser);
  while (object) {
    if (parser.accept(".")) {
      std::optional<StringRef> name = parser.expectName("an attribute name");
      object =
          name ? parser.makeExpr<ast::AttributeExpr>(parser.spanSince(object->span), object, *name)
               : nullptr;
    } else if (parser.accept("(")) {
      object = parseCall(parser, object);
    } else if (parser.accept("[")) {
      object = parseSubscript(parser, object);
    } else {
      return object;
    }
  }
  return nullptr;
}

static const ast::Expr *parseCall(Parser &parser, const ast::Expr *callee) {
  Parser::Exprs args;
  llvm::SmallVector<ast::Keyword, 4> keywords;
  while (!parser.token().isOp(")")) {
    if (!parseArgument(parser, args, keywords))
      return nullptr;
    if (!parser.accept(",") && !parser.token().isOp(")"))
      return parser.expected("',' or ')'");
  }
  parser.next();
  return parser.makeExpr<ast::CallExpr>(parser.spanSince(callee->span), callee, parser.save(args),
                                        parser.save(keywords));
}

bool parseArgument(Parser &parser, Parser::Exprs &args,
                   llvm::SmallVectorImpl<ast::Keyword> &keywords) {
  Span start = parser.token().span;
  bool isNamed = parser.token().is(TokenKind::Name) && parser.token(1).isOp("=");
  if (isNamed || parser.token().isOp("**")) {
    StringRef name = isNamed ? parser.save(parser.token().text) : StringRef();
    parser.next();
    if (isNamed)
      parser.next();
    const ast::Expr *value = parseExpr(parser);
    if (value)
      keywords.push_back({name, value, parser.spanSince(start)});
    return value != nullptr;
  }
  bool isStarred = parser.token().isOp("*");
  const ast::Expr *value = parseStarOrNamed(parser);
  if (value && atComprehension(parser))
    value =
        parseComprehension(parser, start, ast::ComprehensionKind::Generator, value, nullptr, "");
  if (!value)
    return false;
  if (!isStarred && !keywords.empty()) {
    parser.error(DiagId::BadArgumentOrder, value->span);
    return false;
  }
  args.push_back(value);
  return true;
}

static const ast::Expr *parseSubscript(Parser &parser, const ast::Expr *object) {
  Span start = parser.token().span;
  Parser::Exprs indices;
  bool isTuple = false;
  do {
    if (isTuple && parser.token().isOp("]"))
      break;
    const ast::Expr *index = parseIndex(parser);
    if (!index)
      return nullptr;
    indices.push_back(index);
    isTuple |= parser.token().isOp(",");
  } while (parser.accept(","));
  const ast::Expr *index =
      isTuple ? parser.makeExpr<ast::TupleExpr>(parser.spanSince(start), parser.save(indices))
              : indices[0];
  if (!index || !parser.expect("]"))
    return nullptr;
  return parser.makeExpr<ast::SubscriptExpr>(parser.spanSince(object->span), object, index);
}

// `i`, `a:b`, `:`, `a:b:c`, `*i`
static const ast::Expr *parseIndex(Parser &parser) {
  Span start = parser.token().span;
  const ast::Expr *parts[3] = {nullptr, nullptr, nullptr};
  if (!parser.token().isOp(":")) {
    parts[0] = parseStarOrNamed(parser);
    if (!parts[0] || !parser.token().isOp(":"))
      return parts[0];
  }
  for (unsigned i = 1; i < 3 && parser.accept(":"); ++i) {
    bool isAbsent =
        parser.token().isOp(":") || parser.token().isOp("]") || parser.token().isOp(",");
    if (!isAbsent && !parseInto(parser, parts[i]))
      return nullptr;
  }
  return parser.makeExpr<ast::SliceExpr>(parser.spanSince(start), parts[0], parts[1], parts[2]);
}

} // namespace tilescope
