// str() and repr() of values.
#include "core/frontend/unicode_text.h"
#include "core/frontend/value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tilescope::frontend {

// The shortest digits that read back as the same number, "d.ddde+XX".
static std::string shortestScientific(double value) {
  std::string text;
  for (int digits = 0; digits < 17; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*e", digits, value);
    double back = 0;
    if (!llvm::StringRef(text).getAsDouble(back) && back == value)
      break;
  }
  return text;
}

// As Python prints it: with an exponent from 1e16 on and below 1e-4.
static std::string floatText(double value) {
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  if (std::isnan(value))
    return "nan";
  std::string text = shortestScientific(value);
  auto [mantissa, exponentText] = llvm::StringRef(text).split('e');
  int exponent = 0;
  exponentText.ltrim('+').getAsInteger(10, exponent);
  if (exponent < -4 || exponent >= 16)
    return text;
  std::string sign = mantissa.consume_front("-") ? "-" : "";
  std::string digits = mantissa.str();
  llvm::erase(digits, '.');
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole)
    return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

namespace {

class TextPrinter {
public:
  explicit TextPrinter(size_t maxBytes) : maxBytes_(maxBytes) {}

  void printRepr(const Value &value);
  void printStr(const Value &value);
  // Whether something was left out.
  bool isCut() const { return isCut_; }
  std::string out;

private:
  // Deeper nesting than this is not printed; keeps the native stack small.
  static constexpr size_t MaxDepth = 100;

  void append(llvm::StringRef text);
  void printQuoted(llvm::StringRef text);
  void printSimple(const Value &value);
  bool printNested(const Value &value);
  void printItems(const Values &items, llvm::StringRef open, llvm::StringRef close);
  void printDict(const DictObject &dict);
  void printFields(const ClassObject &type, llvm::function_ref<Value(size_t)> field);

  size_t maxBytes_;
  bool isCut_ = false;
  llvm::SmallVector<const Object *, 8> open_; // containers being printed
};

} // namespace

void TextPrinter::append(llvm::StringRef text) {
  if (isCut_)
    return;
  if (text.size() <= maxBytes_ - out.size()) {
    out += text;
    return;
  }
  isCut_ = true;
  std::vector<llvm::StringRef> points = codePoints(text.take_front(maxBytes_ - out.size() + 4));
  for (llvm::StringRef point : points) {
    if (point.size() > maxBytes_ - out.size())
      break;
    out += point;
  }
}

void TextPrinter::printQuoted(llvm::StringRef text) {
  bool isDouble = text.contains('\'') && !text.contains('"');
  llvm::StringRef quote = isDouble ? "\"" : "'";
  append(quote);
  for (size_t at = 0; at < text.size() && !isCut_;) {
    size_t plain = text.find_if(
        [&](char c) {
          return static_cast<unsigned char>(c) < 32 || c == '\\' || c == quote[0] || c == 127;
        },
        at);
    append(text.slice(at, plain));
    if (plain >= text.size())
      break;
    char c = text[plain];
    at = plain + 1;
    if (c == '\\' || c == quote[0])
      append(std::string("\\") + c);
    else if (c == '\n' || c == '\t' || c == '\r')
      append(c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
    else
      append("\\x" + llvm::toHex(llvm::StringRef(&c, 1), true));
  }
  append(quote);
}

static std::string simpleRepr(const Value &value) {
  switch (value.kind()) {
  case ValueKind::None:
    return "None";
  case ValueKind::Bool:
    return value.asBool() ? "True" : "False";
  case ValueKind::Int:
    return std::to_string(value.asInt());
  case ValueKind::BigInt:
    return llvm::toString(value.as<BigIntObject>()->value, 10);
  case ValueKind::Float:
    return floatText(value.asDouble());
  case ValueKind::Ellipsis:
    return "...";
  case ValueKind::DType:
    return "'" + value.as<DTypeObject>()->dtype.name() + "'";
  case ValueKind::Enum:
    return value.as<EnumObject>()->type + "." + value.as<EnumObject>()->name;
  case ValueKind::Function:
    return "<function " + value.as<FunctionObject>()->name + ">";
  case ValueKind::Opaque:
    return value.as<OpaqueObject>()->path;
  case ValueKind::Buffer:
    return value.as<BufferObject>()->sourceName;
  case ValueKind::Range: {
    const auto &range = *value.as<RangeObject>();
    std::string step = range.step == 1 ? "" : ", " + std::to_string(range.step);
    return "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop) + step + ")";
  }
  default:
    return "<" + typeName(value) + ">";
  }
}

void TextPrinter::printRepr(const Value &value) {
  if (isCut_)
    return;
  if (const auto *string = value.as<StringObject>())
    return printQuoted(string->text);
  if (!printNested(value))
    append(simpleRepr(value));
}

// What holds other values, each of which may hold it.
bool TextPrinter::printNested(const Value &value) {
  const auto *instance = value.as<InstanceObject>();
  bool isNested = sequenceItems(value) || value.is(ValueKind::Dict) ||
                  value.is(ValueKind::Exception) || (instance && instance->type->isDataclass);
  if (!isNested)
    return false;
  bool isOpen = llvm::is_contained(open_, value.object());
  if (isOpen || open_.size() == MaxDepth) {
    isCut_ |= !isOpen;
    append(value.is(ValueKind::List) ? "[...]" : value.is(ValueKind::Dict) ? "{...}" : "(...)");
    return true;
  }
  open_.push_back(value.object());
  auto close = llvm::make_scope_exit([&] { open_.pop_back(); });
  if (const auto *tuple = value.as<TupleObject>(); tuple && tuple->type)
    printFields(*tuple->type, [&](size_t i) { return tuple->items[i]; });
  else if (tuple)
    printItems(tuple->items, "(", tuple->items.size() == 1 ? ",)" : ")");
  else if (const auto *list = value.as<ListObject>())
    printItems(list->items, "[", "]");
  else if (const auto *set = value.as<SetObject>())
    printItems(set->items, set->items.empty() ? "set(" : "{", set->items.empty() ? ")" : "}");
  else if (const auto *dict = value.as<DictObject>())
    printDict(*dict);
  else if (const auto *exception = value.as<ExceptionObject>())
    printItems(exception->args, exception->type + "(", ")");
  else
    printFields(*instance->type,
                [&](size_t i) { return instance->attributes.lookup(instance->type->fields[i]); });
  return true;
}

void TextPrinter::printItems(const Values &items, llvm::StringRef open, llvm::StringRef close) {
  append(open);
  for (size_t i = 0; i < items.size() && !isCut_; ++i) {
    append(i == 0 ? "" : ", ");
    printRepr(items[i]);
  }
  append(close);
}

void TextPrinter::printDict(const DictObject &dict) {
  append("{");
  bool isFirst = true;
  for (const auto &[key, item] : dict.items) {
    if (isCut_)
      return;
    append(isFirst ? "" : ", ");
    isFirst = false;
    printRepr(key);
    append(": ");
    printRepr(item);
  }
  append("}");
}

void TextPrinter::printFields(const ClassObject &type, llvm::function_ref<Value(size_t)> field) {
  append(type.name + "(");
  for (size_t i = 0; i < type.fields.size(); ++i) {
    append((i == 0 ? "" : ", ") + type.fields[i] + "=");
    printRepr(field(i));
  }
  append(")");
}

void TextPrinter::printStr(const Value &value) {
  if (std::optional<llvm::StringRef> text = textOf(value))
    return append(*text);
  const auto *exception = value.as<ExceptionObject>();
  if (!exception)
    return printRepr(value);
  bool quotes = exception->type == "KeyError" || exception->args.size() > 1;
  if (exception->args.size() == 1)
    return quotes ? printRepr(exception->args[0]) : printStr(exception->args[0]);
  if (!exception->args.empty())
    printItems(exception->args, "(", ")");
}

std::optional<std::string> wholeTextOf(const Value &value, bool asRepr, size_t maxBytes) {
  TextPrinter printer(maxBytes);
  asRepr ? printer.printRepr(value) : printer.printStr(value);
  if (printer.isCut())
    return std::nullopt;
  return std::move(printer.out);
}

static std::string cutTextOf(const Value &value, bool asRepr, size_t maxBytes) {
  TextPrinter printer(maxBytes);
  asRepr ? printer.printRepr(value) : printer.printStr(value);
  return printer.isCut() ? printer.out + "..." : printer.out;
}

std::string reprOf(const Value &value, size_t maxBytes) { return cutTextOf(value, true, maxBytes); }

std::string strOf(const Value &value, size_t maxBytes) { return cutTextOf(value, false, maxBytes); }

} // namespace tilescope::frontend
