// T.atomic_add(dst, src): adds a tile to memory that other blocks add to as well. Axes of extent 1
// may be added or left out on either side.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicAdd(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Global, Scope::Shared, Scope::SharedStatic});
  check.requireAtomicSum(0);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicAdd() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}, {"src", Effect::Read}};
  static const OpInfo Info{.operands = Operands, .verify = verifyAtomicAdd};
  return Info;
}

} // namespace tilescope
