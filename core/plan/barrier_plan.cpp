#include "core/plan/barrier_plan.h"

#include "core/access/flow_graph.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

// A gap inside a loop of unknown trip count counts as this many.
constexpr double UnknownTrips = 16;

struct Gap {
  uint32_t seq = 0;
  uint32_t before = 0;
  double runs = 1; // how often it is passed
};

// One access of one leaf to one slot.
struct Event {
  uint32_t node = 0;
  const Access *access = nullptr;
  size_t buffer = 0;
  int64_t slot = 0;
};

// What is known of one event at one vertex.
struct Fact {
  uint64_t flying = 0;  // bit n: in flight, n commits ago
  bool isOpen = false;  // finished, with no barrier since on some path
  llvm::BitVector gaps; // isOpen: on every such path
};

// Hazards that the same gaps would settle.
struct HazardSet {
  llvm::BitVector gaps;
  std::set<HazardPair> pairs;
};

bool isSubset(const llvm::BitVector &a, const llvm::BitVector &b) { return !a.test(b); }

class BarrierPlanner {
public:
  BarrierPlanner(const AccessProgram &program, const std::vector<BufferBytes> &bytes)
      : program_(program), graph_(buildFlowGraph(program)), bytes_(program.buffers.size()) {
    for (const BufferBytes &place : bytes)
      if (std::optional<size_t> buffer = indexOf(program, place.buffer))
        bytes_[*buffer] = place;
    if (program.root < program.nodes.size())
      listGaps(program.root, 1);
    for (uint32_t leaf : leavesInOrder(program))
      addEvents(leaf);
  }

  BarrierPlan plan() {
    for (const Event &event : events_)
      follow(event);
    BarrierPlan plan;
    std::vector<std::set<HazardPair>> settled = choose(plan.unsolved);
    for (size_t gap = 0; gap != gaps_.size(); ++gap)
      if (!settled[gap].empty())
        plan.sites.push_back(
            {gaps_[gap].seq, gaps_[gap].before, {settled[gap].begin(), settled[gap].end()}});
    return plan;
  }

private:
  // In program order. Nothing below a divergent statement or a role: not all threads get there.
  void listGaps(uint32_t index, double runs) {
    const AccessNode &node = program_.nodes[index];
    if (node.isDivergent || node.kind == AccessNode::Kind::Roles)
      return;
    if (node.kind == AccessNode::Kind::Loop)
      runs *= std::max<double>(node.maxTrips ? static_cast<double>(*node.maxTrips) : UnknownTrips,
                               static_cast<double>(node.minTrips));
    bool isSeq = node.kind == AccessNode::Kind::Seq && !node.children.empty();
    for (uint32_t at = 0; at != node.children.size(); ++at) {
      if (isSeq)
        addGap(index, at, runs);
      listGaps(node.children[at], runs);
    }
    if (isSeq)
      addGap(index, static_cast<uint32_t>(node.children.size()), runs);
  }

  void addGap(uint32_t seq, uint32_t before, double runs) {
    gapAt_[{seq, before}] = static_cast<unsigned>(gaps_.size());
    gaps_.push_back({seq, before, runs});
  }

  void addEvents(uint32_t leaf) {
    for (const Access &access : program_.nodes[leaf].accesses)
      if (std::optional<size_t> buffer = indexOf(program_, access.buffer))
        for (int64_t slot = 0; slot < std::max<int64_t>(program_.buffers[*buffer].versions, 1);
             ++slot) {
          eventsOf_[leaf].push_back(events_.size());
          events_.push_back({leaf, &access, *buffer, slot});
        }
  }

  bool touches(const FlowVertex &vertex, const Event &event) const {
    if (vertex.kind != FlowVertex::Kind::Leaf || vertex.node != event.node)
      return false;
    SlotRange slots =
        graph_.slotsOf(*event.access, program_.buffers[event.buffer].versions, vertex);
    return slots.first <= event.slot && event.slot < slots.last;
  }

  // Forward over the graph from where the event happens; collects what it conflicts with.
  void follow(const Event &event) {
    std::vector<Fact> facts(graph_.vertices.size());
    std::vector<bool> isReached(graph_.vertices.size(), false);
    std::set<uint32_t> pending;
    for (uint32_t index = 0; index != graph_.vertices.size(); ++index)
      if (touches(graph_.vertices[index], event))
        pending.insert(index);
    while (!pending.empty()) {
      uint32_t index = *pending.begin();
      pending.erase(pending.begin());
      Fact after = transfer(event, graph_.vertices[index], facts[index]);
      if (after.flying == 0 && !after.isOpen)
        continue;
      for (uint32_t next : graph_.vertices[index].successors) {
        if (join(facts[next], after) || !isReached[next])
          pending.insert(next);
        isReached[next] = true;
      }
    }
    for (uint32_t index = 0; index != graph_.vertices.size(); ++index)
      if (facts[index].isOpen && facts[index].flying == 0)
        collect(event, graph_.vertices[index], facts[index]);
  }

  Fact transfer(const Event &event, const FlowVertex &vertex, Fact fact) const {
    if (touches(vertex, event)) {
      if (event.access->async)
        fact.flying |= 1;
      else
        open(fact);
    }
    if (vertex.kind == FlowVertex::Kind::Gap) {
      auto gap = gapAt_.find({vertex.node, static_cast<uint32_t>(vertex.index)});
      if (fact.isOpen && gap != gapAt_.end())
        fact.gaps.set(gap->second);
    }
    if (vertex.kind != FlowVertex::Kind::Leaf)
      return fact;
    const AccessNode &node = program_.nodes[vertex.node];
    if (node.kind == AccessNode::Kind::Commit)
      fact.flying = fact.flying << 1 | (fact.flying & uint64_t(1) << 63);
    if (node.kind == AccessNode::Kind::Wait)
      arrive(fact, node.pending);
    if (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block)
      fact.isOpen = false;
    return fact;
  }

  // It has just happened: no gap has been passed since.
  void open(Fact &fact) const {
    fact.isOpen = true;
    fact.gaps = llvm::BitVector(static_cast<unsigned>(gaps_.size()));
  }

  void arrive(Fact &fact, int64_t pending) const {
    if (pending >= 63)
      return;
    uint64_t young = (uint64_t(2) << std::max<int64_t>(pending, 0)) - 1;
    if (fact.flying & ~young)
      open(fact);
    fact.flying &= young;
  }

  static bool join(Fact &into, const Fact &from) {
    bool grew = (from.flying & ~into.flying) != 0;
    into.flying |= from.flying;
    if (!from.isOpen)
      return grew;
    if (!into.isOpen) {
      into.isOpen = true;
      into.gaps = from.gaps;
      return true;
    }
    llvm::BitVector common = into.gaps;
    common &= from.gaps;
    grew |= common != into.gaps;
    into.gaps = std::move(common);
    return grew;
  }

  // `fact` holds before the vertex.
  void collect(const Event &event, const FlowVertex &vertex, const Fact &fact) {
    if (vertex.kind != FlowVertex::Kind::Leaf)
      return;
    for (size_t at : eventsOf_[vertex.node]) {
      const Event &later = events_[at];
      if (touches(vertex, later) && conflict(event, later))
        addHazard(fact.gaps, {program_.buffers[event.buffer].id, program_.buffers[later.buffer].id,
                              program_.nodes[event.node].stmt, program_.nodes[later.node].stmt});
    }
  }

  // Keeps only hazards that no other implies: what settles {a} settles {a, b} as well. So a barrier
  // is said to separate the accesses next to it, not all that ever come before and after.
  void addHazard(const llvm::BitVector &gaps, const HazardPair &pair) {
    for (HazardSet &known : hazards_) {
      if (known.gaps == gaps)
        known.pairs.insert(pair);
      if (isSubset(known.gaps, gaps))
        return;
    }
    llvm::erase_if(hazards_, [&](const HazardSet &known) { return isSubset(gaps, known.gaps); });
    hazards_.push_back({gaps, {pair}});
  }

  bool conflict(const Event &a, const Event &b) const {
    if (a.access->kind == AccessKind::Read && b.access->kind == AccessKind::Read)
      return false;
    if (a.access->atomic && b.access->atomic)
      return false;
    if (a.buffer == b.buffer)
      return a.slot == b.slot && (a.access->sameThreadToken == 0 ||
                                  a.access->sameThreadToken != b.access->sameThreadToken);
    if (!bytes_[a.buffer] || !bytes_[b.buffer])
      return false;
    auto begin = [](const BufferBytes &place, int64_t slot) {
      return place.offsetBytes + slot * place.strideBytes;
    };
    const BufferBytes &left = *bytes_[a.buffer];
    const BufferBytes &right = *bytes_[b.buffer];
    return begin(left, a.slot) < begin(right, b.slot) + right.sizeBytes &&
           begin(right, b.slot) < begin(left, a.slot) + left.sizeBytes;
  }

  // Again and again the gap that settles most per pass; of equal ones the last, so that a barrier
  // at the end of a body also frees the bytes for what follows the loop. Then those that later
  // choices have made superfluous are dropped. Returns, per gap, what it separates.
  std::vector<std::set<HazardPair>> choose(std::vector<HazardPair> &unsolved) const {
    std::set<HazardPair> lost;
    std::vector<const HazardSet *> open;
    for (const HazardSet &hazard : hazards_) {
      if (hazard.gaps.any())
        open.push_back(&hazard);
      else
        lost.insert(hazard.pairs.begin(), hazard.pairs.end());
    }
    unsolved.assign(lost.begin(), lost.end());
    std::vector<unsigned> chosen = chooseGreedily(open);
    dropSuperfluous(open, chosen);
    std::vector<std::set<HazardPair>> separates(gaps_.size());
    for (unsigned gap : chosen)
      for (const HazardSet *hazard : open)
        if (hazard->gaps.test(gap))
          separates[gap].insert(hazard->pairs.begin(), hazard->pairs.end());
    return separates;
  }

  std::vector<unsigned> chooseGreedily(std::vector<const HazardSet *> left) const {
    std::vector<unsigned> settles(gaps_.size(), 0); // per gap: how many of those left
    for (const HazardSet *hazard : left)
      for (unsigned gap : hazard->gaps.set_bits())
        ++settles[gap];
    std::vector<unsigned> chosen;
    while (!left.empty()) {
      unsigned best = bestGap(settles);
      chosen.push_back(best);
      llvm::erase_if(left, [&](const HazardSet *hazard) {
        if (!hazard->gaps.test(best))
          return false;
        for (unsigned gap : hazard->gaps.set_bits())
          --settles[gap];
        return true;
      });
    }
    return chosen;
  }

  unsigned bestGap(llvm::ArrayRef<unsigned> settles) const {
    unsigned best = 0;
    double bestRate = -1;
    for (unsigned gap = 0; gap != gaps_.size(); ++gap) {
      double rate = settles[gap] / gaps_[gap].runs;
      if (rate >= bestRate) {
        bestRate = rate;
        best = gap;
      }
    }
    return best;
  }

  // The dearest first.
  void dropSuperfluous(llvm::ArrayRef<const HazardSet *> open,
                       std::vector<unsigned> &chosen) const {
    llvm::stable_sort(chosen,
                      [&](unsigned a, unsigned b) { return gaps_[a].runs > gaps_[b].runs; });
    std::vector<size_t> covers; // per hazard: how many of the chosen settle it
    for (const HazardSet *hazard : open)
      covers.push_back(
          llvm::count_if(chosen, [&](unsigned gap) { return hazard->gaps.test(gap); }));
    for (unsigned gap : std::exchange(chosen, {})) {
      bool isNeeded = llvm::any_of(llvm::zip(open, covers), [&](auto hazard) {
        return std::get<0>(hazard)->gaps.test(gap) && std::get<1>(hazard) == 1;
      });
      if (isNeeded)
        chosen.push_back(gap);
      for (auto [hazard, count] : llvm::zip(open, covers))
        count -= !isNeeded && hazard->gaps.test(gap);
    }
  }

  const AccessProgram &program_;
  FlowGraph graph_;
  std::vector<std::optional<BufferBytes>> bytes_;
  std::vector<Gap> gaps_;
  std::map<std::pair<uint32_t, uint32_t>, unsigned> gapAt_;
  std::vector<Event> events_;
  std::map<uint32_t, std::vector<size_t>> eventsOf_; // per leaf
  std::vector<HazardSet> hazards_;                   // none implies another
};

} // namespace

BarrierPlan planBarriers(const AccessProgram &program, const std::vector<BufferBytes> &bytes) {
  return BarrierPlanner(program, bytes).plan();
}

} // namespace tilescope
