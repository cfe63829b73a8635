// T.tma_store(src, dst): one thread starts the copy of a box of shared memory to a tensor, as part
// of its open group, which T.tma_store_commit closes; elements outside of the tensor are left out.
// The box lies as core/hopper/tensor_map.h has it. PTX ISA, "cp.async.bulk.tensor".
#include "core/ir/op_check.h"
#include "core/ir/tensor_map_extents.h"

namespace tilescope {

namespace {

bool verifyTmaStore(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Shared});
  check.requireScope(1, {Scope::Global});
  check.requireSameType(0, 1);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  if (std::optional<std::string> refusal = refusalOfBox(check, 1, 0))
    check.fail(DiagId::OperandNoTmaBox, check.opName(), *refusal);
  return check.passed();
}

} // namespace

const OpInfo &infoOfTmaStore() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const OpInfo Info{.operands = Operands,
                           .scope = OpScope::Elected,
                           .work = OpWork::Move,
                           .async = AsyncWhen::Always,
                           .queue = AsyncQueue::BulkStore,
                           .staysInside = true,
                           .verify = verifyTmaStore};
  return Info;
}

} // namespace tilescope
