// T.tma_store_wait(pending=n): waits until at most the n newest groups of boxes that this thread
// stores are in flight. What has arrived is seen by this thread. PTX ISA,
// "cp.async.bulk.wait_group".
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyTmaStoreWait(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  if (int64_t pending = op.attr(Attr::Pending); pending < 0)
    check.fail(DiagId::AttributeValue, nameOf(Attr::Pending), check.opName(), pending, "0 or more");
  return check.passed();
}

} // namespace

const OpInfo &infoOfTmaStoreWait() {
  static const AttrInfo Attrs[] = {{Attr::Pending, AttrType::Int}};
  static const OpInfo Info{.attrs = Attrs,
                           .scope = OpScope::Elected,
                           .sync = OpSync::Wait,
                           .queue = AsyncQueue::BulkStore,
                           .verify = verifyTmaStoreWait};
  return Info;
}

} // namespace tilescope
