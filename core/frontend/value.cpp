#include "core/frontend/value.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

double Value::asDouble() const {
  if (const auto *big = as<BigIntObject>()) {
    llvm::APFloat value(llvm::APFloat::IEEEdouble());
    value.convertFromAPInt(big->value, true, llvm::APFloat::rmNearestTiesToEven);
    return value.convertToDouble();
  }
  return isFloat() ? float_ : static_cast<double>(asInt());
}

int64_t RangeObject::size() const {
  // The distance may need 65 bits.
  __int128 distance = static_cast<__int128>(stop) - start;
  __int128 stride = step;
  if ((stride > 0) != (distance > 0) || distance == 0)
    return 0;
  __int128 count = (distance + stride + (stride > 0 ? -1 : 1)) / stride;
  return static_cast<int64_t>(std::min<__int128>(count, INT64_MAX));
}

namespace {

struct KindName {
  ValueKind kind;
  llvm::StringLiteral name;
};
// Of the kinds whose name says nothing of the value.
constexpr KindName KindNames[] = {
    {ValueKind::Invalid, "error"},
    {ValueKind::Poison, "error"},
    {ValueKind::None, "None"},
    {ValueKind::Bool, "bool"},
    {ValueKind::Int, "int"},
    {ValueKind::Float, "float"},
    {ValueKind::Ellipsis, "ellipsis"},
    {ValueKind::BigInt, "int"},
    {ValueKind::String, "str"},
    {ValueKind::Tuple, "tuple"},
    {ValueKind::List, "list"},
    {ValueKind::Set, "set"},
    {ValueKind::Dict, "dict"},
    {ValueKind::Range, "range"},
    {ValueKind::Slice, "slice"},
    {ValueKind::DType, "dtype"},
    {ValueKind::Function, "function"},
    {ValueKind::BoundMethod, "function"},
    {ValueKind::Builtin, "function"},
    {ValueKind::Namespace, "module"},
    {ValueKind::Module, "module"},
    {ValueKind::Class, "class"},
    {ValueKind::ExceptionType, "exception type"},
    {ValueKind::Partial, "function"},
    {ValueKind::Buffer, "buffer"},
    {ValueKind::Region, "buffer slice"},
    {ValueKind::TensorType, "tensor type"},
    {ValueKind::TensorArgument, "tensor argument"},
    {ValueKind::Pointer, "pointer"},
    {ValueKind::Loop, "loop"},
    {ValueKind::Launch, "T.Kernel"},
    {ValueKind::Role, "T.ws"},
    {ValueKind::Layout, "layout"},
    {ValueKind::Generator, "generator"},
    {ValueKind::HostTensor, "tensor of the host"},
};

} // namespace

std::string typeName(const Value &value) {
  switch (value.kind()) {
  case ValueKind::Expr:
    return value.asExpr()->dtype().name() + " expression";
  case ValueKind::Vector: {
    const std::vector<const tilescope::Expr *> &lanes = value.as<VectorObject>()->lanes;
    return lanes.front()->dtype().name() + "x" + std::to_string(lanes.size()) + " vector";
  }
  case ValueKind::Enum:
    return value.as<EnumObject>()->type;
  case ValueKind::Opaque:
    return "'" + value.as<OpaqueObject>()->path + "'";
  case ValueKind::Instance:
    return value.as<InstanceObject>()->type->name;
  case ValueKind::Exception:
    return value.as<ExceptionObject>()->type;
  default:
    break;
  }
  for (const KindName &entry : KindNames)
    if (entry.kind == value.kind())
      return entry.name.str();
  return "value";
}

std::string phraseFor(const Value &value) {
  std::string name = typeName(value);
  bool isProper = value.isNone() || value.is(ValueKind::Opaque) || value.is(ValueKind::Launch) ||
                  value.is(ValueKind::Role);
  if (isProper)
    return name;
  if (value.isBigInt())
    return "an int past 64 bits";
  bool startsWithVowel = llvm::StringRef("aeiou").contains(llvm::toLower(name[0])) &&
                         !llvm::StringRef(name).starts_with("ui");
  return (startsWithVowel ? "an " : "a ") + name;
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

Value plainOf(const Value &value) {
  const auto *member = value.as<EnumObject>();
  return member && member->owner && member->owner->hasPlainMembers ? member->value : value;
}

std::optional<llvm::StringRef> textOf(const Value &value) {
  if (const auto *string = value.as<StringObject>())
    return llvm::StringRef(string->text);
  if (const auto *dtype = value.as<DTypeObject>())
    return llvm::StringRef(dtype->name);
  return std::nullopt;
}

// Deeper tuples than this are no keys, as those that hold themselves.
constexpr unsigned MaxKeyDepth = 100;

static bool isHashableWithin(const Value &value, unsigned depth, unsigned &visits) {
  if (visits == 0)
    return false;
  --visits;
  const auto *tuple = value.as<TupleObject>();
  if (!tuple)
    return !value.is(ValueKind::List) && !value.is(ValueKind::Set) && !value.is(ValueKind::Dict);
  return depth < MaxKeyDepth &&
         llvm::all_of(
             tuple->items,
             [&](const Value &item) { return isHashableWithin(item, depth + 1, visits); });
}

bool isHashable(const Value &value) {
  unsigned visits = 1'000'000;
  return isHashableWithin(value, 0, visits);
}

} // namespace tilescope::frontend
