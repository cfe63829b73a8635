// String and f-string literals.
#include "core/syntax/grammar.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

namespace tilescope {

using llvm::StringRef;

namespace {
// One literal of a run of adjacent ones.
struct StringPiece {
  StringRef body; // between the quotes, as written
  bool isRaw;
  bool isBytes;
  bool isFormat;
};
} // namespace

static bool decodeEscapes(Parser &parser, const StringPiece &piece, StringRef body,
                          std::string &out);
static size_t decodeEscape(StringRef rest, bool isBytes, std::string &out);
static bool parseFStringBody(Parser &parser, const StringPiece &piece, StringRef body, bool isSpec,
                             llvm::SmallVectorImpl<ast::FStringPart> &parts);
static size_t parseReplacementField(Parser &parser, const StringPiece &piece, StringRef body,
                                    llvm::SmallVectorImpl<ast::FStringPart> &parts);
static bool parseFieldSuffix(Parser &parser, const StringPiece &piece, StringRef suffix,
                             ast::FStringPart &part);
static const ast::Expr *parseEmbedded(Parser &parser, StringRef text);

static StringPiece splitString(const Token &token) {
  StringRef prefix = token.text.take_until([](char c) { return c == '"' || c == '\''; });
  StringRef quoted = token.text.drop_front(prefix.size());
  size_t quotes = quoted.size() >= 6 && quoted[0] == quoted[1] && quoted[1] == quoted[2] ? 3 : 1;
  return {quoted.drop_front(quotes).drop_back(quotes), prefix.contains_insensitive('r'),
          prefix.contains_insensitive('b'), prefix.contains_insensitive('f')};
}

const ast::Expr *parseStrings(Parser &parser) {
  Span start = parser.token().span;
  llvm::SmallVector<ast::FStringPart, 4> parts;
  bool isFormat = false;
  bool isBytes = false;
  while (parser.token().is(TokenKind::String)) {
    StringPiece piece = splitString(parser.next());
    isFormat |= piece.isFormat;
    isBytes |= piece.isBytes;
    if (piece.isFormat) {
      if (!parseFStringBody(parser, piece, piece.body, false, parts))
        return nullptr;
      continue;
    }
    std::string text;
    if (!decodeEscapes(parser, piece, piece.body, text))
      return nullptr;
    parts.push_back({parser.save(StringRef(text)), nullptr, 0, nullptr});
  }
  if (isFormat)
    return parser.makeExpr<ast::FStringExpr>(parser.spanSince(start), parser.save(parts));
  std::string value;
  for (const ast::FStringPart &part : parts)
    value += part.text;
  return parser.makeExpr<ast::StringExpr>(parser.spanSince(start), parser.save(StringRef(value)),
                                          isBytes);
}

static bool decodeEscapes(Parser &parser, const StringPiece &piece, StringRef body,
                          std::string &out) {
  for (size_t i = 0; i < body.size();) {
    if (body[i] == '\\' && !piece.isRaw) {
      size_t taken = decodeEscape(body.drop_front(i + 1), piece.isBytes, out);
      if (taken == 0) {
        parser.error(DiagId::InvalidEscape, parser.spanInSource(body.substr(i, 2)),
                     body.substr(i, 2));
        return false;
      }
      i += 1 + taken;
      continue;
    }
    bool isCarriage = body[i] == '\r' && i + 1 < body.size() && body[i + 1] == '\n';
    if (!isCarriage)
      out += body[i];
    ++i;
  }
  return true;
}

static size_t decodeHex(StringRef rest, size_t digits, bool isUnicode, std::string &out) {
  uint32_t code = 0;
  StringRef hex = rest.substr(1, digits);
  if (hex.size() != digits || hex.getAsInteger(16, code))
    return 0;
  char buffer[4];
  char *end = buffer;
  if (!isUnicode)
    *end++ = static_cast<char>(code);
  else if (!llvm::ConvertCodePointToUTF8(code, end))
    return 0;
  out.append(buffer, end);
  return 1 + digits;
}

static size_t decodeOctal(StringRef rest, std::string &out) {
  StringRef digits = rest.take_front(3).take_while([](char c) { return c >= '0' && c <= '7'; });
  unsigned code = 0;
  digits.getAsInteger(8, code);
  out += static_cast<char>(code);
  return digits.size();
}

// Decodes what follows a backslash; returns the bytes taken, 0 for an incomplete escape. An
// escape that Python does not know stays as written.
static size_t decodeEscape(StringRef rest, bool isBytes, std::string &out) {
  if (rest.empty())
    return 0;
  static constexpr StringRef From = "\\'\"abfnrtv";
  static constexpr StringRef To = "\\'\"\a\b\f\n\r\t\v";
  size_t simple = From.find(rest[0]);
  if (simple != StringRef::npos) {
    out += To[simple];
    return 1;
  }
  if (rest[0] == '\n')
    return 1;
  if (rest.starts_with("\r\n"))
    return 2;
  if (rest[0] >= '0' && rest[0] <= '7')
    return decodeOctal(rest, out);
  // A byte over 0x7f of a text string is a character, which takes two bytes of UTF-8.
  if (rest[0] == 'x')
    return decodeHex(rest, 2, !isBytes, out);
  if (rest[0] == 'u' && !isBytes)
    return decodeHex(rest, 4, true, out);
  if (rest[0] == 'U' && !isBytes)
    return decodeHex(rest, 8, true, out);
  if (rest[0] == 'N' && !isBytes)
    return 0;
  out += '\\';
  out += rest[0];
  return 1;
}

// Splits `a{b}c` into parts. A format spec (`isSpec`) has no doubled braces.
static bool parseFStringBody(Parser &parser, const StringPiece &piece, StringRef body, bool isSpec,
                             llvm::SmallVectorImpl<ast::FStringPart> &parts) {
  Parser::Nested nested = parser.nestExpr();
  if (nested.isTooDeep()) {
    parser.error(DiagId::NestingTooDeep, parser.spanInSource(body), "f-string", MaxBracketDepth);
    return false;
  }
  while (!body.empty()) {
    size_t brace = body.find_first_of("{}");
    bool isDoubled = !isSpec && brace != StringRef::npos && brace + 1 < body.size() &&
                     body[brace] == body[brace + 1];
    StringRef literal = body.take_front(isDoubled ? brace + 1 : brace);
    std::string text;
    if (!decodeEscapes(parser, piece, literal, text))
      return false;
    if (!text.empty())
      parts.push_back({parser.save(StringRef(text)), nullptr, 0, nullptr});
    body = body.drop_front(literal.size() + (isDoubled ? 1 : 0));
    if (isDoubled || body.empty())
      continue;
    if (body[0] == '}') {
      parser.error(DiagId::InvalidFString, parser.spanInSource(body.take_front(1)),
                   "single '}' is not allowed");
      return false;
    }
    size_t taken = parseReplacementField(parser, piece, body, parts);
    if (taken == 0)
      return false;
    body = body.drop_front(taken);
  }
  return true;
}

// The end of the expression that starts at body[1]: its `}`, or a `!`, `:` or `=` outside brackets
// and strings that starts the field's suffix. npos when there is none.
static size_t findExpressionEnd(StringRef body) {
  unsigned open = 0;
  for (size_t i = 1; i < body.size(); ++i) {
    char c = body[i];
    char after = i + 1 < body.size() ? body[i + 1] : '\0';
    if (c == '"' || c == '\'') {
      i = body.find(c, i + 1);
      if (i == StringRef::npos)
        return i;
    } else if (c == '(' || c == '[' || c == '{') {
      ++open;
    } else if (open != 0 && (c == ')' || c == ']' || c == '}')) {
      --open;
    } else if (open == 0 && (c == '}' || c == ':')) {
      return i;
    } else if (open == 0 && StringRef("=!<>").contains(c) && after == '=') {
      ++i;
    } else if (open == 0 && (c == '!' || c == '=')) {
      return i;
    }
  }
  return StringRef::npos;
}

// The matching brace of a suffix that may hold replacement fields.
static size_t findFieldEnd(StringRef body, size_t from) {
  unsigned open = 0;
  for (size_t i = from; i < body.size(); ++i) {
    if (body[i] == '{')
      ++open;
    else if (body[i] == '}' && open-- == 0)
      return i;
  }
  return StringRef::npos;
}

// `body` starts with `{`. Returns the bytes taken, 0 after an error.
static size_t parseReplacementField(Parser &parser, const StringPiece &piece, StringRef body,
                                    llvm::SmallVectorImpl<ast::FStringPart> &parts) {
  size_t end = findExpressionEnd(body);
  size_t close = end == StringRef::npos ? end : findFieldEnd(body, end);
  if (close == StringRef::npos) {
    parser.error(DiagId::InvalidFString, parser.spanInSource(body.take_front(1)),
                 "'{' is never closed");
    return 0;
  }
  StringRef source = body.slice(1, end);
  if (source.trim().empty()) {
    parser.error(DiagId::InvalidFString, parser.spanInSource(body.take_front(1)),
                 "empty expression");
    return 0;
  }
  StringRef suffix = body.slice(end, close);
  ast::FStringPart part;
  if (suffix.consume_front("=")) {
    // `{x = }` prints the source as well.
    StringRef blanks = suffix.take_while(llvm::isSpace);
    std::string text = (source + "=" + blanks).str();
    suffix = suffix.drop_front(blanks.size());
    parts.push_back({parser.save(StringRef(text)), nullptr, 0, nullptr});
    part.conversion = suffix.empty() ? 'r' : 0;
  }
  part.expr = parseEmbedded(parser, source);
  if (!part.expr || !parseFieldSuffix(parser, piece, suffix, part))
    return 0;
  parts.push_back(part);
  return close + 1;
}

// `!r`, `:spec`, both or neither.
static bool parseFieldSuffix(Parser &parser, const StringPiece &piece, StringRef suffix,
                             ast::FStringPart &part) {
  if (suffix.starts_with("!")) {
    bool isKnown = suffix.size() > 1 && StringRef("rsa").contains(suffix[1]);
    bool isAlone = suffix.size() == 2 || (suffix.size() > 2 && suffix[2] == ':');
    if (!isKnown || !isAlone) {
      parser.error(DiagId::InvalidFString, parser.spanInSource(suffix),
                   "a conversion is '!r', '!s' or '!a'");
      return false;
    }
    part.conversion = suffix[1];
    suffix = suffix.drop_front(2);
  }
  if (suffix.empty())
    return true;
  if (!suffix.consume_front(":")) {
    parser.error(DiagId::InvalidFString, parser.spanInSource(suffix), "expected '}'");
    return false;
  }
  llvm::SmallVector<ast::FStringPart, 2> specParts;
  if (!parseFStringBody(parser, piece, suffix, true, specParts))
    return false;
  part.spec =
      parser.makeExpr<ast::FStringExpr>(parser.spanInSource(suffix), parser.save(specParts));
  return part.spec != nullptr;
}

// Parses an expression in the middle of the source with tokens of its own.
static const ast::Expr *parseEmbedded(Parser &parser, StringRef text) {
  Parser::Place outer = parser.enterEmbedded(text);
  const ast::Expr *expr = parseExprList(parser);
  if (expr && !parser.token().is(TokenKind::End))
    expr = parser.expected("the end of the f-string's expression");
  parser.leaveEmbedded(std::move(outer));
  return expr;
}

} // namespace tilescope
