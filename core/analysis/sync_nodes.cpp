#include "core/analysis/sync_nodes.h"

#include "core/ir/content_key.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace tilescope {

SyncNodes::SyncNodes(const Function &function, IrAffine &affine,
                     const llvm::SmallVector<const For *> &loops)
    : function_(function), affine_(affine), loops_(loops) {
  collectUnder(function.body, true);
}

void SyncNodes::collectUnder(const Stmt *stmt, bool isOnce) {
  if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
    collect(*op, isOnce);
  isOnce &= !llvm::isa<For, If, Role, Parallel>(stmt);
  forEachChild(stmt, [&](const Stmt *child) { collectUnder(child, isOnce); });
}

// Phases are counted from the only init of an mbarrier, before all that uses it; of others, and of
// those at which other blocks arrive, it is not known how many arrivals a phase takes.
void SyncNodes::collect(const OpStmt &op, bool isOnce) {
  if (rankOf(op) && first_.contains(op.regions[0].buffer.value)) {
    const Buffer &reached = function_.buffer(op.regions[0].buffer);
    for (AccessMbarrier &mbarrier :
         llvm::MutableArrayRef(mbarriers_)
             .slice(first_.lookup(reached.id.value), static_cast<size_t>(barriersOf(reached))))
      mbarrier.arrivals = 0;
  }
  for (auto [operand, region] : llvm::zip(op.opInfo().operands, op.regions)) {
    auto first = static_cast<uint32_t>(mbarriers_.size());
    bool isInit = operand.isMbarrier && operand.effect == Effect::Write;
    lastInit_ = isInit ? &op : lastInit_;
    if (!isInit)
      continue;
    auto [known, isNew] = first_.try_emplace(region.buffer.value, first);
    const Buffer &buffer = function_.buffer(region.buffer);
    int64_t count = barriersOf(buffer);
    for (int64_t number = 0; isNew && number != count; ++number)
      mbarriers_.push_back(
          {buffer.name.str() + (count > 1 ? "[" + std::to_string(number) + "]" : ""), 0});
    const Expr *which = whichOf(region, buffer);
    std::optional<int64_t> number = which ? constantValue(which) : 0;
    for (int64_t other = 0; other != count; ++other) {
      uint32_t mbarrier = known->second + static_cast<uint32_t>(other);
      if (number && *number != other)
        continue;
      bool isOnlyOne = isOnce && number && initialised_.insert(mbarrier).second;
      mbarriers_[mbarrier].arrivals = isOnlyOne ? op.attr(Attr::Arrivals) : 0;
    }
  }
}

// Versions of a buffer of one element, or elements of one without versions.
int64_t SyncNodes::barriersOf(const Buffer &buffer) {
  if (buffer.versions > 1 || buffer.shape.empty())
    return buffer.versions;
  return constantValue(buffer.shape.back()).value_or(1);
}

const Expr *SyncNodes::whichOf(const BufferRegion &region, const Buffer &buffer) {
  return buffer.versions > 1 || region.ranges.empty() ? region.slot : region.ranges.back().min;
}

MbarrierRef SyncNodes::mbarrierOf(const BufferRegion &region) {
  auto known = first_.find(region.buffer.value);
  if (known == first_.end()) // nothing initialises it
    return {.modulus = 0};
  const Buffer &buffer = function_.buffer(region.buffer);
  return recogniseMbarrier(affine_, whichOf(region, buffer), barriersOf(buffer), known->second,
                           loops_);
}

std::optional<OpenCounter> SyncNodes::openMbarrier(const BufferRegion &region) {
  const Buffer &buffer = function_.buffer(region.buffer);
  const Expr *which = whichOf(region, buffer);
  if (!which || !first_.contains(region.buffer.value))
    return std::nullopt;
  return openSlot(affine_, which, barriersOf(buffer), loops_);
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
    node.oneThread = scopeOf(op) == OpScope::Elected;
    return {node};
  }
  case OpSync::Barrier:
    return ofBarrier(op, isDivergent);
  case OpSync::NamedBarrier:
    return ofNamedBarrier(op);
  case OpSync::ProxyFence:
    return {nodeOf(AccessNode::Kind::ProxyFence, op)};
  case OpSync::Arrive: {
    if (rankOf(op))
      return {};
    AccessNode arrive = atMbarrier(AccessNode::Kind::Arrive, op);
    arrive.count = 1;
    return {arrive};
  }
  case OpSync::Expect:
  case OpSync::ExpectBytes: {
    AccessNode expect = atMbarrier(AccessNode::Kind::Expect, op);
    expect.bytes = op.attr(Attr::Bytes);
    if (op.opInfo().sync == OpSync::Expect)
      return {expect};
    AccessNode arrive = atMbarrier(AccessNode::Kind::Arrive, op);
    arrive.count = 1;
    return {expect, arrive};
  }
  case OpSync::WaitPhase: {
    AccessNode wait = atMbarrier(AccessNode::Kind::WaitPhase, op);
    wait.parity = recogniseParity(affine_, op.args[0], loops_);
    return {wait};
  }
  case OpSync::ClusterArrive:
  case OpSync::ClusterWait:
  case OpSync::EarlierLaunches:
  case OpSync::NextLaunch: // nothing that the threads of a block touch of each other's
    return {};
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
    namedBarriers_ = affine_.context().cached<std::vector<NamedBarrierPlace>>(
        contentKey(function_), [&] { return findNamedBarriers(function_); });
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
