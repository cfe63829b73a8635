#include "core/ir/op_check.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

bool mayBeEqual(const Expr *a, const Expr *b) {
  std::optional<int64_t> x = constantValue(a);
  std::optional<int64_t> y = constantValue(b);
  return !x || !y || *x == *y;
}

std::string extentsText(llvm::ArrayRef<const Expr *> extents) {
  auto texts = llvm::map_range(extents, [](const Expr *extent) {
    std::optional<int64_t> value = constantValue(extent);
    return value ? std::to_string(*value) : std::string("?");
  });
  return "(" + llvm::join(texts, ", ") + ")";
}

const Buffer &OpCheck::buffer(size_t operand) const {
  return function_.buffer(op_.regions[operand].buffer);
}

llvm::StringRef OpCheck::operandName(size_t operand) const { return op_.operand(operand).name; }

llvm::SmallVector<const Expr *> OpCheck::extents(size_t operand) const {
  llvm::SmallVector<const Expr *> result;
  for (const Range &range : op_.regions[operand].ranges)
    result.push_back(range.extent);
  return result;
}

llvm::SmallVector<const Expr *> OpCheck::wideExtents(size_t operand) const {
  llvm::SmallVector<const Expr *> result = extents(operand);
  llvm::erase_if(result, [](const Expr *extent) { return constantValue(extent) == 1; });
  return result;
}

void OpCheck::requireScope(size_t operand, llvm::ArrayRef<Scope> allowed) {
  Scope scope = buffer(operand).scope;
  if (llvm::is_contained(allowed, scope))
    return;
  auto names = llvm::map_range(allowed, [](Scope legal) { return nameOf(legal); });
  fail(DiagId::OperandScope, operandName(operand), opName(), nameOf(scope),
       llvm::join(names, " or "));
}

void OpCheck::requireAtomic(size_t operand, AtomicKind kind, DType dtype) {
  requireScope(operand, {Scope::Global, Scope::Shared, Scope::SharedStatic});
  if (buffer(operand).dtype.bits != dtype.bits)
    requireBufferType(operand, dtype);
  bool isOfBits = kind == AtomicKind::Or || kind == AtomicKind::And || kind == AtomicKind::Xor;
  bool isDefined =
      dtype.isFloat() ? dtype.bits >= 16 && !isOfBits : dtype.isInteger() && dtype.bits >= 32;
  if (!isDefined)
    fail(DiagId::OperatorType, opName(), dtype.name());
}

void OpCheck::requireElement(size_t operand) {
  if (!wideExtents(operand).empty())
    fail(DiagId::OperandNoElement, operandName(operand), opName(), extentsText(extents(operand)));
}

void OpCheck::requireMbarrier(size_t operand) {
  requireScope(operand, {Scope::Shared});
  requireBufferType(operand, DType::uint64());
  requireElement(operand);
}

void OpCheck::requireResult(size_t operand, DType dtype) {
  requireScope(operand, {Scope::Local, Scope::LocalVar});
  requireElement(operand);
  if (buffer(operand).dtype != dtype)
    fail(DiagId::ArgumentType, operandName(operand), opName(), buffer(operand).dtype.name(),
         dtype.name());
}

void OpCheck::requireSameType(size_t first, size_t second) {
  DType a = buffer(first).dtype;
  DType b = buffer(second).dtype;
  if (a != b)
    fail(DiagId::OperandTypesDiffer, operandName(first), operandName(second), opName(), a.name(),
         b.name());
}

void OpCheck::requireBufferType(size_t operand, DType dtype) {
  if (buffer(operand).dtype != dtype)
    fail(DiagId::ArgumentType, operandName(operand), opName(), buffer(operand).dtype.name(),
         dtype.name());
}

void OpCheck::requireArgType(size_t index, DType dtype) {
  if (arg(index) && arg(index)->dtype() != dtype)
    fail(DiagId::ArgumentType, op_.opInfo().args[index].name, opName(), arg(index)->dtype().name(),
         dtype.name());
}

void OpCheck::requireSameExtents(size_t first, llvm::ArrayRef<const Expr *> firstExtents,
                                 size_t second, llvm::ArrayRef<const Expr *> secondExtents) {
  if (firstExtents.size() != secondExtents.size() ||
      !std::equal(firstExtents.begin(), firstExtents.end(), secondExtents.begin(), mayBeEqual))
    fail(DiagId::OperandExtentsDiffer, operandName(first), operandName(second), opName(),
         extentsText(firstExtents), extentsText(secondExtents));
}

void OpCheck::requireAttr(Attr attr, llvm::ArrayRef<int64_t> allowed) {
  int64_t value = op_.attr(attr);
  if (llvm::is_contained(allowed, value))
    return;
  auto texts = llvm::map_range(allowed, [](int64_t legal) { return std::to_string(legal); });
  fail(DiagId::AttributeValue, nameOf(attr), opName(), value, llvm::join(texts, " or "));
}

void OpCheck::requireRun(size_t operand, int64_t bits) {
  llvm::SmallVector<const Expr *> all = extents(operand);
  bool isRow = all.empty() || llvm::all_of(llvm::drop_end(all), [](const Expr *extent) {
                 return constantValue(extent) == 1;
               });
  int64_t elements = all.empty() ? 1 : constantValue(all.back()).value_or(0);
  int64_t ownBits = 0;
  bool fits = !__builtin_mul_overflow(elements, int64_t{buffer(operand).dtype.bits}, &ownBits);
  if (!isRow || !fits || ownBits != bits)
    fail(DiagId::OperandRun, operandName(operand), opName(), extentsText(all),
         buffer(operand).dtype.name(), bits / 8);
}

void OpCheck::requireRegister(size_t operand) {
  requireScope(operand, {Scope::Local, Scope::LocalVar});
  requireRun(operand, buffer(operand).dtype.bits);
}

} // namespace tilescope
