#include "core/analysis/sync_nodes.h"

#include "core/analysis/access_slots.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace tilescope {

SyncNodes::SyncNodes(const Function &function, IrAffine &affine,
                     const llvm::SmallVector<const For *> &loops)
    : function_(function), affine_(affine), loops_(loops) {
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      collect(*op);
    return true;
  });
}

void SyncNodes::collect(const OpStmt &op) {
  for (auto [operand, region] : llvm::zip(op.opInfo().operands, op.regions)) {
    auto first = static_cast<uint32_t>(mbarriers_.size());
    bool isInit = operand.isMbarrier && operand.effect == Effect::Write;
    lastInit_ = isInit ? &op : lastInit_;
    if (!isInit || !first_.try_emplace(region.buffer.value, first).second)
      continue;
    const Buffer &buffer = function_.buffer(region.buffer);
    for (int64_t version = 0; version != buffer.versions; ++version) {
      std::string number = buffer.versions > 1 ? "[" + std::to_string(version) + "]" : "";
      mbarriers_.push_back({buffer.name.str() + number, op.attr(Attr::Arrivals)});
    }
  }
}

MbarrierRef SyncNodes::mbarrierOf(const BufferRegion &region) {
  int64_t versions = function_.buffer(region.buffer).versions;
  return mbarrierAt(recogniseSlot(affine_, region.slot, versions, loops_),
                    first_.lookup(region.buffer.value));
}

std::vector<Access> SyncNodes::lastReads() const {
  std::vector<Access> reads;
  for (const Buffer *buffer : function_.buffers)
    for (int64_t version = 0; first_.contains(buffer->id.value) && version != buffer->versions;
         ++version) {
      Access access;
      access.buffer = buffer->id;
      access.slot.offset = version;
      reads.push_back(access);
    }
  return reads;
}

static AccessNode nodeOf(AccessNode::Kind kind, const OpStmt &op) {
  AccessNode node;
  node.kind = kind;
  node.stmt = op.id();
  node.anchor = op.anchor();
  return node;
}

std::vector<AccessNode> SyncNodes::of(const OpStmt &op, bool isDivergent) {
  switch (op.opInfo().sync) {
  case OpSync::Commit:
  case OpSync::Wait: {
    bool isWait = op.opInfo().sync == OpSync::Wait;
    AccessNode node = nodeOf(isWait ? AccessNode::Kind::Wait : AccessNode::Kind::Commit, op);
    node.pending = isWait ? op.attr(Attr::Pending) : 0;
    node.queue = static_cast<uint32_t>(op.opInfo().queue);
    return {node};
  }
  case OpSync::Barrier:
    return ofBarrier(op, isDivergent);
  case OpSync::NamedBarrier:
    return ofNamedBarrier(op);
  case OpSync::ProxyFence:
    return {nodeOf(AccessNode::Kind::ProxyFence, op)};
  case OpSync::ExpectBytes: {
    AccessNode expect = atMbarrier(AccessNode::Kind::Expect, op);
    expect.bytes = op.attr(Attr::Bytes);
    AccessNode arrive = atMbarrier(AccessNode::Kind::Arrive, op);
    arrive.count = 1;
    return {expect, arrive};
  }
  case OpSync::WaitPhase: {
    AccessNode wait = atMbarrier(AccessNode::Kind::WaitPhase, op);
    wait.parity = recogniseParity(affine_, op.args[0], loops_);
    return {wait};
  }
  default:
    llvm::report_fatal_error("no node says what this operation does to the order of others");
  }
}

AccessNode SyncNodes::atMbarrier(AccessNode::Kind kind, const OpStmt &op) {
  AccessNode node = nodeOf(kind, op);
  node.mbarrier = mbarrierOf(op.regions[0]);
  node.oneThread = scopeOf(op) == OpScope::Elected;
  return node;
}

std::vector<AccessNode> SyncNodes::ofBarrier(const OpStmt &op, bool isDivergent) {
  AccessNode node = nodeOf(AccessNode::Kind::Barrier, op);
  node.scope = scopeOf(op) == OpScope::Warp ? BarrierScope::Warp : BarrierScope::Block;
  // One that only some threads of the block reach orders nothing.
  if (node.scope == BarrierScope::Block && isDivergent)
    return {};
  if (node.scope == BarrierScope::Warp && isDivergent) {
    if (!barriersOfOneWarp_)
      barriersOfOneWarp_ = findBarriersOfOneWarp(function_);
    node.isFixed = barriersOfOneWarp_->contains(&op);
  }
  return {node};
}

// Where it is not known who meets, nothing is ordered.
std::vector<AccessNode> SyncNodes::ofNamedBarrier(const OpStmt &op) {
  if (!namedBarriers_)
    namedBarriers_ = findNamedBarriers(function_);
  const NamedBarrierPlace &place = *llvm::find_if(
      *namedBarriers_, [&](const NamedBarrierPlace &known) { return known.op == &op; });
  if (place.meeting != NamedBarrierPlace::Meeting::Fixed)
    return {};
  if (place.isOfAll)
    return {nodeOf(AccessNode::Kind::Barrier, op)};
  AccessNode node = nodeOf(AccessNode::Kind::NamedBarrier, op);
  node.barrierId = op.attr(Attr::Number);
  node.threads = op.attr(Attr::Threads);
  node.isFixed = true;
  return {node};
}

} // namespace tilescope
