#include "core/analysis/sync_nodes.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace tilescope {

std::optional<AccessNode> SyncNodes::nodeOf(const OpStmt &op, bool isDivergent) {
  AccessNode node;
  switch (op.opInfo().sync) {
  case OpSync::Commit:
  case OpSync::Wait: {
    bool isWait = op.opInfo().sync == OpSync::Wait;
    node.kind = isWait ? AccessNode::Kind::Wait : AccessNode::Kind::Commit;
    node.pending = isWait ? op.attr(Attr::Pending) : 0;
    node.queue = static_cast<uint32_t>(op.opInfo().queue);
    return node;
  }
  case OpSync::Barrier:
    return nodeOfBarrier(op, isDivergent);
  case OpSync::NamedBarrier:
    return nodeOfNamed(op);
  case OpSync::ProxyFence:
    node.kind = AccessNode::Kind::ProxyFence;
    return node;
  default:
    llvm::report_fatal_error("no node says what this operation does to the order of others");
  }
}

std::optional<AccessNode> SyncNodes::nodeOfBarrier(const OpStmt &op, bool isDivergent) {
  AccessNode node;
  node.kind = AccessNode::Kind::Barrier;
  node.scope = scopeOf(op) == OpScope::Warp ? BarrierScope::Warp : BarrierScope::Block;
  // One that only some threads of the block reach orders nothing.
  if (node.scope == BarrierScope::Block && isDivergent)
    return std::nullopt;
  node.isFixed =
      node.scope == BarrierScope::Warp && isDivergent && barriersOfOneWarp().contains(&op);
  return node;
}

const llvm::DenseSet<const OpStmt *> &SyncNodes::barriersOfOneWarp() {
  if (!barriersOfOneWarp_)
    barriersOfOneWarp_ = findBarriersOfOneWarp(function_);
  return *barriersOfOneWarp_;
}

std::optional<AccessNode> SyncNodes::nodeOfNamed(const OpStmt &op) {
  if (!namedBarriers_)
    namedBarriers_ = findNamedBarriers(function_);
  const NamedBarrierPlace &place = *llvm::find_if(
      *namedBarriers_, [&](const NamedBarrierPlace &known) { return known.op == &op; });
  if (place.meeting != NamedBarrierPlace::Meeting::Fixed)
    return std::nullopt;
  AccessNode node;
  node.kind = place.isOfAll ? AccessNode::Kind::Barrier : AccessNode::Kind::NamedBarrier;
  if (place.isOfAll)
    return node;
  node.barrierId = op.attr(Attr::Number);
  node.threads = op.attr(Attr::Threads);
  node.isFixed = true;
  return node;
}

} // namespace tilescope
