// T.mbarrier_wait(barrier, parity): a thread waits until a phase of an mbarrier has ended that has
// this parity, counted from 0; of the argument the lowest bit counts. Of the phase before the first
// the parity is 1. PTX ISA, "mbarrier.try_wait".
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyMbarrierWait(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireMbarrier(0);
  if (!check.arg(0)->dtype().isInteger())
    check.requireArgType(0, DType::int32());
  return check.passed();
}

} // namespace

const OpInfo &infoOfMbarrierWait() {
  static const OperandInfo Operands[] = {
      {.name = "barrier", .effect = Effect::Read, .isMbarrier = true}};
  static const ArgInfo Args[] = {{"parity"}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .scope = OpScope::Thread,
                           .sync = OpSync::WaitPhase,
                           .verify = verifyMbarrierWait};
  return Info;
}

} // namespace tilescope
