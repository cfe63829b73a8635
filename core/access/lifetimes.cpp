// Three dataflows over the flow graph, then one pass that joins their facts per program point:
//   reaches (forward): this slot has been written on some path to here;
//   needed (backward): some path from here reads this slot before it is fully rewritten;
//   in flight (forward): how many commit groups are newer than an asynchronous access.
#include "core/access/lifetimes.h"

#include "core/access/flow_graph.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// One bit a (buffer, slot).
struct SlotBits {
  std::vector<unsigned> first; // per buffer; one more at the end
  std::vector<size_t> bufferOf; // per bit

  explicit SlotBits(const AccessProgram &program) {
    first.push_back(0);
    for (const AccessBuffer &buffer : program.buffers) {
      bufferOf.resize(bufferOf.size() + std::max<int64_t>(buffer.versions, 1), first.size() - 1);
      first.push_back(static_cast<unsigned>(bufferOf.size()));
    }
  }
  unsigned count() const { return first.back(); }
  std::pair<unsigned, unsigned> of(size_t buffer, SlotRange slots) const {
    int64_t versions = first[buffer + 1] - first[buffer];
    return {first[buffer] + static_cast<unsigned>(std::clamp<int64_t>(slots.first, 0, versions)),
            first[buffer] + static_cast<unsigned>(std::clamp<int64_t>(slots.last, 0, versions))};
  }
};

// An asynchronous access and the ages of its copies: bit 0 is "not committed", bit n is "in the
// n-th newest committed group". The last bit also stands for all that are older.
using Ages = uint64_t;
constexpr int64_t OldestAge = 63;

Ages commitOnce(Ages ages) { return ages << 1 | (ages & Ages(1) << OldestAge); }

Ages waitUntil(Ages ages, int64_t pending) {
  return pending >= OldestAge ? ages : ages & ((Ages(2) << std::max<int64_t>(pending, 0)) - 1);
}

struct AsyncAccess {
  uint32_t node = 0;
  size_t buffer = 0;
};

// What passing a vertex does to the facts about slots.
struct SlotEffects {
  llvm::BitVector written;   // perhaps, or in part
  llvm::BitVector redefined; // surely and wholly
  llvm::BitVector read;
};

class LifetimeSolver {
public:
  explicit LifetimeSolver(const AccessProgram &program)
      : program_(program), graph_(buildFlowGraph(program)), bits_(program),
        leaves_(leavesInOrder(program)) {
    for (uint32_t leaf : leaves_)
      for (const Access &access : program.nodes[leaf].accesses)
        if (std::optional<size_t> buffer = indexOf(program, access.buffer); buffer && access.async)
          asyncs_.push_back({leaf, *buffer});
    for (const FlowVertex &vertex : graph_.vertices)
      effects_.push_back(effectsOf(vertex));
  }

  Lifetimes solve() {
    solveReaches();
    solveNeeded();
    solveInFlight();
    collectOccupied();
    coverRoles(program_.root);
    return result();
  }

private:
  bool isLeaf(const FlowVertex &vertex) const { return vertex.kind == FlowVertex::Kind::Leaf; }

  SlotEffects effectsOf(const FlowVertex &vertex) const {
    SlotEffects effects;
    for (llvm::BitVector *bits : {&effects.written, &effects.redefined, &effects.read})
      bits->resize(bits_.count());
    if (vertex.kind == FlowVertex::Kind::Redefine)
      for (BufferId id : program_.nodes[vertex.node].redefinesAllSlots)
        if (std::optional<size_t> buffer = indexOf(program_, id))
          effects.redefined.set(bits_.first[*buffer], bits_.first[*buffer + 1]);
    if (!isLeaf(vertex))
      return effects;
    for (const Access &access : program_.nodes[vertex.node].accesses) {
      std::optional<size_t> buffer = indexOf(program_, access.buffer);
      if (!buffer)
        continue;
      SlotRange slots = graph_.slotsOf(access, program_.buffers[*buffer].versions, vertex);
      auto [first, last] = bits_.of(*buffer, slots);
      bool isWrite = access.kind == AccessKind::Write;
      (isWrite ? effects.written : effects.read).set(first, last);
      if (isWrite && access.full && slots.isExact())
        effects.redefined.set(first, last);
    }
    return effects;
  }

  void solveReaches() {
    reaches_.assign(graph_.vertices.size(), llvm::BitVector(bits_.count()));
    llvm::BitVector stale(graph_.vertices.size(), true);
    while (stale.any())
      for (unsigned index : stale.set_bits()) {
        stale.reset(index);
        llvm::BitVector out = reaches_[index];
        out |= effects_[index].written;
        for (uint32_t next : graph_.vertices[index].successors)
          if (out.test(reaches_[next])) {
            reaches_[next] |= out;
            stale.set(next);
          }
      }
  }

  // needed_[v] holds before v: a leaf's reads come before its writes.
  void solveNeeded() {
    needed_.assign(graph_.vertices.size(), llvm::BitVector(bits_.count()));
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t index = graph_.vertices.size(); index-- != 0;) {
        llvm::BitVector needed(bits_.count());
        for (uint32_t next : graph_.vertices[index].successors)
          needed |= needed_[next];
        needed.reset(effects_[index].redefined);
        needed |= effects_[index].read;
        changed |= needed != needed_[index];
        needed_[index] = std::move(needed);
      }
    }
  }

  std::vector<Ages> inFlightAfter(const FlowVertex &vertex, std::vector<Ages> ages) const {
    if (!isLeaf(vertex))
      return ages;
    const AccessNode &node = program_.nodes[vertex.node];
    for (size_t index = 0; index != asyncs_.size(); ++index) {
      if (node.kind == AccessNode::Kind::Commit)
        ages[index] = commitOnce(ages[index]);
      else if (node.kind == AccessNode::Kind::Wait)
        ages[index] = waitUntil(ages[index], node.pending);
      else if (asyncs_[index].node == vertex.node)
        ages[index] |= 1;
    }
    return ages;
  }

  void solveInFlight() {
    inFlight_.assign(graph_.vertices.size(), std::vector<Ages>(asyncs_.size(), 0));
    llvm::BitVector stale(graph_.vertices.size(), !asyncs_.empty());
    while (stale.any())
      for (unsigned index : stale.set_bits()) {
        stale.reset(index);
        const FlowVertex &vertex = graph_.vertices[index];
        std::vector<Ages> out = inFlightAfter(vertex, inFlight_[index]);
        for (uint32_t next : vertex.successors)
          for (size_t async = 0; async != asyncs_.size(); ++async)
            if (out[async] & ~inFlight_[next][async]) {
              inFlight_[next][async] |= out[async];
              stale.set(next);
            }
      }
  }

  // A point is occupied if its buffer is so in any copy of the point.
  void collectOccupied() {
    occupied_.assign(program_.buffers.size(), llvm::BitVector(leaves_.size()));
    asyncPoints_.assign(asyncs_.size(), llvm::BitVector(leaves_.size()));
    for (size_t index = 0; index != graph_.vertices.size(); ++index) {
      const FlowVertex &vertex = graph_.vertices[index];
      if (!isLeaf(vertex))
        continue;
      llvm::BitVector live = reaches_[index];
      live &= needed_[index];
      for (unsigned bit : live.set_bits())
        occupied_[bits_.bufferOf[bit]].set(vertex.index);
      for (const Access &access : program_.nodes[vertex.node].accesses)
        if (std::optional<size_t> buffer = indexOf(program_, access.buffer);
            buffer && access.kind == AccessKind::Write)
          occupied_[*buffer].set(vertex.index);
      if (asyncs_.empty())
        continue;
      std::vector<Ages> after = inFlightAfter(vertex, inFlight_[index]);
      for (size_t async = 0; async != asyncs_.size(); ++async)
        if (inFlight_[index][async] | after[async]) {
          asyncPoints_[async].set(vertex.index);
          occupied_[asyncs_[async].buffer].set(vertex.index);
        }
    }
  }

  // Nothing is known about the order of concurrent roles: what one of them touches is occupied
  // while any of them runs. Returns the range of points under `index`.
  LiveInterval coverRoles(uint32_t index) {
    if (leaves_.empty())
      return {0, 0};
    const AccessNode &node = program_.nodes[index];
    LiveInterval range = {nextPoint_, nextPoint_};
    if (nextPoint_ < static_cast<ProgramPoint>(leaves_.size()) && leaves_[nextPoint_] == index)
      range.end = ++nextPoint_;
    for (uint32_t child : node.children)
      range.end = coverRoles(child).end;
    if (node.kind == AccessNode::Kind::Roles)
      for (ProgramPoint point = range.begin; point != range.end; ++point)
        for (const Access &access : program_.nodes[leaves_[point]].accesses)
          if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
            occupied_[*buffer].set(range.begin, range.end);
    return range;
  }

  static std::vector<LiveInterval> intervalsOf(const llvm::BitVector &points) {
    std::vector<LiveInterval> intervals;
    for (unsigned point : points.set_bits()) {
      ProgramPoint begin = static_cast<ProgramPoint>(point);
      if (!intervals.empty() && intervals.back().end == begin)
        intervals.back().end = begin + 1;
      else
        intervals.push_back({begin, begin + 1});
    }
    return intervals;
  }

  void addAccesses(BufferLifetime &life, ProgramPoint point) const {
    for (const Access &access : program_.nodes[leaves_[point]].accesses) {
      auto &points = access.kind == AccessKind::Write ? life.defs : life.uses;
      if (access.buffer == life.buffer && (points.empty() || points.back() != point))
        points.push_back(point);
    }
  }

  Lifetimes result() const {
    Lifetimes lifetimes;
    lifetimes.pointCount = static_cast<ProgramPoint>(leaves_.size());
    for (size_t buffer = 0; buffer != program_.buffers.size(); ++buffer) {
      BufferLifetime life;
      life.buffer = program_.buffers[buffer].id;
      life.intervals = intervalsOf(occupied_[buffer]);
      for (ProgramPoint point = 0; point != lifetimes.pointCount; ++point)
        addAccesses(life, point);
      for (size_t async = 0; async != asyncs_.size(); ++async)
        if (asyncs_[async].buffer == buffer)
          llvm::append_range(life.inFlight, intervalsOf(asyncPoints_[async]));
      lifetimes.buffers.push_back(std::move(life));
    }
    return lifetimes;
  }

  const AccessProgram &program_;
  FlowGraph graph_;
  SlotBits bits_;
  std::vector<uint32_t> leaves_;
  std::vector<AsyncAccess> asyncs_;
  std::vector<SlotEffects> effects_;     // of each vertex
  std::vector<llvm::BitVector> reaches_; // before each vertex
  std::vector<llvm::BitVector> needed_;  // before each vertex
  std::vector<std::vector<Ages>> inFlight_;
  std::vector<llvm::BitVector> occupied_;    // per buffer, over points
  std::vector<llvm::BitVector> asyncPoints_; // per asynchronous access, over points
  ProgramPoint nextPoint_ = 0;
};

} // namespace

Lifetimes computeLifetimes(const AccessProgram &program) { return LifetimeSolver(program).solve(); }

} // namespace tilescope
