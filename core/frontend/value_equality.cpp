// `==` and `is` of values.
#include "core/frontend/builtins.h"
#include "core/frontend/value.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tilescope::frontend {

namespace {

// Containers may hold themselves, or one another so often that a full walk never ends.
class Comparison {
public:
  Comparison(uint64_t &work, uint64_t maxWork) : work_(work), maxWork_(maxWork) {}

  bool areEqual(const Value &a, const Value &b);
  bool isUndecided() const { return isUndecided_; }

private:
  static constexpr unsigned MaxDepth = 100;

  bool spend(uint64_t amount);
  bool areEqualItems(const Values &a, const Values &b);
  bool areEqualSets(const SetObject &a, const SetObject &b);
  bool areEqualDicts(const DictObject &a, const DictObject &b);
  bool areEqualInstances(const InstanceObject &a, const InstanceObject &b);
  bool areEqualObjects(const Value &a, const Value &b);

  uint64_t &work_;
  uint64_t maxWork_;
  unsigned depth_ = 0;
  bool isUndecided_ = false;
};

} // namespace

// False, here and in all that follows, when the work is used up.
bool Comparison::spend(uint64_t amount) {
  work_ += amount;
  isUndecided_ |= work_ > maxWork_;
  return !isUndecided_;
}

bool Comparison::areEqualItems(const Values &a, const Values &b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [&](const Value &x, const Value &y) { return areEqual(x, y); });
}

bool Comparison::areEqualSets(const SetObject &a, const SetObject &b) {
  return a.items.size() == b.items.size() && llvm::all_of(a.items, [&](const Value &item) {
           return llvm::any_of(b.items, [&](const Value &other) { return areEqual(item, other); });
         });
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

bool Comparison::areEqualInstances(const InstanceObject &a, const InstanceObject &b) {
  return a.type == b.type && a.type->isDataclass &&
         llvm::all_of(a.type->fields, [&](const std::string &field) {
           return areEqual(a.attributes.lookup(field), b.attributes.lookup(field));
         });
}

bool Comparison::areEqual(const Value &left, const Value &right) {
  if (!spend(1))
    return false;
  Value a = plainOf(left), b = plainOf(right);
  if (a.isNumber() && b.isNumber())
    return orderOfNumbers(a, b) == 0;
  if (a.object() && a.object() == b.object())
    return true;
  if (std::optional<llvm::StringRef> text = textOf(a)) {
    std::optional<llvm::StringRef> other = textOf(b);
    return other && text->size() == other->size() && spend(text->size()) && *text == *other;
  }
  if (a.kind() != b.kind())
    return false;
  if (depth_ == MaxDepth)
    return spend(maxWork_);
  ++depth_;
  bool equal = areEqualObjects(a, b);
  --depth_;
  return equal;
}

bool Comparison::areEqualObjects(const Value &a, const Value &b) {
  if (const auto *set = a.as<SetObject>())
    return areEqualSets(*set, *b.as<SetObject>());
  if (const Values *items = sequenceItems(a))
    return areEqualItems(*items, *sequenceItems(b));
  if (const auto *dict = a.as<DictObject>())
    return areEqualDicts(*dict, *b.as<DictObject>());
  if (const auto *instance = a.as<InstanceObject>())
    return areEqualInstances(*instance, *b.as<InstanceObject>());
  if (const auto *range = a.as<RangeObject>()) {
    const auto &other = *b.as<RangeObject>();
    return range->size() == other.size() &&
           (range->size() == 0 ||
            (range->start == other.start && (range->size() == 1 || range->step == other.step)));
  }
  if (const auto *member = a.as<EnumObject>())
    return member->type == b.as<EnumObject>()->type && member->name == b.as<EnumObject>()->name;
  return areSame(a, b);
}

std::optional<bool> areEqual(const Value &a, const Value &b, uint64_t &work, uint64_t maxWork) {
  Comparison comparison(work, maxWork);
  bool equal = comparison.areEqual(a, b);
  return comparison.isUndecided() ? std::nullopt : std::optional(equal);
}

static llvm::APSInt wholeOf(const Value &value) {
  if (const auto *big = value.as<BigIntObject>())
    return big->value;
  return llvm::APSInt::get(value.asInt());
}

// Order of a whole number and a float, without rounding either.
static int orderOfMixed(const Value &whole, double number) {
  if (std::isinf(number))
    return number > 0 ? -1 : 1;
  // Whole numbers of doubles fit 1025 bits.
  llvm::APSInt floor(1088, false);
  bool isExact = false;
  llvm::APFloat(number).convertToInteger(floor, llvm::APFloat::rmTowardNegative, &isExact);
  int order = llvm::APSInt::compareValues(wholeOf(whole), floor);
  return order == 0 && !isExact ? -1 : order;
}

std::optional<int> orderOfNumbers(const Value &a, const Value &b) {
  if (a.isIntegral() && b.isIntegral())
    return a.asInt() < b.asInt() ? -1 : a.asInt() > b.asInt();
  if (a.isFloat() && b.isFloat()) {
    if (std::isnan(a.asDouble()) || std::isnan(b.asDouble()))
      return std::nullopt;
    return a.asDouble() < b.asDouble() ? -1 : a.asDouble() > b.asDouble();
  }
  const Value &number = a.isFloat() ? a : b;
  if (!number.isFloat())
    return llvm::APSInt::compareValues(wholeOf(a), wholeOf(b));
  if (std::isnan(number.asDouble()))
    return std::nullopt;
  return a.isFloat() ? -orderOfMixed(b, a.asDouble()) : orderOfMixed(a, b.asDouble());
}

bool areSame(const Value &a, const Value &b) {
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case ValueKind::Bool:
  case ValueKind::Int:
    return a.asInt() == b.asInt();
  case ValueKind::BigInt:
    return a.as<BigIntObject>()->value == b.as<BigIntObject>()->value;
  case ValueKind::Float:
    return a.asDouble() == b.asDouble();
  case ValueKind::Expr:
    return a.asExpr() == b.asExpr();
  case ValueKind::String:
    return a.as<StringObject>()->text == b.as<StringObject>()->text;
  case ValueKind::DType:
    return a.as<DTypeObject>()->dtype == b.as<DTypeObject>()->dtype;
  case ValueKind::ExceptionType:
    return a.as<ExceptionTypeObject>()->name == b.as<ExceptionTypeObject>()->name;
  // Each reading of a name makes an object of its own.
  case ValueKind::Builtin:
    return &a.as<BuiltinObject>()->info == &b.as<BuiltinObject>()->info &&
           a.as<BuiltinObject>()->self.object() == b.as<BuiltinObject>()->self.object();
  case ValueKind::Opaque:
    return a.as<OpaqueObject>()->path == b.as<OpaqueObject>()->path;
  case ValueKind::Enum:
    return a.as<EnumObject>()->type == b.as<EnumObject>()->type &&
           a.as<EnumObject>()->name == b.as<EnumObject>()->name;
  default:
    return a.object() == b.object();
  }
}

} // namespace tilescope::frontend
