// T.tma_copy(src, dst, barrier, cluster_mask=0): the copy of a tile of a tensor to shared memory
// that one thread starts and an mbarrier counts; becomes a T.tma_load for each box.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyTmaCopy(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Global});
  check.requireScope(1, {Scope::Shared});
  check.requireSameType(0, 1);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  check.requireMbarrier(2);
  return check.passed();
}

} // namespace

const OpInfo &infoOfTmaCopy() {
  static const OperandInfo Operands[] = {
      {"src", Effect::Read},
      {"dst", Effect::Write},
      {.name = "barrier", .effect = Effect::Read, .isMbarrier = true}};
  static const AttrInfo Attrs[] = {{Attr::ClusterMask, AttrType::Int, /*defaultValue=*/0}};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Elected,
                           .work = OpWork::Move,
                           .async = AsyncWhen::Always,
                           .queue = AsyncQueue::TransactionBarrier,
                           .staysInside = true,
                           .verify = verifyTmaCopy};
  return Info;
}

} // namespace tilescope
