// T.tma_reduce(src, dst, kind="max"): one thread starts to add a box of shared memory to a tensor
// that other blocks add to as well, or to leave there the larger element, ...: each element in one
// step, as part of the thread's open group, which T.tma_store_commit closes. What lies outside of
// the tensor is left out. PTX ISA, "cp.reduce.async.bulk.tensor".
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_check.h"
#include "core/ir/tensor_map_extents.h"

namespace tilescope {

namespace {

bool verifyTmaReduce(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Shared});
  check.requireScope(1, {Scope::Global});
  check.requireSameType(0, 1);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  std::optional<std::string> refusal = refusalOfBox(check, 1, 0);
  if (!refusal)
    refusal = refusalOfReduction(atomicKindOf(op.attr(Attr::Kind)), check.buffer(1).dtype);
  if (refusal)
    check.fail(DiagId::OperandNoTmaBox, check.opName(), *refusal);
  return check.passed();
}

} // namespace

const OpInfo &infoOfTmaReduce() {
  static const OperandInfo Operands[] = {
      {"src", Effect::Read}, {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}};
  static const AttrInfo Attrs[] = {AtomicKindAttr};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Elected,
                           .async = AsyncWhen::Always,
                           .queue = AsyncQueue::BulkStore,
                           .staysInside = true,
                           .verify = verifyTmaReduce};
  return Info;
}

} // namespace tilescope
