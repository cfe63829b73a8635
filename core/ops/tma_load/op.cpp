// T.tma_load(src, dst, barrier, cluster_mask=0): one thread starts the copy of a box of a tensor to
// shared memory, whose bytes an mbarrier counts; elements outside of the tensor arrive as zeros.
// The box lies as core/hopper/tensor_map.h has it. PTX ISA, "cp.async.bulk.tensor".
//
// With a mask of blocks of the cluster, the first of them starts the copy for all: each gets the
// box at the same place of its shared memory, and its bytes are counted by its own mbarrier. The
// others of the mask start nothing, those outside of it copy each for itself.
#include "core/ir/op_check.h"
#include "core/ir/tensor_map_extents.h"

namespace tilescope {

namespace {

bool verifyTmaLoad(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Global});
  check.requireScope(1, {Scope::Shared});
  check.requireSameType(0, 1);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  check.requireMbarrier(2);
  if (std::optional<std::string> refusal = refusalOfBox(check, 0, 1))
    check.fail(DiagId::OperandNoTmaBox, check.opName(), *refusal);
  return check.passed();
}

} // namespace

const OpInfo &infoOfTmaLoad() {
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
                           .verify = verifyTmaLoad};
  return Info;
}

} // namespace tilescope
