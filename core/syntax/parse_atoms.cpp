// Names, numbers, displays and comprehensions.
#include "core/syntax/grammar.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

using llvm::StringRef;

static const ast::Expr *parseKeywordAtom(Parser &parser);
static const ast::Expr *parseYield(Parser &parser);
static const ast::Expr *parseNumber(Parser &parser);
static const ast::Expr *parseParenthesized(Parser &parser);
static const ast::Expr *parseListDisplay(Parser &parser);
static const ast::Expr *parseBraces(Parser &parser);
static std::optional<ast::DictItem> parseDictItem(Parser &parser);
static const ast::Expr *parseDictItems(Parser &parser, Span start, ast::DictItem first);
static bool parseClauses(Parser &parser, Parser::Clauses &clauses);

const ast::Expr *parseAtom(Parser &parser) {
  Span start = parser.token().span;
  switch (parser.token().kind) {
  case TokenKind::Name: {
    StringRef name = parser.save(parser.next().text);
    return parser.makeExpr<ast::NameExpr>(start, name);
  }
  case TokenKind::Number:
    return parseNumber(parser);
  case TokenKind::String:
    return parseStrings(parser);
  case TokenKind::Keyword:
    return parseKeywordAtom(parser);
  default:
    break;
  }
  if (parser.accept("("))
    return parseParenthesized(parser);
  if (parser.accept("["))
    return parseListDisplay(parser);
  if (parser.accept("{"))
    return parseBraces(parser);
  if (parser.accept("..."))
    return parser.makeExpr<ast::EllipsisExpr>(start);
  return parser.expected("an expression");
}

static const ast::Expr *parseKeywordAtom(Parser &parser) {
  Span start = parser.token().span;
  if (parser.acceptKeyword("None"))
    return parser.makeExpr<ast::NoneExpr>(start);
  if (parser.acceptKeyword("True"))
    return parser.makeExpr<ast::BoolExpr>(start, true);
  if (parser.acceptKeyword("False"))
    return parser.makeExpr<ast::BoolExpr>(start, false);
  if (parser.token().isKeyword("yield"))
    return parseYield(parser);
  if (parser.token().isKeyword("await")) {
    parser.noteUnsupported(DiagId::UnsupportedSyntax, parser.next());
    return parseUnary(parser);
  }
  return parser.expected("an expression");
}

// `yield`, `yield a, b`, `yield from a`: what it yields.
static const ast::Expr *parseYield(Parser &parser) {
  Span start = parser.token().span;
  parser.noteUnsupported(DiagId::UnsupportedSyntax, parser.next());
  parser.exchangeYielded(true);
  parser.acceptKeyword("from");
  bool isBare =
      parser.token().is(TokenKind::Newline) || parser.token().is(TokenKind::End) ||
      (parser.token().is(TokenKind::Op) && StringRef(")]},=:;").contains(parser.token().text));
  return isBare ? parser.makeExpr<ast::NoneExpr>(start) : parseExprList(parser);
}

static bool isAllDigits(StringRef digits, unsigned radix) {
  return !digits.empty() &&
         llvm::all_of(digits, [&](char c) { return llvm::hexDigitValue(c) < radix; });
}

static const ast::Expr *parseNumber(Parser &parser) {
  const Token &number = parser.next();
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
    return parser.makeExpr<ast::IntExpr>(number.span, value, fits, parser.save(number.text));
  }
  if (radix == 10 && rest.ends_with("j")) {
    parser.noteUnsupported(DiagId::UnsupportedSyntax, number);
    return parser.makeExpr<ast::NoneExpr>(number.span);
  }
  double value = 0;
  bool looksLikeFloat = radix == 10 && rest.find_first_of(".e") != StringRef::npos &&
                        rest.find_first_not_of("0123456789.e+-") == StringRef::npos;
  if (looksLikeFloat && !hasBadUnderscore && !rest.getAsDouble(value))
    return parser.makeExpr<ast::FloatExpr>(number.span, value);
  return parser.error(DiagId::InvalidNumber, number.span, number.text);
}

bool atComprehension(const Parser &parser) {
  return parser.token().isKeyword("for") ||
         (parser.token().isKeyword("async") && parser.token(1).isKeyword("for"));
}

// The opening bracket is taken.
static const ast::Expr *parseParenthesized(Parser &parser) {
  Span start = parser.previous().span;
  if (parser.accept(")"))
    return parser.makeExpr<ast::TupleExpr>(parser.spanSince(start), ast::ExprList());
  const ast::Expr *first = parseStarOrNamed(parser);
  if (!first)
    return nullptr;
  if (atComprehension(parser))
    return parseComprehension(parser, start, ast::ComprehensionKind::Generator, first, nullptr,
                              ")");
  if (!parser.token().isOp(","))
    return parser.expect(")") ? first : nullptr;
  Parser::Exprs elements{first};
  while (parser.accept(",") && !parser.token().isOp(")")) {
    const ast::Expr *element = parseStarOrNamed(parser);
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  if (!parser.expect(")"))
    return nullptr;
  return parser.makeExpr<ast::TupleExpr>(parser.spanSince(start), parser.save(elements));
}

static const ast::Expr *parseListDisplay(Parser &parser) {
  Span start = parser.previous().span;
  Parser::Exprs elements;
  while (!parser.token().isOp("]")) {
    const ast::Expr *element = parseStarOrNamed(parser);
    if (!element)
      return nullptr;
    if (elements.empty() && atComprehension(parser))
      return parseComprehension(parser, start, ast::ComprehensionKind::List, element, nullptr, "]");
    elements.push_back(element);
    if (!parser.accept(",") && !parser.token().isOp("]"))
      return parser.expected("',' or ']'");
  }
  parser.next();
  return parser.makeExpr<ast::ListExpr>(parser.spanSince(start), parser.save(elements));
}

// A dict or a set, as a display or as a comprehension.
static const ast::Expr *parseBraces(Parser &parser) {
  Span start = parser.previous().span;
  if (parser.accept("}"))
    return parser.makeExpr<ast::DictExpr>(parser.spanSince(start), llvm::ArrayRef<ast::DictItem>());
  if (parser.token().isOp("**")) {
    std::optional<ast::DictItem> item = parseDictItem(parser);
    return item ? parseDictItems(parser, start, *item) : nullptr;
  }
  const ast::Expr *first = parseStarOrNamed(parser);
  if (!first)
    return nullptr;
  if (parser.accept(":")) {
    const ast::Expr *value = parseExpr(parser);
    if (!value)
      return nullptr;
    if (atComprehension(parser))
      return parseComprehension(parser, start, ast::ComprehensionKind::Dict, first, value, "}");
    return parseDictItems(parser, start, {first, value});
  }
  if (atComprehension(parser))
    return parseComprehension(parser, start, ast::ComprehensionKind::Set, first, nullptr, "}");
  Parser::Exprs elements{first};
  while (parser.accept(",") && !parser.token().isOp("}")) {
    const ast::Expr *element = parseStarOrNamed(parser);
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  if (!parser.expect("}"))
    return nullptr;
  return parser.makeExpr<ast::SetExpr>(parser.spanSince(start), parser.save(elements));
}

static std::optional<ast::DictItem> parseDictItem(Parser &parser) {
  const ast::Expr *key = nullptr;
  if (!parser.accept("**")) {
    key = parseExpr(parser);
    if (!key || !parser.expect(":"))
      return std::nullopt;
  }
  const ast::Expr *value = parseExpr(parser);
  if (!value)
    return std::nullopt;
  return ast::DictItem{key, value};
}

static const ast::Expr *parseDictItems(Parser &parser, Span start, ast::DictItem first) {
  llvm::SmallVector<ast::DictItem, 4> items{first};
  while (parser.accept(",") && !parser.token().isOp("}")) {
    std::optional<ast::DictItem> item = parseDictItem(parser);
    if (!item)
      return nullptr;
    items.push_back(*item);
  }
  if (!parser.token().isOp("}"))
    return parser.expected("',' or '}'");
  parser.next();
  return parser.makeExpr<ast::DictExpr>(parser.spanSince(start), parser.save(items));
}

const ast::Expr *parseComprehension(Parser &parser, Span start, ast::ComprehensionKind form,
                                    const ast::Expr *element, const ast::Expr *value,
                                    StringRef closer) {
  Parser::Clauses clauses;
  if (!parseClauses(parser, clauses) || (!closer.empty() && !parser.expect(closer)))
    return nullptr;
  return parser.makeExpr<ast::ComprehensionExpr>(parser.spanSince(start), form, element, value,
                                                 parser.save(clauses));
}

static bool parseClauses(Parser &parser, Parser::Clauses &clauses) {
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep()) {
    parser.error(DiagId::NestingTooDeep, parser.token().span, "expression", MaxBracketDepth);
    return false;
  }
  while (atComprehension(parser)) {
    if (parser.token().isKeyword("async"))
      parser.noteUnsupported(DiagId::UnsupportedSyntax, parser.next());
    parser.next();
    if (clauses.size() == MaxBracketDepth) {
      parser.error(DiagId::NestingTooDeep, parser.token().span, "comprehension", MaxBracketDepth);
      return false;
    }
    const ast::Expr *target = parseTargetList(parser);
    if (!target || !canBeAssigned(parser, target) || !parser.expectKeyword("in"))
      return false;
    const ast::Expr *iter = parseOr(parser);
    if (!iter)
      return false;
    Parser::Exprs conditions;
    while (parser.acceptKeyword("if")) {
      const ast::Expr *condition = parseOr(parser);
      if (!condition)
        return false;
      conditions.push_back(condition);
    }
    clauses.push_back({target, iter, parser.save(conditions)});
  }
  return true;
}

} // namespace tilescope
