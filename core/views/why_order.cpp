#include "core/views/why_order.h"

#include "core/access/flow_graph.h"
#include "core/plan/barrier_hazards.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <limits>
#include <set>

namespace tilescope {

namespace {

bool overlap(const BufferBytes &one, int64_t slot, const BufferBytes &other, int64_t otherSlot) {
  int64_t left = one.offsetBytes + slot * one.strideBytes;
  int64_t right = other.offsetBytes + otherSlot * other.strideBytes;
  return left < right + other.sizeBytes && right < left + one.sizeBytes;
}

bool isHazard(const AccessProgram &program, const BufferBytes &earlier, const BufferBytes &later) {
  auto isOf = [&](const SlotAccess &access, const BufferBytes &bytes) {
    return program.buffers[access.buffer].id == bytes.buffer;
  };
  bool isFound = false;
  forEachHazard(
      program, {},
      [&](const SlotAccess &a, const SlotAccess &b) {
        return isOf(a, earlier) && isOf(b, later) && overlap(earlier, a.slot, later, b.slot);
      },
      [&](const SlotAccess &a, const SlotAccess &b, const llvm::BitVector & /*sites*/) {
        isFound |= isOf(a, earlier) && isOf(b, later);
      });
  return isFound;
}

class OrderWalk {
public:
  OrderWalk(const AccessProgram &program, const BufferBytes &earlier, const BufferBytes &later)
      : program_(program), graph_(buildFlowGraph(program)), nextLeaves_(graph_.vertices.size()),
        begun_(graph_.vertices.size(), Never) {
    for (uint32_t vertex = 0; vertex != graph_.vertices.size(); ++vertex)
      if (isLeaf(vertex))
        addNextLeaves(vertex, vertex);
    order_.slots = slotsUnder(earlier, later);
    order_.areAll = order_.slots.size() == static_cast<size_t>(versionsOf(earlier.buffer));
    std::vector<uint32_t> from = accessesOf(earlier.buffer, order_.slots);
    std::vector<uint32_t> to = accessesOf(later.buffer, slotsUnder(later, earlier));
    countIterations(from);
    addBarriers(to);
  }

  WhyOrder order() const { return order_; }

private:
  static constexpr int64_t Never = std::numeric_limits<int64_t>::max();

  bool isLeaf(uint32_t vertex) const {
    return graph_.vertices[vertex].kind == FlowVertex::Kind::Leaf;
  }

  int64_t versionsOf(BufferId id) const {
    std::optional<size_t> index = indexOf(program_, id);
    return index ? std::max<int64_t>(program_.buffers[*index].versions, 1) : 0;
  }

  std::vector<int64_t> slotsUnder(const BufferBytes &one, const BufferBytes &other) const {
    std::vector<int64_t> slots;
    for (int64_t slot = 0; slot != versionsOf(one.buffer); ++slot)
      for (int64_t above = 0; above != versionsOf(other.buffer); ++above)
        if (overlap(one, slot, other, above)) {
          slots.push_back(slot);
          break;
        }
    return slots;
  }

  std::vector<uint32_t> accessesOf(BufferId buffer, llvm::ArrayRef<int64_t> slots) const {
    std::vector<uint32_t> vertices;
    for (uint32_t index = 0; index != graph_.vertices.size(); ++index) {
      const FlowVertex &vertex = graph_.vertices[index];
      if (isLeaf(index) &&
          llvm::any_of(program_.nodes[vertex.node].accesses, [&](const Access &access) {
            SlotRange range = graph_.slotsOf(access, versionsOf(buffer), vertex);
            return access.buffer == buffer && llvm::any_of(slots, [&](int64_t slot) {
                     return range.first <= slot && slot < range.last;
                   });
          }))
        vertices.push_back(index);
    }
    return vertices;
  }

  // Past sites and junctions, each of which is looked at once.
  void addNextLeaves(uint32_t leaf, uint32_t start) {
    std::vector<uint32_t> pending = {start};
    std::set<uint32_t> seen;
    while (!pending.empty()) {
      uint32_t vertex = pending.back();
      pending.pop_back();
      for (uint32_t next : graph_.vertices[vertex].successors) {
        if (!seen.insert(next).second)
          continue;
        if (isLeaf(next))
          nextLeaves_[leaf].push_back(next);
        else
          pending.push_back(next);
      }
    }
  }

  // A way back to an earlier point begins an iteration.
  void countIterations(llvm::ArrayRef<uint32_t> from) {
    std::deque<uint32_t> pending(from.begin(), from.end());
    for (uint32_t vertex : from)
      begun_[vertex] = 0;
    while (!pending.empty()) {
      uint32_t vertex = pending.front();
      pending.pop_front();
      for (uint32_t next : nextLeaves_[vertex]) {
        bool isBack = graph_.vertices[next].index <= graph_.vertices[vertex].index;
        if (begun_[vertex] + isBack >= begun_[next])
          continue;
        begun_[next] = begun_[vertex] + isBack;
        isBack ? pending.push_back(next) : pending.push_front(next);
      }
    }
  }

  // Backwards from the later buffer's first accesses, as far as the first barrier.
  void addBarriers(llvm::ArrayRef<uint32_t> to) {
    std::vector<std::vector<uint32_t>> before(graph_.vertices.size());
    for (uint32_t vertex = 0; vertex != graph_.vertices.size(); ++vertex)
      for (uint32_t next : nextLeaves_[vertex])
        before[next].push_back(vertex);
    order_.iterations = Never;
    std::set<ProgramPoint> barriers;
    std::vector<bool> isSeen(graph_.vertices.size(), false);
    std::vector<uint32_t> pending;
    for (uint32_t vertex : to)
      if (begun_[vertex] != Never) {
        order_.iterations = std::min(order_.iterations, begun_[vertex]);
        pending.push_back(vertex);
      }
    while (!pending.empty()) {
      uint32_t vertex = pending.back();
      pending.pop_back();
      for (uint32_t previous : before[vertex]) {
        if (begun_[previous] == Never || isSeen[previous])
          continue;
        isSeen[previous] = true;
        const AccessNode &node = program_.nodes[graph_.vertices[previous].node];
        if (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block)
          barriers.insert(graph_.vertices[previous].index);
        else
          pending.push_back(previous);
      }
    }
    order_.barriers.assign(barriers.begin(), barriers.end());
    if (order_.iterations == Never)
      order_.iterations = 0;
  }

  const AccessProgram &program_;
  FlowGraph graph_;
  std::vector<std::vector<uint32_t>> nextLeaves_; // per leaf
  std::vector<int64_t> begun_; // per leaf: iterations since the earlier buffer's access
  WhyOrder order_;
};

} // namespace

std::optional<WhyOrder> whyOrder(const AccessProgram &program, const BufferBytes &earlier,
                                 const BufferBytes &later) {
  if (isHazard(program, earlier, later))
    return std::nullopt;
  return OrderWalk(program, earlier, later).order();
}

} // namespace tilescope
