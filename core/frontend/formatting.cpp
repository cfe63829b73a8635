// f-strings, format specs, `%` formatting.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

namespace tilescope::frontend {

namespace {

// [[fill]align][sign][#][0][width][,][.precision][type]
struct FormatSpec {
  char fill = ' ';
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
  if (text.size() > 1 && llvm::StringRef("<>^=").contains(text[1])) {
    spec.fill = text[0];
    spec.align = text[1];
    text = text.drop_front(2);
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
    spec.fill = spec.align ? spec.fill : '0';
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
  spec.type = text.empty() ? 0 : text[0];
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
    case 'b': {
      for (uint64_t rest = magnitude; rest != 0 || out.empty(); rest >>= 1)
        out.insert(out.begin(), static_cast<char>('0' + (rest & 1)));
      return (spec.hasPrefix ? "0b" : "") + out;
    }
    default:
      return std::nullopt;
    }
  }
  double magnitude = std::abs(value.asDouble()) * (spec.type == '%' ? 100 : 1);
  if (spec.type == 0 && !spec.precision)
    return strOf(Value::floating(magnitude));
  char type = spec.type == '%' ? 'f' : spec.type == 0 ? 'g' : spec.type;
  int precision = static_cast<int>(spec.precision.value_or(6));
  char pattern[] = {'%', '.', '*', type, '\0'};
  if (!llvm::StringRef("eEfFgG").contains(type))
    return std::nullopt;
  stream << llvm::format(pattern, precision, magnitude);
  return out + (spec.type == '%' ? "%" : "");
}

std::string pad(const std::string &sign, const std::string &body, const FormatSpec &spec,
                char defaultAlign) {
  size_t length = sign.size() + body.size();
  if (length >= spec.width)
    return sign + body;
  size_t missing = spec.width - length;
  char align = spec.align ? spec.align : defaultAlign;
  if (align == '=')
    return sign + std::string(missing, spec.fill) + body;
  size_t left = align == '>' ? missing : align == '^' ? missing / 2 : 0;
  return std::string(left, spec.fill) + sign + body + std::string(missing - left, spec.fill);
}

std::optional<std::string> formatValue(const Value &value, llvm::StringRef text) {
  std::optional<FormatSpec> spec = parseSpec(text);
  if (!spec)
    return std::nullopt;
  if (!value.isNumber() || (value.isBool() && spec->type == 0)) {
    if (spec->type != 0 && spec->type != 's')
      return std::nullopt;
    std::string body = strOf(value);
    if (spec->precision)
      body.resize(std::min<size_t>(body.size(), *spec->precision));
    return pad("", body, *spec, '<');
  }
  std::optional<std::string> body = formatMagnitude(value, *spec);
  if (!body)
    return std::nullopt;
  bool isNegative = value.isFloat() ? std::signbit(value.asDouble()) : value.asInt() < 0;
  std::string sign = isNegative ? "-" : spec->sign == '-' ? "" : std::string(1, spec->sign);
  return pad(sign, spec->hasThousands ? groupThousands(*body) : *body, *spec, '>');
}

} // namespace

std::optional<std::string> Interpreter::format(Value value, llvm::StringRef spec, Span span) {
  if (spec.empty())
    return strOf(value);
  std::optional<std::string> out = formatValue(value, spec);
  if (!out)
    fail(DiagId::BadFormat, span, spec, phraseFor(value));
  return out;
}

std::optional<std::string> Interpreter::formatPart(const ast::FStringPart &part) {
  if (!part.expr)
    return part.text.str();
  Value value = eval(part.expr);
  if (!value)
    return std::nullopt;
  std::string spec;
  if (part.spec) {
    Value text = eval(part.spec);
    if (!text)
      return std::nullopt;
    spec = strOf(text);
  }
  if (part.conversion == 'r' || part.conversion == 'a')
    value = string(reprOf(value));
  else if (part.conversion == 's')
    value = string(strOf(value));
  return format(value, spec, part.expr->span);
}

Value Interpreter::evalFString(const ast::FStringExpr &string) {
  std::string out;
  for (const ast::FStringPart &part : string.parts) {
    std::optional<std::string> text = formatPart(part);
    if (!text || !chargeLength(out.size() + text->size(), string.span))
      return Value();
    out += *text;
  }
  return this->string(std::move(out));
}

// `"%d of %s" % (a, b)`
Value Interpreter::formatPercent(const std::string &format, Value values, Span span) {
  Values items{values};
  if (const auto *tuple = values.as<TupleObject>())
    items = tuple->items;
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    size_t end = format.find_first_not_of("-+ #0123456789.", i + 1);
    if (end == std::string::npos)
      return fail(DiagId::BadFormat, span, format, "a str");
    char type = format[end];
    std::string spec = format.substr(i + 1, end - i - 1);
    i = end;
    if (type == '%') {
      out += '%';
      continue;
    }
    if (next >= items.size())
      return fail(DiagId::UnpackCount, span, next + 1, items.size());
    Value item = items[next++];
    if (type == 's' || type == 'r')
      item = string(type == 's' ? strOf(item) : reprOf(item));
    else
      spec += type == 'i' ? 'd' : type;
    std::optional<std::string> text = this->format(item, spec, span);
    if (!text || !chargeLength(out.size() + text->size(), span))
      return Value();
    out += *text;
  }
  return string(std::move(out));
}

} // namespace tilescope::frontend
