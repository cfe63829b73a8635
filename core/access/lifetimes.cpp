// Three dataflows over the flow graph, then one pass that joins their facts per program point:
//   reaches (forward): this slot has been written on some path to here;
//   needed (backward): some path from here reads this slot before it is fully rewritten;
//   in flight (forward): how many commit groups are newer than an asynchronous access.
#include "core/access/lifetimes.h"

#include "core/access/flow_graph.h"
#include "core/access/node_threads.h"
#include "core/access/slot_bits.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

namespace tilescope {

namespace {

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
  const Access *access = nullptr;
  std::optional<size_t> counted; // by an mbarrier: index into HappensBefore::copies
};

class LifetimeSolver {
public:
  explicit LifetimeSolver(const AccessProgram &program)
      : program_(program), graph_(buildFlowGraph(program)), threads_(program), bits_(program),
        leaves_(leavesInOrder(program)) {
    for (uint32_t leaf : leaves_)
      for (const Access &access : program.nodes[leaf].accesses)
        if (std::optional<size_t> buffer = indexOf(program, access.buffer); buffer && access.async)
          asyncs_.push_back(
              {leaf, *buffer, &access, access.mbarrier ? graph_.order.copyOf(leaf) : std::nullopt});
    size_t vertices = graph_.vertices.size();
    for (SlotMatrix *matrix : {&written_, &redefined_, &read_, &reaches_, &needed_})
      *matrix = SlotMatrix(vertices, bits_.count());
    for (size_t index = 0; index != vertices; ++index)
      collectEffects(index);
  }

  Lifetimes solve() {
    solveReaches();
    solveNeeded();
    solveInFlight();
    collectOccupied();
    coverRoles();
    coverDisagreed();
    return result();
  }

private:
  bool isLeaf(const FlowVertex &vertex) const { return vertex.kind == FlowVertex::Kind::Leaf; }

  void collectEffects(size_t index) {
    const FlowVertex &vertex = graph_.vertices[index];
    if (vertex.kind == FlowVertex::Kind::Redefine)
      for (BufferId id : program_.nodes[vertex.node].redefinesAllSlots)
        if (std::optional<size_t> buffer = indexOf(program_, id))
          redefined_.set(index, bits_.first[*buffer], bits_.first[*buffer + 1]);
    if (!isLeaf(vertex))
      return;
    for (const Access &access : program_.nodes[vertex.node].accesses) {
      std::optional<size_t> buffer = indexOf(program_, access.buffer);
      if (!buffer)
        continue;
      SlotRange slots = graph_.slotsOf(access, program_.buffers[*buffer].versions, vertex);
      auto [first, last] = bits_.of(*buffer, slots);
      bool isWrite = access.kind == AccessKind::Write;
      (isWrite ? written_ : read_).set(index, first, last);
      if (isWrite && access.full && !access.mayNotHappen && slots.isExact())
        redefined_.set(index, first, last);
    }
  }

  // True if `next` learned something.
  bool passReaches(size_t index, size_t next) {
    uint64_t learned = 0;
    for (size_t word = 0; word != reaches_.wordsPerRow(); ++word) {
      uint64_t out = reaches_.row(index)[word] | written_.row(index)[word];
      uint64_t &in = reaches_.row(next)[word];
      learned |= out & ~in;
      in |= out;
    }
    return learned != 0;
  }

  void solveReaches() {
    llvm::BitVector stale(graph_.vertices.size(), true);
    while (stale.any())
      for (unsigned index : stale.set_bits()) {
        stale.reset(index);
        for (uint32_t next : graph_.vertices[index].successors)
          if (passReaches(index, next))
            stale.set(next);
      }
  }

  // A leaf's reads come before its writes.
  void solveNeeded() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t index = graph_.vertices.size(); index-- != 0;) {
        for (size_t word = 0; word != needed_.wordsPerRow(); ++word) {
          uint64_t needed = 0;
          for (uint32_t next : graph_.vertices[index].successors)
            needed |= needed_.row(next)[word];
          needed = (needed & ~redefined_.row(index)[word]) | read_.row(index)[word];
          changed |= needed != needed_.row(index)[word];
          needed_.row(index)[word] = needed;
        }
      }
    }
  }

  // Before what the threads of a leaf do there; others need not know it at the next leaf.
  bool hasArrived(const FlowVertex &leaf, size_t async) const {
    std::optional<size_t> counted = asyncs_[async].counted;
    return counted && graph_.order.hasArrived(*counted, leaf.node);
  }

  // `before` and `after` the leaf.
  bool isUnderWay(const FlowVertex &leaf, size_t async, Ages before, Ages after) const {
    return hasArrived(leaf, async) ? asyncs_[async].node == leaf.node : (before | after) != 0;
  }

  std::vector<Ages> inFlightAfter(const FlowVertex &vertex, std::vector<Ages> ages) const {
    if (!isLeaf(vertex))
      return ages;
    const AccessNode &node = program_.nodes[vertex.node];
    for (size_t index = 0; index != asyncs_.size(); ++index) {
      bool isItsQueue = asyncs_[index].access->goesThrough(node.queue) &&
                        threads_.cover(program_, vertex.node, asyncs_[index].node);
      if (node.kind == AccessNode::Kind::Commit && isItsQueue)
        ages[index] = commitOnce(ages[index]);
      else if (node.kind == AccessNode::Kind::Wait && isItsQueue)
        ages[index] = waitUntil(ages[index], node.pending);
      else if (asyncs_[index].node == vertex.node)
        ages[index] |= 1;
    }
    return ages;
  }

  bool passInFlight(llvm::ArrayRef<Ages> out, size_t next) {
    Ages learned = 0;
    for (auto [from, to] : llvm::zip(out, inFlight_[next])) {
      learned |= from & ~to;
      to |= from;
    }
    return learned != 0;
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
          if (passInFlight(out, next))
            stale.set(next);
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
      for (size_t word = 0; word != reaches_.wordsPerRow(); ++word)
        for (uint64_t live = reaches_.row(index)[word] & needed_.row(index)[word]; live != 0;
             live &= live - 1)
          occupied_[bits_.bufferOf[word * 64 + llvm::countr_zero(live)]].set(vertex.index);
      for (const Access &access : program_.nodes[vertex.node].accesses)
        if (std::optional<size_t> buffer = indexOf(program_, access.buffer);
            buffer && access.kind == AccessKind::Write)
          occupied_[*buffer].set(vertex.index);
      if (asyncs_.empty())
        continue;
      std::vector<Ages> after = inFlightAfter(vertex, inFlight_[index]);
      for (size_t async = 0; async != asyncs_.size(); ++async)
        if (isUnderWay(vertex, async, inFlight_[index][async], after[async])) {
          asyncPoints_[async].set(vertex.index);
          occupied_[asyncs_[async].buffer].set(vertex.index);
        }
    }
  }

  // Nothing is known about the order of concurrent roles, so what two of them touch is occupied
  // while any of them runs. One role may keep what it alone touches to its own points, since
  // whatever the others touch is occupied at those:
  //
  //             role A       role B
  //   K     ==========================    filled by A, read by B
  //   Q                   =====
  //   O                           ====    may have Q's bytes
  //
  // What begins when the other role is done runs beside none.
  void coverRoles() {
    for (const AccessNode &node : program_.nodes)
      if (node.kind == AccessNode::Kind::Roles)
        coverTouched(node);
  }

  void coverTouched(const AccessNode &roles) {
    llvm::BitVector beside(program_.nodes.size());
    for (size_t lane = 0; lane != roles.children.size(); ++lane)
      for (uint32_t index : graph_.order.besideOthers(program_, roles, lane))
        collectNodes(index, beside);
    llvm::BitVector points(leaves_.size());
    for (size_t point = 0; point != leaves_.size(); ++point)
      if (beside[leaves_[point]])
        points.set(static_cast<unsigned>(point));
    const llvm::BitVector others = touchedBesideOneRole(roles);
    for (unsigned buffer : others.set_bits())
      occupied_[buffer] |= points;
    for (unsigned point : points.set_bits())
      for (const Access &access : program_.nodes[leaves_[point]].accesses)
        if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
          occupied_[*buffer].set(point);
  }

  void collectNodes(uint32_t index, llvm::BitVector &nodes) const {
    nodes.set(index);
    for (uint32_t child : program_.nodes[index].children)
      collectNodes(child, nodes);
  }

  // All that the roles touch, but for what is touched by that role alone that has most of its own.
  llvm::BitVector touchedBesideOneRole(const AccessNode &roles) const {
    // One role alone runs beside threads that are of none.
    std::vector<llvm::BitVector> touched(std::max<size_t>(roles.children.size(), 2));
    for (size_t role = 0; role != touched.size(); ++role) {
      touched[role].resize(program_.buffers.size());
      for (uint32_t index : graph_.order.besideOthers(program_, roles, role))
        collectTouched(index, touched[role]);
    }
    std::optional<llvm::BitVector> least;
    for (size_t one = 0; one != touched.size(); ++one) {
      llvm::BitVector others(program_.buffers.size());
      for (size_t role = 0; role != touched.size(); ++role)
        if (role != one)
          others |= touched[role];
      if (!least || others.count() < least->count())
        least = others;
    }
    return least.value_or(llvm::BitVector());
  }

  void collectTouched(uint32_t index, llvm::BitVector &touched) const {
    for (const Access &access : program_.nodes[index].accesses)
      if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
        touched.set(*buffer);
    for (uint32_t child : program_.nodes[index].children)
      collectTouched(child, touched);
  }

  // Threads that disagree on a condition, or on how often a loop runs, do all of it in any order,
  // and nobody waits for the others there:
  //
  //     if q[tx] > 0:         some still read q
  //       s[tx] = 1           where others write s already
  void coverDisagreed() {
    for (const AccessNode &node : program_.nodes)
      if (node.kind == AccessNode::Kind::Seq)
        for (size_t at = 0; at < node.children.size();)
          at = coverStatement(node, at);
  }

  // The siblings from `at` on that are of one statement; gives the one behind.
  size_t coverStatement(const AccessNode &seq, size_t at) {
    const AccessNode &first = program_.nodes[seq.children[at]];
    bool isDisagreed = first.isDivergent;
    llvm::BitVector nodes(program_.nodes.size());
    collectNodes(seq.children[at], nodes);
    for (++at; at != seq.children.size() && first.stmt.isValid(); ++at) {
      const AccessNode &next = program_.nodes[seq.children[at]];
      if (next.stmt != first.stmt)
        break;
      isDisagreed |= next.isDivergent;
      collectNodes(seq.children[at], nodes);
    }
    if (isDisagreed && llvm::none_of(nodes.set_bits(), [&](unsigned node) { return meets(node); }))
      coverTouchedIn(nodes);
    return at;
  }

  // Whether threads that come there wait for others, or all of it is done by one.
  bool meets(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    bool isOfCopies = node.kind == AccessNode::Kind::Commit || node.kind == AccessNode::Kind::Wait;
    bool isLeafOfAccesses = node.kind == AccessNode::Kind::Leaf;
    return node.oneThread || node.kind == AccessNode::Kind::Roles ||
           (tilescope::isLeaf(node) && !isLeafOfAccesses && !isOfCopies);
  }

  void coverTouchedIn(const llvm::BitVector &nodes) {
    llvm::BitVector points(leaves_.size()), touched(program_.buffers.size());
    for (size_t point = 0; point != leaves_.size(); ++point)
      if (nodes[leaves_[point]]) {
        points.set(static_cast<unsigned>(point));
        collectTouched(leaves_[point], touched);
      }
    for (unsigned buffer : touched.set_bits())
      if (occupied_[buffer].any())
        occupied_[buffer] |= points;
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
  NodeThreads threads_;
  SlotBits bits_;
  std::vector<uint32_t> leaves_;
  std::vector<AsyncAccess> asyncs_;
  // What passing a vertex does.
  SlotMatrix written_;   // perhaps, or in part
  SlotMatrix redefined_; // surely and wholly
  SlotMatrix read_;
  // What holds before a vertex.
  SlotMatrix reaches_;
  SlotMatrix needed_;
  std::vector<std::vector<Ages>> inFlight_;
  std::vector<llvm::BitVector> occupied_;    // per buffer, over points
  std::vector<llvm::BitVector> asyncPoints_; // per asynchronous access, over points
};

} // namespace

Lifetimes computeLifetimes(const AccessProgram &program) { return LifetimeSolver(program).solve(); }

} // namespace tilescope
