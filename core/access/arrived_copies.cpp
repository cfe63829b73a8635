#include "core/access/arrived_copies.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

constexpr size_t MaxArrivalWork = 1 << 28; // bounds that are looked at; past it nothing is known

class ArrivalFinder {
public:
  ArrivalFinder(const AccessProgram &program, HappensBefore &order)
      : program_(program), order_(order), steps_(order.steps),
        holdsCopy_(nodesWithCopies(program)) {}

  // False: it takes too much.
  bool run() {
    collectArrived();
    if (steps_.lanes.lanes.size() == 2)
      findTail();
    return !isSpent();
  }

private:
  void spend(size_t work) const { work_ += work; }
  bool isSpent() const { return work_ > MaxArrivalWork; }
  bool runs(const Strand &strand, const LaneStep &step) const {
    return makes(program_, strand, step, steps_.hasRoles());
  }

  bool isMet(const PhaseNeed &need, llvm::ArrayRef<int32_t> known) const {
    return need.mbarrier >= 0 &&
           need.phases <= known[steps_.strands.size() + static_cast<size_t>(need.mbarrier)];
  }

  // The needs of one copy so far: the most phases of each mbarrier.
  using Needs = std::map<int, int32_t>;

  void collectArrived() {
    copyNumbers_.resize(program_.nodes.size());
    for (uint32_t leaf : leavesInOrder(program_))
      if (holdsCopy_[leaf]) {
        copyNumbers_[leaf] = order_.copies.size();
        order_.copies.push_back(leaf);
      }
    order_.arrived.resize(program_.nodes.size());
    for (size_t strand = 0; strand != steps_.strands.size(); ++strand)
      collectArrived(strand);
  }

  void collectArrived(size_t strand) {
    const Strand &who = steps_.strands[strand];
    std::vector<Needs> needs(order_.copies.size());
    for (size_t lane = 0; lane != steps_.lanes.lanes.size(); ++lane)
      for (auto [step, need] : llvm::zip(steps_.lanes.lanes[lane].steps, steps_.arrivals[lane]))
        if (steps_.hasRoles() && !step.isOutside && (lane != who.lane || who.isOutside))
          addNeeds(step.node, need, needs);
    for (auto [at, step] : llvm::enumerate(steps_.lanes.lanes[who.lane].steps)) {
      if (isSpent())
        return;
      // Threads that are all here are those of the lanes.
      if (runs(who, step) && (!who.isOutside || program_.nodes[step.node].oneThread))
        noteArrived(step.node, needs, steps_.knownAt(strand, at));
      if (!who.isOutside || step.isOutside)
        addNeeds(step.node, steps_.arrivals[who.lane][at], needs);
      if (step.isOpaque && holdsCopy_[step.node] && !who.isOutside)
        noteArrived(step.node, needs, steps_.knownAt(strand, at));
    }
  }

  void addNeeds(uint32_t index, llvm::ArrayRef<PhaseNeed> more, std::vector<Needs> &needs) const {
    const AccessNode &node = program_.nodes[index];
    spend(1 + more.size());
    if (isSpent())
      return;
    if (isLeaf(node) && holdsCopy_[index])
      for (const PhaseNeed &need : more) {
        int32_t &phases = needs[copyNumbers_[index]][need.mbarrier];
        phases = std::max(phases, need.phases);
      }
    for (uint32_t child : node.children)
      addNeeds(child, more, needs);
  }

  // For all leaves under `index`.
  void noteArrived(uint32_t index, llvm::ArrayRef<Needs> needs, llvm::ArrayRef<int32_t> known) {
    spend(1 + order_.copies.size());
    for (uint32_t child : program_.nodes[index].children)
      noteArrived(child, needs, known);
    if (!isLeaf(program_.nodes[index]))
      return;
    llvm::BitVector &arrived = order_.arrived[index];
    if (arrived.empty())
      arrived.resize(order_.copies.size(), true);
    for (unsigned copy : arrived.set_bits())
      if (!llvm::all_of(needs[copy],
                        [&](const auto &need) { return isMet({need.first, need.second}, known); }))
        arrived.reset(copy);
  }

  // ---- Roles that end one after the other -------------------------------------------------------

  // What must be known for a lane to have done all that it does.
  struct LaneEnd {
    bool isKnown = true;
    std::vector<int32_t> steps; // per strand
    std::vector<PhaseNeed> needs;
  };

  LaneEnd endOfLane(size_t number) const {
    LaneEnd end;
    end.steps.resize(steps_.strands.size(), 0);
    const Lane &lane = steps_.lanes.lanes[number];
    for (auto [at, step] : llvm::enumerate(lane.steps)) {
      if (step.isOutside)
        continue;
      llvm::append_range(end.needs, steps_.arrivals[number][at]);
      end.isKnown &= !holdsAsyncOfQueue(step.node);
      if (!holdsPlainAccess(step.node))
        continue;
      for (auto [strand, who] : llvm::enumerate(steps_.strands))
        if (who.lane == number && !who.isOutside && runs(who, step))
          end.steps[strand] = static_cast<int32_t>(at + 1);
    }
    return end;
  }

  // Its waits are those of the threads that issued it.
  bool holdsAsyncOfQueue(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    return llvm::any_of(node.accesses,
                        [](const Access &access) { return access.async && !access.mbarrier; }) ||
           llvm::any_of(node.children, [&](uint32_t child) { return holdsAsyncOfQueue(child); });
  }

  bool holdsPlainAccess(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    return llvm::any_of(node.accesses, [](const Access &access) { return !access.async; }) ||
           llvm::any_of(node.children, [&](uint32_t child) { return holdsPlainAccess(child); });
  }

  bool isOver(const LaneEnd &end, llvm::ArrayRef<int32_t> known) const {
    for (auto [needed, made] : llvm::zip(end.steps, known))
      if (made < needed)
        return false;
    return end.isKnown &&
           llvm::all_of(end.needs, [&](const PhaseNeed &need) { return isMet(need, known); });
  }

  void findTail() {
    for (size_t lane : {0, 1}) {
      LaneEnd other = endOfLane(1 - lane);
      llvm::ArrayRef<size_t> begins = steps_.lanes.lanes[lane].childBegins;
      for (size_t child = 0; child + 1 < begins.size() && !order_.tail && !isSpent(); ++child) {
        bool isTail = true;
        spend((other.needs.size() + other.steps.size()) * steps_.strands.size());
        for (auto [strand, who] : llvm::enumerate(steps_.strands))
          if (who.lane == lane && !who.isOutside)
            isTail &= isOver(other, steps_.knownAt(strand, begins[child]));
        if (isTail)
          order_.tail = RoleTail{lane, child};
      }
    }
  }

  const AccessProgram &program_;
  HappensBefore &order_;
  const StepOrder &steps_;
  std::vector<bool> holdsCopy_;     // per node: it, or what stands in it
  std::vector<size_t> copyNumbers_; // per leaf with copies: in order_.copies
  mutable size_t work_ = 0;
};

bool markCopies(const AccessProgram &program, uint32_t index, std::vector<bool> &holdsCopy) {
  const AccessNode &node = program.nodes[index];
  bool holds = llvm::any_of(node.accesses, [](const Access &a) { return a.mbarrier.has_value(); });
  for (uint32_t child : node.children)
    holds |= markCopies(program, child, holdsCopy);
  holdsCopy[index] = holds;
  return holds;
}

} // namespace

std::vector<bool> nodesWithCopies(const AccessProgram &program) {
  std::vector<bool> holdsCopy(program.nodes.size(), false);
  markCopies(program, program.root, holdsCopy);
  return holdsCopy;
}

HappensBefore withArrivals(const AccessProgram &program, FollowedSteps followed) {
  HappensBefore order{std::move(followed)};
  if (order.steps.isKnown() && !ArrivalFinder(program, order).run()) {
    StepOrder nothing;
    nothing.lanes = std::move(order.steps.lanes);
    std::vector<OrderGap> gaps = std::move(order.gaps);
    gaps.insert(gaps.begin(), {{}, "what so many steps of its roles order"});
    order = HappensBefore{{order.meetsAtBarriers, std::move(gaps), std::move(nothing)}};
  }
  return order;
}

} // namespace tilescope
