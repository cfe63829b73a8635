// Expressions with operators, calls, subscripts, and parameter lists.
#include "core/syntax/parser_impl.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope {

using llvm::StringRef;

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

// `a`, `a, b`, `*a, b`: one expression or a TupleExpr.
const ast::Expr *Parser::parseExprList() {
  Span start = token().span;
  const ast::Expr *first = parseStarOrNamed();
  if (!first || !token().isOp(","))
    return first;
  Exprs elements{first};
  while (accept(",") && !endsExprList(token())) {
    const ast::Expr *element = parseStarOrNamed();
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  return makeExpr<ast::TupleExpr>(spanSince(start), save(elements));
}

const ast::Expr *Parser::parseStarOrNamed() {
  Span start = token().span;
  if (!accept("*"))
    return parseNamed();
  Nested nested(exprDepth_);
  if (exprDepth_ > MaxBracketDepth)
    return error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *value = parseBinary(1);
  return value ? makeExpr<ast::StarredExpr>(spanSince(start), value) : nullptr;
}

const ast::Expr *Parser::parseNamed() {
  Span start = token().span;
  if (!token().is(TokenKind::Name) || !token(1).isOp(":="))
    return parseExpr();
  StringRef name = save(next().text);
  next();
  const ast::Expr *value = parseExpr();
  return value ? makeExpr<ast::WalrusExpr>(spanSince(start), name, value) : nullptr;
}

// Loop targets: no operator, above all no `in`.
const ast::Expr *Parser::parseTargetList() {
  Span start = token().span;
  Exprs elements;
  bool isTuple = false;
  do {
    if (token().isKeyword("in"))
      break;
    Span elementStart = token().span;
    bool isStarred = accept("*");
    const ast::Expr *element = parsePostfix();
    if (element && isStarred)
      element = makeExpr<ast::StarredExpr>(spanSince(elementStart), element);
    if (!element)
      return nullptr;
    elements.push_back(element);
    isTuple |= token().isOp(",");
  } while (accept(","));
  if (elements.empty())
    return expected("a loop variable");
  return isTuple ? makeExpr<ast::TupleExpr>(spanSince(start), save(elements)) : elements[0];
}

const ast::Expr *Parser::parseExpr() {
  Nested nested(exprDepth_);
  if (exprDepth_ > MaxBracketDepth)
    return error(DiagId::NestingTooDeep, token().span, "expression", MaxBracketDepth);
  if (token().isKeyword("lambda"))
    return parseLambda();
  Span start = token().span;
  const ast::Expr *then = parseOr();
  if (!then || !acceptKeyword("if"))
    return then;
  const ast::Expr *condition = parseOr();
  if (!condition || !expectKeyword("else"))
    return nullptr;
  const ast::Expr *otherwise = parseExpr();
  if (!otherwise)
    return nullptr;
  return makeExpr<ast::ConditionalExpr>(spanSince(start), condition, then, otherwise);
}

const ast::Expr *Parser::parseLambda() {
  Span start = next().span;
  Params params;
  if (!parseParams(params, ":", false) || !expect(":"))
    return nullptr;
  const ast::Expr *body = parseExpr();
  return body ? makeExpr<ast::LambdaExpr>(spanSince(start), save(params), body) : nullptr;
}

const ast::Expr *Parser::parseOr() {
  Span start = token().span;
  const ast::Expr *first = parseAnd();
  if (!first || !token().isKeyword("or"))
    return first;
  Exprs operands{first};
  while (acceptKeyword("or")) {
    const ast::Expr *operand = parseAnd();
    if (!operand)
      return nullptr;
    operands.push_back(operand);
  }
  return makeExpr<ast::BoolOpExpr>(spanSince(start), false, save(operands));
}

const ast::Expr *Parser::parseAnd() {
  Span start = token().span;
  const ast::Expr *first = parseNot();
  if (!first || !token().isKeyword("and"))
    return first;
  Exprs operands{first};
  while (acceptKeyword("and")) {
    const ast::Expr *operand = parseNot();
    if (!operand)
      return nullptr;
    operands.push_back(operand);
  }
  return makeExpr<ast::BoolOpExpr>(spanSince(start), true, save(operands));
}

const ast::Expr *Parser::parseNot() {
  Span start = token().span;
  if (!acceptKeyword("not"))
    return parseComparison();
  Nested nested(exprDepth_);
  if (exprDepth_ > MaxBracketDepth)
    return error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *operand = parseNot();
  if (!operand)
    return nullptr;
  return makeExpr<ast::UnaryExpr>(spanSince(start), ast::UnaryOp::Not, operand);
}

std::optional<ast::CompareOp> Parser::acceptCompareOp() {
  using Op = ast::CompareOp;
  if (token().isKeyword("not") && token(1).isKeyword("in")) {
    next();
    next();
    return Op::NotIn;
  }
  if (acceptKeyword("is"))
    return acceptKeyword("not") ? Op::IsNot : Op::Is;
  if (acceptKeyword("in"))
    return Op::In;
  if (!token().is(TokenKind::Op))
    return std::nullopt;
  std::optional<Op> op = llvm::StringSwitch<std::optional<Op>>(token().text)
                             .Case("==", Op::Eq)
                             .Case("!=", Op::Ne)
                             .Case("<", Op::Lt)
                             .Case("<=", Op::Le)
                             .Case(">", Op::Gt)
                             .Case(">=", Op::Ge)
                             .Default(std::nullopt);
  if (op)
    next();
  return op;
}

const ast::Expr *Parser::parseComparison() {
  Span start = token().span;
  const ast::Expr *first = parseBinary(1);
  if (!first)
    return nullptr;
  Exprs operands{first};
  llvm::SmallVector<ast::CompareOp, 2> ops;
  while (std::optional<ast::CompareOp> op = acceptCompareOp()) {
    const ast::Expr *operand = parseBinary(1);
    if (!operand)
      return nullptr;
    ops.push_back(*op);
    operands.push_back(operand);
  }
  if (ops.empty())
    return first;
  return makeExpr<ast::CompareExpr>(spanSince(start), save(operands), save(ops));
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
const ast::Expr *Parser::parseBinary(unsigned minPrecedence) {
  Span start = token().span;
  const ast::Expr *lhs = parseUnary();
  while (lhs) {
    Infix infix = infixOf(token());
    if (infix.precedence == 0 || infix.precedence < minPrecedence)
      return lhs;
    next();
    const ast::Expr *rhs = parseBinary(infix.precedence + 1);
    if (!rhs)
      return nullptr;
    lhs = makeExpr<ast::BinaryExpr>(spanSince(start), infix.op, lhs, rhs);
  }
  return nullptr;
}

const ast::Expr *Parser::parseUnary() {
  Span start = token().span;
  std::optional<ast::UnaryOp> op;
  if (token().isOp("-"))
    op = ast::UnaryOp::Negate;
  else if (token().isOp("+"))
    op = ast::UnaryOp::Plus;
  else if (token().isOp("~"))
    op = ast::UnaryOp::Invert;
  if (!op)
    return parsePower();
  next();
  Nested nested(exprDepth_);
  if (exprDepth_ > MaxBracketDepth)
    return error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *operand = parseUnary();
  return operand ? makeExpr<ast::UnaryExpr>(spanSince(start), *op, operand) : nullptr;
}

// Binds tighter than a sign on its left, looser than one on its right.
const ast::Expr *Parser::parsePower() {
  Span start = token().span;
  const ast::Expr *base = parsePostfix();
  if (!base || !accept("**"))
    return base;
  Nested nested(exprDepth_);
  if (exprDepth_ > MaxBracketDepth)
    return error(DiagId::NestingTooDeep, start, "expression", MaxBracketDepth);
  const ast::Expr *exponent = parseUnary();
  if (!exponent)
    return nullptr;
  return makeExpr<ast::BinaryExpr>(spanSince(start), ast::BinaryOp::Pow, base, exponent);
}

const ast::Expr *Parser::parsePostfix() {
  const ast::Expr *object = parseAtom();
  while (object) {
    if (accept(".")) {
      std::optional<StringRef> name = expectName("an attribute name");
      object =
          name ? makeExpr<ast::AttributeExpr>(spanSince(object->span), object, *name) : nullptr;
    } else if (accept("(")) {
      object = parseCall(object);
    } else if (accept("[")) {
      object = parseSubscript(object);
    } else {
      return object;
    }
  }
  return nullptr;
}

const ast::Expr *Parser::parseCall(const ast::Expr *callee) {
  Exprs args;
  llvm::SmallVector<ast::Keyword, 4> keywords;
  while (!token().isOp(")")) {
    if (!parseArgument(args, keywords))
      return nullptr;
    if (!accept(",") && !token().isOp(")"))
      return expected("',' or ')'");
  }
  next();
  return makeExpr<ast::CallExpr>(spanSince(callee->span), callee, save(args), save(keywords));
}

bool Parser::parseArgument(Exprs &args, llvm::SmallVectorImpl<ast::Keyword> &keywords) {
  Span start = token().span;
  bool isNamed = token().is(TokenKind::Name) && token(1).isOp("=");
  if (isNamed || token().isOp("**")) {
    StringRef name = isNamed ? save(token().text) : StringRef();
    next();
    if (isNamed)
      next();
    const ast::Expr *value = parseExpr();
    if (value)
      keywords.push_back({name, value, spanSince(start)});
    return value != nullptr;
  }
  bool isStarred = token().isOp("*");
  const ast::Expr *value = parseStarOrNamed();
  if (value && atComprehension())
    value = parseComprehension(start, ast::ComprehensionKind::Generator, value, nullptr, "");
  if (!value)
    return false;
  if (!isStarred && !keywords.empty()) {
    error(DiagId::BadArgumentOrder, value->span);
    return false;
  }
  args.push_back(value);
  return true;
}

const ast::Expr *Parser::parseSubscript(const ast::Expr *object) {
  Span start = token().span;
  Exprs indices;
  bool isTuple = false;
  do {
    if (isTuple && token().isOp("]"))
      break;
    const ast::Expr *index = parseIndex();
    if (!index)
      return nullptr;
    indices.push_back(index);
    isTuple |= token().isOp(",");
  } while (accept(","));
  const ast::Expr *index =
      isTuple ? makeExpr<ast::TupleExpr>(spanSince(start), save(indices)) : indices[0];
  if (!index || !expect("]"))
    return nullptr;
  return makeExpr<ast::SubscriptExpr>(spanSince(object->span), object, index);
}

// `i`, `a:b`, `:`, `a:b:c`, `*i`
const ast::Expr *Parser::parseIndex() {
  Span start = token().span;
  const ast::Expr *parts[3] = {nullptr, nullptr, nullptr};
  if (!token().isOp(":")) {
    parts[0] = parseStarOrNamed();
    if (!parts[0] || !token().isOp(":"))
      return parts[0];
  }
  for (unsigned i = 1; i < 3 && accept(":"); ++i) {
    bool isAbsent = token().isOp(":") || token().isOp("]") || token().isOp(",");
    if (!isAbsent && !parseInto(parts[i]))
      return nullptr;
  }
  return makeExpr<ast::SliceExpr>(spanSince(start), parts[0], parts[1], parts[2]);
}

// Stops at `closer` without taking it.
bool Parser::parseParams(Params &params, StringRef closer, bool haveAnnotations) {
  ast::ParamKind kind = ast::ParamKind::Positional;
  while (!token().isOp(closer)) {
    if (!parseParam(params, kind, haveAnnotations))
      return false;
    if (!accept(",") && !token().isOp(closer)) {
      expected(("',' or '" + closer + "'").str());
      return false;
    }
  }
  return true;
}

// `kind` is what the next parameter without stars is.
bool Parser::parseParam(Params &params, ast::ParamKind &kind, bool haveAnnotations) {
  Span start = token().span;
  if (accept("/")) {
    for (ast::Param &param : params)
      param.kind = ast::ParamKind::PositionalOnly;
    return true;
  }
  ast::ParamKind own = kind;
  if (accept("**")) {
    own = ast::ParamKind::KeywordArgs;
  } else if (accept("*")) {
    kind = ast::ParamKind::KeywordOnly;
    if (token().isOp(","))
      return true;
    own = ast::ParamKind::VarArgs;
  }
  std::optional<StringRef> name = expectName("a parameter name");
  if (!name)
    return false;
  ast::Param param{*name, own, nullptr, nullptr, {}};
  if (haveAnnotations && accept(":") && !parseInto(param.annotation))
    return false;
  if (accept("=") && !parseInto(param.defaultValue))
    return false;
  param.span = spanSince(start);
  if (!checkParam(params, param))
    return false;
  params.push_back(param);
  return true;
}

bool Parser::checkParam(const Params &params, const ast::Param &param) {
  for (const ast::Param &earlier : params)
    if (earlier.name == param.name) {
      error(DiagId::DuplicateParameter, param.span, param.name);
      return false;
    }
  if (params.empty())
    return true;
  const ast::Param &last = params.back();
  StringRef why;
  if (last.kind == ast::ParamKind::KeywordArgs)
    why = "it follows the '**' parameter";
  else if (param.kind == ast::ParamKind::Positional && last.defaultValue && !param.defaultValue)
    why = "it has no default, but the one before it has";
  if (why.empty())
    return true;
  error(DiagId::BadParameterOrder, param.span, param.name, why);
  return false;
}

} // namespace tilescope
