// `match` and its patterns.
#include "core/syntax/grammar.h"

namespace tilescope {

using llvm::StringRef;
using Kind = ast::Pattern::Kind;
using Patterns = llvm::SmallVector<const ast::Pattern *, 4>;

static const ast::Pattern *parsePattern(Parser &parser);
static const ast::Pattern *parseOpenPattern(Parser &parser);
static const ast::Pattern *parseClosedPattern(Parser &parser);
static const ast::Pattern *parseSequencePattern(Parser &parser, StringRef closer);
static const ast::Pattern *parseMappingPattern(Parser &parser);
static const ast::Pattern *parseNamePattern(Parser &parser);
static const ast::Pattern *parseClassPattern(Parser &parser, Span start, const ast::Expr *type);

bool isMatchStatement(const Parser &parser) {
  if (!parser.token().is(TokenKind::Name) || parser.token().text != "match")
    return false;
  size_t ahead = 1;
  while (!parser.token(ahead).is(TokenKind::Newline) && !parser.token(ahead).is(TokenKind::End))
    ++ahead;
  return parser.token(ahead - 1).isOp(":") && parser.token(ahead + 1).is(TokenKind::Indent) &&
         parser.token(ahead + 2).is(TokenKind::Name) && parser.token(ahead + 2).text == "case";
}

// The token behind the `case`.
static bool parseCase(Parser &parser, llvm::SmallVectorImpl<ast::MatchCase> &cases) {
  const ast::Pattern *pattern = parseOpenPattern(parser);
  bool hasGuard = pattern && parser.acceptKeyword("if");
  const ast::Expr *guard = hasGuard ? parseNamed(parser) : nullptr;
  if (!pattern || (hasGuard && !guard))
    return false;
  std::optional<ast::StmtList> body = parseBody(parser);
  if (body)
    cases.push_back({pattern, guard, *body});
  return body.has_value();
}

// What is left of the cases behind an error.
static std::nullptr_t skipCases(Parser &parser) {
  for (unsigned open = 1; open != 0 && !parser.token().is(TokenKind::End); parser.next()) {
    open += parser.token().is(TokenKind::Indent);
    open -= parser.token().is(TokenKind::Dedent);
  }
  return nullptr;
}

const ast::Stmt *parseMatch(Parser &parser) {
  Span start = parser.next().span;
  const ast::Expr *subject = parseExprList(parser);
  if (!subject || !parser.expect(":"))
    return nullptr;
  parser.next();
  Parser::Nested nested = parser.nestBlock();
  parser.next();
  if (nested.isTooDeep()) {
    parser.error(DiagId::NestingTooDeep, start, "block", MaxBlockDepth);
    return skipCases(parser);
  }
  llvm::SmallVector<ast::MatchCase, 4> cases;
  while (parser.token().is(TokenKind::Name) && parser.token().text == "case") {
    parser.next();
    if (!parseCase(parser, cases))
      return skipCases(parser);
  }
  if (!parser.token().is(TokenKind::Dedent)) {
    parser.expected("'case'");
    return skipCases(parser);
  }
  parser.next();
  return parser.makeStmt<ast::MatchStmt>(start, subject, parser.save(cases));
}

// `a, b` and `a,` without brackets, or one pattern.
static const ast::Pattern *parseOpenPattern(Parser &parser) {
  Span start = parser.token().span;
  Patterns parts;
  do {
    const ast::Pattern *part = parsePattern(parser);
    if (!part)
      return nullptr;
    parts.push_back(part);
    if (parts.size() == 1 && !parser.token().isOp(",") && part->kind != Kind::Star)
      return part;
  } while (parser.accept(",") && !parser.token().isOp(":") && !parser.token().isKeyword("if"));
  ast::Pattern pattern{Kind::Sequence};
  pattern.parts = parser.save(parts);
  return parser.makePattern(start, pattern);
}

// `*rest`, or alternatives and what they are bound to.
static const ast::Pattern *parsePattern(Parser &parser) {
  Span start = parser.token().span;
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep())
    return parser.error(DiagId::NestingTooDeep, start, "pattern", MaxBracketDepth);
  if (parser.accept("*")) {
    std::optional<StringRef> name = parser.expectName("a name");
    if (!name)
      return nullptr;
    ast::Pattern star{Kind::Star};
    star.name = *name == "_" ? StringRef() : *name;
    return parser.makePattern(start, star);
  }
  Patterns alternatives;
  do {
    alternatives.push_back(parseClosedPattern(parser));
    if (!alternatives.back())
      return nullptr;
  } while (parser.accept("|"));
  const ast::Pattern *pattern = alternatives.front();
  if (alternatives.size() > 1) {
    ast::Pattern either{Kind::Or};
    either.parts = parser.save(alternatives);
    pattern = parser.makePattern(start, either);
  }
  if (!parser.acceptKeyword("as"))
    return pattern;
  std::optional<StringRef> name = parser.expectName("a name");
  if (!name)
    return nullptr;
  ast::Pattern bound{Kind::As};
  bound.name = *name;
  bound.parts = parser.save(Patterns{pattern});
  return parser.makePattern(start, bound);
}

static const ast::Pattern *parseClosedPattern(Parser &parser) {
  Span start = parser.token().span;
  if (parser.accept("("))
    return parseSequencePattern(parser, ")");
  if (parser.accept("["))
    return parseSequencePattern(parser, "]");
  if (parser.accept("{"))
    return parseMappingPattern(parser);
  if (parser.token().is(TokenKind::Name))
    return parseNamePattern(parser);
  ast::Pattern literal{Kind::Value};
  literal.value = parser.token().isOp("-") ? parseUnary(parser) : parseAtom(parser);
  return literal.value ? parser.makePattern(start, literal) : nullptr;
}

// The bracket is taken. `(a)` is `a`.
static const ast::Pattern *parseSequencePattern(Parser &parser, StringRef closer) {
  Span start = parser.previous().span;
  Patterns parts;
  bool hasComma = false;
  while (!parser.token().isOp(closer)) {
    const ast::Pattern *part = parsePattern(parser);
    if (!part)
      return nullptr;
    parts.push_back(part);
    if (!parser.accept(","))
      break;
    hasComma = true;
  }
  if (!parser.expect(closer))
    return nullptr;
  bool isGroup =
      closer == ")" && parts.size() == 1 && !hasComma && parts.front()->kind != Kind::Star;
  if (isGroup)
    return parts.front();
  ast::Pattern sequence{Kind::Sequence};
  sequence.parts = parser.save(parts);
  return parser.makePattern(start, sequence);
}

// The brace is taken.
static const ast::Pattern *parseMappingPattern(Parser &parser) {
  Span start = parser.previous().span;
  ast::Pattern mapping{Kind::Mapping};
  Parser::Exprs keys;
  Patterns parts;
  while (!parser.token().isOp("}")) {
    if (parser.accept("**")) {
      std::optional<StringRef> name = parser.expectName("a name");
      if (!name)
        return nullptr;
      mapping.name = *name;
    } else {
      keys.push_back(parser.token().isOp("-") ? parseUnary(parser) : parsePostfix(parser));
      if (!keys.back() || !parser.expect(":"))
        return nullptr;
      parts.push_back(parsePattern(parser));
      if (!parts.back())
        return nullptr;
    }
    if (!parser.accept(","))
      break;
  }
  if (!parser.expect("}"))
    return nullptr;
  mapping.keys = parser.save(keys);
  mapping.parts = parser.save(parts);
  return parser.makePattern(start, mapping);
}

// `x`, `_`, `a.b`, and the class of `a.B(...)`.
static const ast::Pattern *parseNamePattern(Parser &parser) {
  Span start = parser.token().span;
  StringRef first = parser.save(parser.next().text);
  const ast::Expr *name = parser.makeExpr<ast::NameExpr>(start, first);
  while (name && parser.accept(".")) {
    std::optional<StringRef> member = parser.expectName("a name");
    if (!member)
      return nullptr;
    name = parser.makeExpr<ast::AttributeExpr>(parser.spanSince(start), name, *member);
  }
  if (!name)
    return nullptr;
  if (parser.accept("("))
    return parseClassPattern(parser, start, name);
  bool isCapture = llvm::isa<ast::NameExpr>(name);
  ast::Pattern pattern{isCapture ? Kind::Capture : Kind::Value};
  if (!isCapture)
    pattern.value = name;
  else if (first != "_")
    pattern.name = first;
  return parser.makePattern(start, pattern);
}

// The bracket is taken.
static const ast::Pattern *parseClassPattern(Parser &parser, Span start, const ast::Expr *type) {
  Patterns parts;
  llvm::SmallVector<StringRef, 4> keywords;
  while (!parser.token().isOp(")")) {
    bool isKeyword = parser.token().is(TokenKind::Name) && parser.token(1).isOp("=");
    if (isKeyword) {
      keywords.push_back(parser.save(parser.next().text));
      parser.next();
    } else if (!keywords.empty()) {
      return parser.expected("a keyword");
    }
    parts.push_back(parsePattern(parser));
    if (!parts.back())
      return nullptr;
    if (!parser.accept(","))
      break;
  }
  if (!parser.expect(")"))
    return nullptr;
  ast::Pattern pattern{Kind::Class};
  pattern.value = type;
  pattern.parts = parser.save(parts);
  pattern.keywords = parser.save(keywords);
  return parser.makePattern(start, pattern);
}

} // namespace tilescope
