// T.wgmma_fence(registers): before the first wgmma that adds to, or multiplies, registers which
// threads have written or read since the last; behind a wait, before anything else touches them.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyWgmmaFence(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Local});
  return check.passed();
}

} // namespace

const OpInfo &infoOfWgmmaFence() {
  static const OperandInfo Operands[] = {{"registers", Effect::Read}};
  static const OpInfo Info{
      .operands = Operands, .scope = OpScope::WarpGroup, .verify = verifyWgmmaFence};
  return Info;
}

} // namespace tilescope
