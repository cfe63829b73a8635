// T.atomic_vector(dst[i, 0:4], src[0:4], bytes=16): one thread adds adjacent elements to adjacent
// elements, each in one step. Where `bytes` is not 0, elements of so many bytes are added by one
// instruction: the destination's address is a multiple of it. Where it is 0, what instructions
// there are for pairs and quadruples is for the emitted code to know.
#include "core/ir/build.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

// Types of which several are added by one instruction.
bool hasVectorSum(DType dtype) {
  return dtype == DType::float32() || (dtype.isFloat() && dtype.bits == 16);
}

bool verifyAtomicVector(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireAtomic(0, AtomicKind::Add);
  check.requireScope(
      1, {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Local, Scope::LocalVar});
  check.requireSameType(0, 1);
  DType dtype = check.buffer(0).dtype;
  int64_t elements = constantValue(op.regions[0].ranges.back().extent).value_or(0);
  for (size_t operand : {0, 1})
    check.requireRun(operand, dtype.bits * (elements == 2 || elements == 8 ? elements : 4));
  llvm::SmallVector<int64_t> legal = {0};
  if (check.buffer(0).scope == Scope::Global && hasVectorSum(dtype))
    for (int64_t count = 2; count <= elements && dtype.bytes(count) <= 16; count *= 2)
      legal.push_back(dtype.bytes(count));
  check.requireAttr(Attr::Bytes, legal);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicVector() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}, {"src", Effect::Read}};
  static const AttrInfo Attrs[] = {{Attr::Bytes, AttrType::Int, /*defaultValue=*/0}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Thread, .verify = verifyAtomicVector};
  return Info;
}

} // namespace tilescope
