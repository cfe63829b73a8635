// T.mbarrier_arrive(barrier): each thread that gets here arrives once at an mbarrier; what it did
// before is known to who waits for the phase. PTX ISA, "mbarrier.arrive".
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyMbarrierArrive(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireMbarrier(0);
  return check.passed();
}

} // namespace

const OpInfo &infoOfMbarrierArrive() {
  static const OperandInfo Operands[] = {
      {.name = "barrier", .effect = Effect::Read, .isMbarrier = true}};
  static const OpInfo Info{.operands = Operands,
                           .scope = OpScope::Thread,
                           .sync = OpSync::Arrive,
                           .verify = verifyMbarrierArrive};
  return Info;
}

} // namespace tilescope
