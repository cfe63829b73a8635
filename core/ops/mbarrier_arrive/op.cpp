// T.mbarrier_arrive(barrier, rank=None): each thread that gets here arrives once at an mbarrier;
// what it did before is known to who waits for the phase. With a rank, at that of the block of the
// cluster, of which others then know only what was read before, not what was written. PTX ISA,
// "mbarrier.arrive", "mapa".
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyMbarrierArrive(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireMbarrier(0);
  if (check.arg(0) && !check.arg(0)->dtype().isInteger())
    check.requireArgType(0, DType::int32());
  return check.passed();
}

} // namespace

const OpInfo &infoOfMbarrierArrive() {
  static const OperandInfo Operands[] = {
      {.name = "barrier", .effect = Effect::Read, .isMbarrier = true}};
  static const ArgInfo Args[] = {{.name = "rank", .optional = true}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .scope = OpScope::Thread,
                           .sync = OpSync::Arrive,
                           .rank = 0,
                           .verify = verifyMbarrierArrive};
  return Info;
}

} // namespace tilescope
