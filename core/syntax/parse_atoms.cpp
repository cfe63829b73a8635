// Names, numbers, displays and comprehensions.
#include "core/syntax/parser_impl.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

using llvm::StringRef;

const ast::Expr *Parser::parseAtom() {
  Span start = token().span;
  switch (token().kind) {
  case TokenKind::Name: {
    StringRef name = save(next().text);
    return makeExpr<ast::NameExpr>(start, name);
  }
  case TokenKind::Number:
    return parseNumber();
  case TokenKind::String:
    return parseStrings();
  case TokenKind::Keyword:
    return parseKeywordAtom();
  default:
    break;
  }
  if (accept("("))
    return parseParenthesized();
  if (accept("["))
    return parseListDisplay();
  if (accept("{"))
    return parseBraces();
  if (accept("..."))
    return makeExpr<ast::EllipsisExpr>(start);
  return expected("an expression");
}

const ast::Expr *Parser::parseKeywordAtom() {
  Span start = token().span;
  if (acceptKeyword("None"))
    return makeExpr<ast::NoneExpr>(start);
  if (acceptKeyword("True"))
    return makeExpr<ast::BoolExpr>(start, true);
  if (acceptKeyword("False"))
    return makeExpr<ast::BoolExpr>(start, false);
  if (token().isKeyword("yield"))
    return parseYield();
  if (token().isKeyword("await")) {
    noteUnsupported(DiagId::UnsupportedSyntax, next());
    return parseUnary();
  }
  return expected("an expression");
}

// `yield`, `yield a, b`, `yield from a`: what it yields.
const ast::Expr *Parser::parseYield() {
  Span start = token().span;
  noteUnsupported(DiagId::UnsupportedSyntax, next());
  acceptKeyword("from");
  bool isBare = token().is(TokenKind::Newline) || token().is(TokenKind::End) ||
                (token().is(TokenKind::Op) && StringRef(")]},=:;").contains(token().text));
  return isBare ? makeExpr<ast::NoneExpr>(start) : parseExprList();
}

static bool isAllDigits(StringRef digits, unsigned radix) {
  return !digits.empty() &&
         llvm::all_of(digits, [&](char c) { return llvm::hexDigitValue(c) < radix; });
}

const ast::Expr *Parser::parseNumber() {
  const Token &number = next();
  std::string digits = number.text.lower();
  bool hasBadUnderscore = number.text.ends_with("_") || number.text.contains("__");
  llvm::erase(digits, '_');
  StringRef rest = digits;
  unsigned radix = 10;
  if (rest.consume_front("0x"))
    radix = 16;
  else if (rest.consume_front("0o"))
    radix = 8;
  else if (rest.consume_front("0b"))
    radix = 2;
  bool hasBadZero =
      radix == 10 && rest.starts_with("0") && rest.find_first_not_of('0') != StringRef::npos;
  if (isAllDigits(rest, radix) && !hasBadUnderscore && !hasBadZero) {
    uint64_t value = 0;
    bool fits = !rest.getAsInteger(radix, value);
    return makeExpr<ast::IntExpr>(number.span, value, fits, save(number.text));
  }
  if (radix == 10 && rest.ends_with("j")) {
    noteUnsupported(DiagId::UnsupportedSyntax, number);
    return makeExpr<ast::NoneExpr>(number.span);
  }
  double value = 0;
  bool looksLikeFloat = radix == 10 && rest.find_first_of(".e") != StringRef::npos &&
                        rest.find_first_not_of("0123456789.e+-") == StringRef::npos;
  if (looksLikeFloat && !hasBadUnderscore && !rest.getAsDouble(value))
    return makeExpr<ast::FloatExpr>(number.span, value);
  return error(DiagId::InvalidNumber, number.span, number.text);
}

bool Parser::atComprehension() const {
  return token().isKeyword("for") || (token().isKeyword("async") && token(1).isKeyword("for"));
}

// The opening bracket is taken.
const ast::Expr *Parser::parseParenthesized() {
  Span start = tokens_[previous_].span;
  if (accept(")"))
    return makeExpr<ast::TupleExpr>(spanSince(start), ast::ExprList());
  const ast::Expr *first = parseStarOrNamed();
  if (!first)
    return nullptr;
  if (atComprehension())
    return parseComprehension(start, ast::ComprehensionKind::Generator, first, nullptr, ")");
  if (!token().isOp(","))
    return expect(")") ? first : nullptr;
  Exprs elements{first};
  while (accept(",") && !token().isOp(")")) {
    const ast::Expr *element = parseStarOrNamed();
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  if (!expect(")"))
    return nullptr;
  return makeExpr<ast::TupleExpr>(spanSince(start), save(elements));
}

const ast::Expr *Parser::parseListDisplay() {
  Span start = tokens_[previous_].span;
  Exprs elements;
  while (!token().isOp("]")) {
    const ast::Expr *element = parseStarOrNamed();
    if (!element)
      return nullptr;
    if (elements.empty() && atComprehension())
      return parseComprehension(start, ast::ComprehensionKind::List, element, nullptr, "]");
    elements.push_back(element);
    if (!accept(",") && !token().isOp("]"))
      return expected("',' or ']'");
  }
  next();
  return makeExpr<ast::ListExpr>(spanSince(start), save(elements));
}

// A dict or a set, as a display or as a comprehension.
const ast::Expr *Parser::parseBraces() {
  Span start = tokens_[previous_].span;
  if (accept("}"))
    return makeExpr<ast::DictExpr>(spanSince(start), llvm::ArrayRef<ast::DictItem>());
  if (token().isOp("**")) {
    std::optional<ast::DictItem> item = parseDictItem();
    return item ? parseDictItems(start, *item) : nullptr;
  }
  const ast::Expr *first = parseStarOrNamed();
  if (!first)
    return nullptr;
  if (accept(":")) {
    const ast::Expr *value = parseExpr();
    if (!value)
      return nullptr;
    if (atComprehension())
      return parseComprehension(start, ast::ComprehensionKind::Dict, first, value, "}");
    return parseDictItems(start, {first, value});
  }
  if (atComprehension())
    return parseComprehension(start, ast::ComprehensionKind::Set, first, nullptr, "}");
  Exprs elements{first};
  while (accept(",") && !token().isOp("}")) {
    const ast::Expr *element = parseStarOrNamed();
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  if (!expect("}"))
    return nullptr;
  return makeExpr<ast::SetExpr>(spanSince(start), save(elements));
}

std::optional<ast::DictItem> Parser::parseDictItem() {
  const ast::Expr *key = nullptr;
  if (!accept("**")) {
    key = parseExpr();
    if (!key || !expect(":"))
      return std::nullopt;
  }
  const ast::Expr *value = parseExpr();
  if (!value)
    return std::nullopt;
  return ast::DictItem{key, value};
}

const ast::Expr *Parser::parseDictItems(Span start, ast::DictItem first) {
  llvm::SmallVector<ast::DictItem, 4> items{first};
  while (accept(",") && !token().isOp("}")) {
    std::optional<ast::DictItem> item = parseDictItem();
    if (!item)
      return nullptr;
    items.push_back(*item);
  }
  if (!token().isOp("}"))
    return expected("',' or '}'");
  next();
  return makeExpr<ast::DictExpr>(spanSince(start), save(items));
}

// The element is taken, the token is `for`; an empty closer is not expected.
const ast::Expr *Parser::parseComprehension(Span start, ast::ComprehensionKind form,
                                            const ast::Expr *element, const ast::Expr *value,
                                            StringRef closer) {
  Clauses clauses;
  if (!parseClauses(clauses) || (!closer.empty() && !expect(closer)))
    return nullptr;
  return makeExpr<ast::ComprehensionExpr>(spanSince(start), form, element, value, save(clauses));
}

bool Parser::parseClauses(Clauses &clauses) {
  Nested nested(exprDepth_);
  if (exprDepth_ > MaxBracketDepth) {
    error(DiagId::NestingTooDeep, token().span, "expression", MaxBracketDepth);
    return false;
  }
  while (atComprehension()) {
    if (token().isKeyword("async"))
      noteUnsupported(DiagId::UnsupportedSyntax, next());
    next();
    if (clauses.size() == MaxBracketDepth) {
      error(DiagId::NestingTooDeep, token().span, "comprehension", MaxBracketDepth);
      return false;
    }
    const ast::Expr *target = parseTargetList();
    if (!target || !canBeAssigned(target) || !expectKeyword("in"))
      return false;
    const ast::Expr *iter = parseOr();
    if (!iter)
      return false;
    Exprs conditions;
    while (acceptKeyword("if")) {
      const ast::Expr *condition = parseOr();
      if (!condition)
        return false;
      conditions.push_back(condition);
    }
    clauses.push_back({target, iter, save(conditions)});
  }
  return true;
}

} // namespace tilescope
