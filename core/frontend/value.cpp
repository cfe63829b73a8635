#include "core/frontend/value.h"

#include "core/frontend/builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tilescope::frontend {

Value Value::boolean(bool b) {
  Value value(ValueKind::Bool);
  value.bool_ = b;
  return value;
}

Value Value::integer(int64_t i) {
  Value value(ValueKind::Int);
  value.int_ = i;
  return value;
}

Value Value::floating(double f) {
  Value value(ValueKind::Float);
  value.float_ = f;
  return value;
}

Value Value::expr(const tilescope::Expr *expr) {
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr)) {
    if (imm->dtype().isBool())
      return boolean(imm->value != 0);
    if (imm->dtype() == DType::int32())
      return integer(imm->value);
  }
  Value value(ValueKind::Expr);
  value.expr_ = expr;
  return value;
}

double Value::asDouble() const { return isFloat() ? float_ : static_cast<double>(asInt()); }

int64_t RangeObject::size() const {
  // The distance may need 65 bits.
  __int128 distance = static_cast<__int128>(stop) - start;
  __int128 stride = step;
  if ((stride > 0) != (distance > 0) || distance == 0)
    return 0;
  __int128 count = (distance + stride + (stride > 0 ? -1 : 1)) / stride;
  return static_cast<int64_t>(std::min<__int128>(count, INT64_MAX));
}

// flat table
std::string typeName(const Value &value) {
  switch (value.kind()) {
  case ValueKind::Invalid:
  case ValueKind::Poison:
    return "error";
  case ValueKind::None:
    return "None";
  case ValueKind::Bool:
    return "bool";
  case ValueKind::Int:
    return "int";
  case ValueKind::Float:
    return "float";
  case ValueKind::Ellipsis:
    return "ellipsis";
  case ValueKind::Expr:
    return value.asExpr()->dtype().name() + " expression";
  case ValueKind::String:
    return "str";
  case ValueKind::Tuple:
    return "tuple";
  case ValueKind::List:
    return "list";
  case ValueKind::Set:
    return "set";
  case ValueKind::Dict:
    return "dict";
  case ValueKind::Range:
    return "range";
  case ValueKind::Slice:
    return "slice";
  case ValueKind::DType:
    return "dtype";
  case ValueKind::Enum:
    return value.as<EnumObject>()->type;
  case ValueKind::Function:
  case ValueKind::BoundMethod:
  case ValueKind::Builtin:
    return "function";
  case ValueKind::Namespace:
    return "module";
  case ValueKind::Opaque:
    return "'" + value.as<OpaqueObject>()->path + "'";
  case ValueKind::Class:
    return "class";
  case ValueKind::Instance:
    return value.as<InstanceObject>()->type->name;
  case ValueKind::Buffer:
    return "buffer";
  case ValueKind::Region:
    return "buffer slice";
  case ValueKind::TensorType:
    return "tensor type";
  case ValueKind::TensorArgument:
    return "tensor argument";
  case ValueKind::Loop:
    return "loop";
  case ValueKind::Launch:
    return "T.Kernel";
  case ValueKind::Layout:
    return "layout";
  }
  return "value";
}

std::string phraseFor(const Value &value) {
  std::string name = typeName(value);
  bool isProper = value.isNone() || value.is(ValueKind::Opaque) || value.is(ValueKind::Launch);
  if (isProper)
    return name;
  bool startsWithVowel = llvm::StringRef("aeiou").contains(llvm::toLower(name[0])) &&
                         !llvm::StringRef(name).starts_with("ui");
  return (startsWithVowel ? "an " : "a ") + name;
}

// The shortest digits that read back as the same number, as Python prints them.
static std::string floatText(double value) {
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  if (std::isnan(value))
    return "nan";
  std::string text;
  for (int digits = 1; digits <= 17; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    double back = 0;
    if (!llvm::StringRef(text).getAsDouble(back) && back == value)
      break;
  }
  bool isWhole = llvm::StringRef(text).find_first_of(".e") == llvm::StringRef::npos;
  return isWhole ? text + ".0" : text;
}

static std::string quoted(llvm::StringRef text) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    if (c == '\\' || c == quote)
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 32)
      out += "\\x" + llvm::toHex(llvm::StringRef(&c, 1), true);
    else
      out += c;
  }
  return out + quote;
}

namespace {

// Containers may hold themselves, or one another so often that a full walk never ends: a walk has
// a depth and a number of visits, and gives up behind them.
struct WalkBudget {
  unsigned visits = 100'000;
  unsigned depth = 100;

  bool enter() {
    if (visits == 0 || depth == 0)
      return false;
    --visits;
    --depth;
    return true;
  }
  void leave() { ++depth; }
};

class ReprPrinter {
public:
  void print(const Value &value);
  std::string out;

private:
  void printItems(const Values &items, llvm::StringRef open, llvm::StringRef close);
  void printContainer(const Value &value);

  WalkBudget budget_;
};

class Comparison {
public:
  bool areEqual(const Value &a, const Value &b);

private:
  bool areEqualItems(const Values &a, const Values &b);
  bool areEqualDicts(const DictObject &a, const DictObject &b);
  bool areEqualObjects(const Value &a, const Value &b);

  WalkBudget budget_;
};

} // namespace

static std::string simpleRepr(const Value &value) {
  switch (value.kind()) {
  case ValueKind::None:
    return "None";
  case ValueKind::Bool:
    return value.asBool() ? "True" : "False";
  case ValueKind::Int:
    return std::to_string(value.asInt());
  case ValueKind::Float:
    return floatText(value.asDouble());
  case ValueKind::Ellipsis:
    return "...";
  case ValueKind::String:
    return quoted(value.as<StringObject>()->text);
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
  default:
    return "<" + typeName(value) + ">";
  }
}

void ReprPrinter::print(const Value &value) {
  bool isContainer = sequenceItems(value) || value.is(ValueKind::Dict);
  if (!isContainer) {
    out += simpleRepr(value);
  } else if (budget_.enter()) {
    printContainer(value);
    budget_.leave();
  } else {
    out += "...";
  }
}

void ReprPrinter::printContainer(const Value &value) {
  if (const auto *tuple = value.as<TupleObject>())
    return printItems(tuple->items, "(", tuple->items.size() == 1 ? ",)" : ")");
  if (const auto *list = value.as<ListObject>())
    return printItems(list->items, "[", "]");
  if (const auto *set = value.as<SetObject>())
    return printItems(set->items, "{", "}");
  out += "{";
  bool isFirst = true;
  for (const auto &[key, item] : value.as<DictObject>()->items) {
    out += isFirst ? "" : ", ";
    isFirst = false;
    print(key);
    out += ": ";
    print(item);
  }
  out += "}";
}

void ReprPrinter::printItems(const Values &items, llvm::StringRef open, llvm::StringRef close) {
  out += open;
  for (size_t i = 0; i < items.size(); ++i) {
    out += i == 0 ? "" : ", ";
    print(items[i]);
  }
  out += close;
}

std::string reprOf(const Value &value) {
  ReprPrinter printer;
  printer.print(value);
  return std::move(printer.out);
}

std::string strOf(const Value &value) {
  if (std::optional<llvm::StringRef> text = textOf(value))
    return text->str();
  return reprOf(value);
}

const Values *sequenceItems(const Value &value) {
  if (const auto *tuple = value.as<TupleObject>())
    return &tuple->items;
  if (const auto *list = value.as<ListObject>())
    return &list->items;
  if (const auto *set = value.as<SetObject>())
    return &set->items;
  return nullptr;
}

std::optional<llvm::StringRef> textOf(const Value &value) {
  if (const auto *string = value.as<StringObject>())
    return llvm::StringRef(string->text);
  if (const auto *dtype = value.as<DTypeObject>())
    return llvm::StringRef(dtype->name);
  return std::nullopt;
}

bool Comparison::areEqualItems(const Values &a, const Values &b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [&](const Value &x, const Value &y) { return areEqual(x, y); });
}

bool Comparison::areEqualDicts(const DictObject &a, const DictObject &b) {
  if (a.items.size() != b.items.size())
    return false;
  return llvm::all_of(a.items, [&](const auto &item) {
    return llvm::any_of(b.items, [&](const auto &other) {
      return areEqual(item.first, other.first) && areEqual(item.second, other.second);
    });
  });
}

bool Comparison::areEqual(const Value &a, const Value &b) {
  if (a.isIntegral() && b.isIntegral())
    return a.asInt() == b.asInt();
  if (a.isNumber() && b.isNumber())
    return a.asDouble() == b.asDouble();
  if (std::optional<llvm::StringRef> text = textOf(a))
    return text == textOf(b);
  if (a.kind() != b.kind())
    return false;
  if (a.object() && a.object() == b.object())
    return true;
  if (!budget_.enter())
    return false;
  bool equal = areEqualObjects(a, b);
  budget_.leave();
  return equal;
}

bool Comparison::areEqualObjects(const Value &a, const Value &b) {
  if (const Values *items = sequenceItems(a))
    return areEqualItems(*items, *sequenceItems(b));
  if (const auto *dict = a.as<DictObject>())
    return areEqualDicts(*dict, *b.as<DictObject>());
  if (const auto *member = a.as<EnumObject>())
    return member->type == b.as<EnumObject>()->type && member->name == b.as<EnumObject>()->name;
  return areSame(a, b);
}

bool areEqual(const Value &a, const Value &b) { return Comparison().areEqual(a, b); }

bool areSame(const Value &a, const Value &b) {
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case ValueKind::Bool:
  case ValueKind::Int:
    return a.asInt() == b.asInt();
  case ValueKind::Float:
    return a.asDouble() == b.asDouble();
  case ValueKind::Expr:
    return a.asExpr() == b.asExpr();
  case ValueKind::String:
    return a.as<StringObject>()->text == b.as<StringObject>()->text;
  case ValueKind::DType:
    return a.as<DTypeObject>()->dtype == b.as<DTypeObject>()->dtype;
  // Each reading of a name makes an object of its own.
  case ValueKind::Builtin:
    return &a.as<BuiltinObject>()->info == &b.as<BuiltinObject>()->info &&
           a.as<BuiltinObject>()->self.object() == b.as<BuiltinObject>()->self.object();
  case ValueKind::Opaque:
    return a.as<OpaqueObject>()->path == b.as<OpaqueObject>()->path;
  default:
    return a.object() == b.object();
  }
}

static bool isHashableWithin(const Value &value, WalkBudget &budget) {
  const auto *tuple = value.as<TupleObject>();
  if (!tuple)
    return !value.is(ValueKind::List) && !value.is(ValueKind::Set) && !value.is(ValueKind::Dict);
  if (!budget.enter())
    return false;
  bool hashable =
      llvm::all_of(tuple->items, [&](const Value &item) { return isHashableWithin(item, budget); });
  budget.leave();
  return hashable;
}

bool isHashable(const Value &value) {
  WalkBudget budget;
  return isHashableWithin(value, budget);
}

} // namespace tilescope::frontend
