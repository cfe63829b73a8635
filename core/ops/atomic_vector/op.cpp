// T.atomic_vector(dst[i, 0:4], src[0:4]): one thread adds adjacent elements to adjacent elements,
// each in one step. What instructions there are for pairs and quadruples is for the emitted code to
// know.
#include "core/ir/build.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicVector(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireAtomic(0, AtomicKind::Add);
  check.requireScope(
      1, {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Local, Scope::LocalVar});
  check.requireSameType(0, 1);
  int64_t bits = check.buffer(0).dtype.bits;
  for (size_t operand : {0, 1}) {
    std::optional<int64_t> elements = constantValue(op.regions[operand].ranges.back().extent);
    check.requireRun(operand, bits * (elements == 2 ? 2 : 4));
  }
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicVector() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}, {"src", Effect::Read}};
  static const OpInfo Info{
      .operands = Operands, .scope = OpScope::Thread, .verify = verifyAtomicVector};
  return Info;
}

} // namespace tilescope
