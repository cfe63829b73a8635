#include "core/frontend/formatting.h"

#include "core/frontend/expressions.h"
#include "core/frontend/functions.h"
#include "core/frontend/unicode_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

namespace tilescope::frontend {

namespace {

// [[fill]align][sign][#][0][width][,][.precision][type]
struct FormatSpec {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool hasPrefix = false;
  bool hasThousands = false;
  unsigned width = 0;
  std::optional<unsigned> precision;
  char type = 0;
};

constexpr unsigned MaxWidth = 1000;

std::optional<FormatSpec> parseSpec(llvm::StringRef text) {
  FormatSpec spec;
  llvm::StringRef first = takeCodePoints(text, 1);
  llvm::StringRef second = text.drop_front(first.size());
  if (!second.empty() && llvm::StringRef("<>^=").contains(second[0])) {
    spec.fill = first.str();
    spec.align = second[0];
    text = second.drop_front();
  } else if (!text.empty() && llvm::StringRef("<>^=").contains(text[0])) {
    spec.align = text[0];
    text = text.drop_front();
  }
  if (!text.empty() && llvm::StringRef("+- ").contains(text[0])) {
    spec.sign = text[0];
    text = text.drop_front();
  }
  spec.hasPrefix = text.consume_front("#");
  if (text.starts_with("0")) {
    spec.fill = spec.align ? spec.fill : "0";
    spec.align = spec.align ? spec.align : '=';
  }
  llvm::StringRef digits = text.take_while(llvm::isDigit);
  text = text.drop_front(digits.size());
  if (!digits.empty() && (digits.getAsInteger(10, spec.width) || spec.width > MaxWidth))
    return std::nullopt;
  spec.hasThousands = text.consume_front(",") || text.consume_front("_");
  if (text.consume_front(".")) {
    unsigned precision = 0;
    digits = text.take_while(llvm::isDigit);
    text = text.drop_front(digits.size());
    if (digits.getAsInteger(10, precision) || precision > MaxWidth)
      return std::nullopt;
    spec.precision = precision;
  }
  if (text.size() > 1)
    return std::nullopt;
  spec.type = text.empty() ? '\0' : text[0];
  return spec;
}

std::string groupThousands(const std::string &digits) {
  std::string out;
  size_t whole = std::min(digits.find('.'), digits.size());
  for (size_t i = 0; i < digits.size(); ++i) {
    bool isGroupStart = i != 0 && i < whole && (whole - i) % 3 == 0;
    out += isGroupStart ? "," : "";
    out += digits[i];
  }
  return out;
}

// A precision without a type: as 'g', but never like an integer.
std::string generalText(double magnitude, unsigned precision) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*g", static_cast<int>(precision), magnitude);
  bool isWhole = llvm::StringRef(text).find_first_not_of("0123456789") == std::string::npos;
  if (!isWhole)
    return text;
  if (text.size() < std::max(precision, 1u))
    return text + ".0";
  text.clear();
  int digits = static_cast<int>(std::max(precision, 1u)) - 1;
  llvm::raw_string_ostream(text) << llvm::format("%.*e", digits, magnitude);
  auto [mantissa, exponent] = llvm::StringRef(text).split('e');
  if (mantissa.contains('.'))
    mantissa = mantissa.rtrim('0').rtrim('.');
  return (mantissa + "e" + exponent).str();
}

// Without sign.
std::optional<std::string> formatMagnitude(const Value &value, const FormatSpec &spec) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  bool asFloat =
      value.isFloat() || llvm::StringRef("eEfFgG%").contains(spec.type ? spec.type : 'd');
  if (!asFloat) {
    auto magnitude = static_cast<uint64_t>(value.asInt());
    magnitude = value.asInt() < 0 ? 0 - magnitude : magnitude;
    switch (spec.type) {
    case 0:
    case 'd':
    case 'n':
      return std::to_string(magnitude);
    case 'x':
    case 'X':
      return (spec.hasPrefix ? "0x" : "") + llvm::utohexstr(magnitude, spec.type == 'x');
    case 'o':
    case 'b': {
      unsigned bits = spec.type == 'o' ? 3 : 1;
      for (uint64_t rest = magnitude; rest != 0 || out.empty(); rest >>= bits)
        out.insert(out.begin(), static_cast<char>('0' + (rest & ((1u << bits) - 1))));
      return (spec.hasPrefix ? std::string("0") + spec.type : "") + out;
    }
    default:
      return std::nullopt;
    }
  }
  double magnitude = std::abs(value.asDouble()) * (spec.type == '%' ? 100 : 1);
  if (spec.type == 0 && !spec.precision)
    return strOf(Value::floating(magnitude));
  if (spec.type == 0)
    return generalText(magnitude, *spec.precision);
  char type = spec.type == '%' ? 'f' : spec.type;
  int precision = static_cast<int>(spec.precision.value_or(6));
  char pattern[] = {'%', '.', '*', type, '\0'};
  if (!llvm::StringRef("eEfFgG").contains(type))
    return std::nullopt;
  stream << llvm::format(pattern, precision, magnitude);
  return out + (spec.type == '%' ? "%" : "");
}

std::string repeated(const std::string &text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i)
    out += text;
  return out;
}

std::string pad(const std::string &sign, const std::string &body, const FormatSpec &spec,
                char defaultAlign) {
  size_t length = sign.size() + codePointCount(body);
  if (length >= spec.width)
    return sign + body;
  size_t missing = spec.width - length;
  char align = spec.align ? spec.align : defaultAlign;
  if (align == '=')
    return sign + repeated(spec.fill, missing) + body;
  size_t left = align == '>' ? missing : align == '^' ? missing / 2 : 0;
  return repeated(spec.fill, left) + sign + body + repeated(spec.fill, missing - left);
}

// `text` is the value's own, for what is not a number.
std::optional<std::string> formatValue(const Value &value, llvm::StringRef text, std::string body) {
  std::optional<FormatSpec> spec = parseSpec(text);
  if (!spec || value.isBigInt())
    return std::nullopt;
  if (!value.isNumber() || (value.isBool() && spec->type == 0)) {
    if (spec->type != 0 && spec->type != 's')
      return std::nullopt;
    if (spec->precision)
      body = takeCodePoints(body, *spec->precision).str();
    return pad("", body, *spec, '<');
  }
  std::optional<std::string> magnitude = formatMagnitude(value, *spec);
  if (!magnitude)
    return std::nullopt;
  bool isNegative = value.isFloat() ? std::signbit(value.asDouble()) : value.asInt() < 0;
  std::string sign = isNegative ? "-" : spec->sign == '-' ? "" : std::string(1, spec->sign);
  return pad(sign, spec->hasThousands ? groupThousands(*magnitude) : *magnitude, *spec, '>');
}

} // namespace

static Value printedAs(const Value &value) {
  const auto *member = value.as<EnumObject>();
  return member && member->owner && member->owner->hasPlainText ? member->value : value;
}

std::optional<std::string> textOfValue(Evaluation &evaluation, Value value, bool asRepr,
                                       Span span) {
  auto *instance = value.as<InstanceObject>();
  auto *enumMember = value.as<EnumObject>();
  if (ClassObject *type = instance ? instance->type : enumMember ? enumMember->owner : nullptr)
    for (llvm::StringRef method : {"__str__", "__repr__", "__format__"})
      if (memberOf(*type, method)) {
        evaluation.fail(DiagId::NotSupportedYet, span, ("'" + method + "' of a class").str());
        return std::nullopt;
      }
  if (!asRepr)
    value = printedAs(value);
  uint64_t maxLength = evaluation.limits.listLength;
  std::optional<std::string> text = wholeTextOf(value, asRepr, maxLength);
  if (!text)
    evaluation.failForGood(DiagId::EvalLimit, span, "bytes in the text of one value", maxLength,
                           "--max-list-length");
  else
    evaluation.spend(text->size());
  return text;
}

std::optional<std::string> format(Evaluation &evaluation, Value value, llvm::StringRef spec,
                                  Span span) {
  std::optional<std::string> text = textOfValue(evaluation, value, false, span);
  if (spec.empty() || !text)
    return text;
  std::optional<std::string> out = formatValue(printedAs(value), spec, std::move(*text));
  if (!out)
    evaluation.fail(DiagId::BadFormat, span, spec, phraseFor(value));
  return out;
}

static std::optional<std::string> formatPart(Evaluation &evaluation, const ast::FStringPart &part) {
  if (!part.expr)
    return part.text.str();
  Value value = eval(evaluation, part.expr);
  if (!value)
    return std::nullopt;
  std::string spec;
  if (part.spec) {
    Value text = eval(evaluation, part.spec);
    if (!text)
      return std::nullopt;
    spec = strOf(text);
  }
  if (part.conversion) {
    std::optional<std::string> text =
        textOfValue(evaluation, value, part.conversion != 's', part.expr->span);
    if (!text)
      return std::nullopt;
    value = evaluation.heap.string(std::move(*text));
  }
  return format(evaluation, value, spec, part.expr->span);
}

Value evalFString(Evaluation &evaluation, const ast::FStringExpr &string) {
  std::string out;
  for (const ast::FStringPart &part : string.parts) {
    std::optional<std::string> text = formatPart(evaluation, part);
    if (!text || !evaluation.chargeLength(out.size() + text->size(), string.span))
      return Value();
    out += *text;
  }
  return evaluation.heap.string(std::move(out));
}

// What stands between '%' and the type, as a format spec. Here all is aligned to the right, unless
// a '-' says otherwise.
static std::string percentSpec(llvm::StringRef text, char type) {
  llvm::StringRef flags =
      text.take_while([](char c) { return llvm::StringRef("-+ #0").contains(c); });
  bool hasZeros = flags.contains('0') && type != 's' && type != 'r';
  std::string spec(1, flags.contains('-') ? '<' : hasZeros ? '=' : '>');
  if (hasZeros && spec != "<")
    spec = "0" + spec;
  spec += flags.contains('+') ? "+" : flags.contains(' ') ? " " : "";
  spec += flags.contains('#') ? "#" : "";
  return spec + text.drop_front(flags.size()).str();
}

Value formatPercent(Evaluation &evaluation, const std::string &pattern, Value values, Span span) {
  Values items{values};
  if (const auto *tuple = values.as<TupleObject>())
    items = tuple->items;
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    size_t end = pattern.find_first_not_of("-+ #0123456789.", i + 1);
    if (end == std::string::npos)
      return evaluation.fail(DiagId::BadFormat, span, pattern, "a str");
    char type = pattern[end];
    std::string spec = percentSpec(llvm::StringRef(pattern).slice(i + 1, end), type);
    i = end;
    if (type == '%') {
      out += '%';
      continue;
    }
    if (next >= items.size())
      return evaluation.fail(DiagId::UnpackCount, span, next + 1, items.size());
    Value item = items[next++];
    bool isText = type == 's' || type == 'r';
    std::optional<std::string> text;
    if (isText) {
      text = textOfValue(evaluation, item, type == 'r', span);
      item = text ? evaluation.heap.string(std::move(*text)) : Value();
    } else {
      spec += type == 'i' ? 'd' : type;
      item = plainOf(item);
    }
    text = item ? format(evaluation, item, spec, span) : std::nullopt;
    if (!text || !evaluation.chargeLength(out.size() + text->size(), span))
      return Value();
    out += *text;
  }
  return evaluation.heap.string(std::move(out));
}

} // namespace tilescope::frontend
