#include "core/access/lane_steps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

// Of all lanes together; beyond it a program is not followed.
constexpr size_t MaxSteps = 1 << 16;
constexpr size_t MaxVisits = 1 << 20; // of nodes, also such that are no step
constexpr size_t MaxLanes = 64;
constexpr size_t UsualSteps = 256; // of a lane: the list grows past it

bool isSynchronisation(const AccessNode &node) {
  switch (node.kind) {
  case AccessNode::Kind::Barrier:
  case AccessNode::Kind::Arrive:
  case AccessNode::Kind::Expect:
  case AccessNode::Kind::WaitPhase:
  case AccessNode::Kind::NamedBarrier:
  case AccessNode::Kind::Roles:
  case AccessNode::Kind::Commit:
  case AccessNode::Kind::Wait:
  case AccessNode::Kind::ProxyFence:
    return true;
  default:
    return llvm::any_of(node.accesses,
                        [](const Access &access) { return access.mbarrier.has_value(); });
  }
}

class LaneUnroller {
public:
  explicit LaneUnroller(const AccessProgram &program)
      : program_(program), synchronises_(program.nodes.size(), false) {
    if (!program.nodes.empty())
      markSynchronising(program.root);
  }

  LaneSteps run() {
    std::vector<uint32_t> roles;
    for (auto [index, node] : llvm::enumerate(program_.nodes))
      if (node.kind == AccessNode::Kind::Roles)
        roles.push_back(static_cast<uint32_t>(index));
    if (roles.size() > 1)
      stop("roles stand in several places", program_.nodes[roles[1]].stmt);
    if (!roles.empty())
      checkLanes(program_.nodes[roles[0]]);
    size_t count = roles.empty() ? 1 : program_.nodes[roles[0]].children.size();
    for (size_t lane = 0; lane != count && result_.problem.empty(); ++lane)
      unrollLane(roles, lane);
    return std::move(result_);
  }

private:
  // A loop around what is unrolled.
  struct Around {
    StmtId loop;
    int64_t iteration = 0;
    int64_t trips = 0;
  };

  bool markSynchronising(uint32_t index) {
    bool does = isSynchronisation(program_.nodes[index]);
    for (uint32_t child : program_.nodes[index].children)
      does |= markSynchronising(child);
    synchronises_[index] = does;
    return does;
  }

  // Every thread is of one of at least two lanes: what stands outside of the roles, lanes do.
  void checkLanes(const AccessNode &roles) {
    if (roles.children.size() < 2)
      stop("its roles have no two lanes", roles.stmt);
    if (roles.children.size() > MaxLanes)
      stop("its roles have too many lanes", roles.stmt);
    bool isKnown = program_.threads != 0 && roles.laneThreads.size() == roles.children.size() &&
                   !llvm::is_contained(roles.laneThreads, 0);
    int64_t sum = std::accumulate(roles.laneThreads.begin(), roles.laneThreads.end(), int64_t(0));
    if (isKnown && sum != program_.threads)
      stop("its lanes have not as many threads as the block", roles.stmt);
  }

  void unrollLane(llvm::ArrayRef<uint32_t> roles, size_t number) {
    result_.lanes.emplace_back();
    lane_ = &result_.lanes.back();
    lane_->steps.reserve(UsualSteps);
    laneNumber_ = number;
    lane_->threads = program_.threads;
    if (!roles.empty()) {
      const AccessNode &node = program_.nodes[roles[0]];
      lane_->threads = number < node.laneThreads.size() ? node.laneThreads[number] : 0;
    }
    isOutside_ = !roles.empty();
    unroll(program_.root);
  }

  void stop(const char *problem, StmtId stmt) {
    if (!result_.problem.empty())
      return;
    result_.problem = problem;
    result_.problemStmt = stmt;
  }

  void countStep(StmtId stmt) {
    if (steps_++ == MaxSteps)
      stop("its loops are too long to follow", stmt);
  }

  void addStep(uint32_t index, bool isOpaque) {
    countStep(program_.nodes[index].stmt);
    if (!result_.problem.empty())
      return;
    const AccessNode &node = program_.nodes[index];
    LaneStep &step = lane_->steps.emplace_back();
    step.node = index;
    step.isOpaque = isOpaque;
    step.isOutside = isOutside_;
    if (!around_.empty()) {
      step.loop = around_.back().loop;
      step.iteration = around_.back().iteration;
    }
    if (!isOpaque && node.mbarrier)
      step.mbarrier = numberOf(*node.mbarrier);
    if (node.kind == AccessNode::Kind::WaitPhase)
      step.parity = parityOf(node.parity);
    for (const Access &access : node.accesses) {
      step.mbarriersOf.push_back(access.mbarrier ? numberOf(*access.mbarrier) : LaneStep::Unknown);
      step.slotsOf.push_back(numberOf(access.slot));
    }
  }

  // ---- The tree

  void unroll(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    if (visits_++ == MaxVisits)
      stop("its loops are too long to follow", node.stmt);
    if (!result_.problem.empty())
      return;
    if (node.kind == AccessNode::Kind::Seq) {
      for (uint32_t child : node.children)
        unroll(child);
    } else if (node.kind == AccessNode::Kind::Roles) {
      enterRoles(node);
    } else if (isLeaf(node) || !synchronises_[index]) {
      addStep(index, !isLeaf(node));
    } else if (node.kind == AccessNode::Kind::Loop) {
      unrollLoop(index);
    } else {
      unrollIf(index);
    }
  }

  void enterRoles(const AccessNode &roles) {
    if (around_.empty())
      enterLane(roles.children[laneNumber_]);
    else
      stop("roles stand in a loop or under a condition", roles.stmt);
  }

  void enterLane(uint32_t index) {
    isOutside_ = false;
    const AccessNode &node = program_.nodes[index];
    if (node.kind == AccessNode::Kind::Seq) {
      for (uint32_t child : node.children) {
        lane_->childBegins.push_back(lane_->steps.size());
        unroll(child);
      }
      lane_->childBegins.push_back(lane_->steps.size());
    } else {
      unroll(index);
    }
    isOutside_ = true;
  }

  void unrollLoop(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    if (node.minTrips != node.maxTrips || loopAround(node.stmt))
      return unrollUnsure(index);
    around_.push_back({node.stmt, 0, node.minTrips});
    for (; around_.back().iteration != node.minTrips && result_.problem.empty();
         ++around_.back().iteration) {
      countStep(node.stmt);
      for (uint32_t child : node.children)
        unroll(child);
    }
    around_.pop_back();
  }

  void unrollIf(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    std::optional<bool> holds = condition(node);
    if (!holds)
      return unrollUnsure(index);
    size_t branch = *holds ? 0 : 1;
    if (branch < node.children.size())
      unroll(node.children[branch]);
  }

  // Roles inside cannot be told from where they do not stand, so nothing is followed.
  void unrollUnsure(uint32_t index) {
    if (holdsRoles(index))
      stop("roles stand in a loop or under a condition", program_.nodes[index].stmt);
    else
      addStep(index, true);
  }

  bool holdsRoles(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    return node.kind == AccessNode::Kind::Roles ||
           llvm::any_of(node.children, [&](uint32_t child) { return holdsRoles(child); });
  }

  // ---- Numbers

  std::optional<bool> condition(const AccessNode &node) const {
    if (const Around *loop = loopAround(node.rangeLoop); loop && node.rangeLoop.isValid())
      return node.rangeBegin <= loop->iteration && loop->iteration < node.rangeEnd;
    if (const Around *loop = loopAround(node.guardLoop); loop && node.guardLoop.isValid())
      return loop->iteration + node.guardDistance < loop->trips;
    return std::nullopt;
  }

  const Around *loopAround(StmtId stmt) const {
    const Around *found = llvm::find_if(around_, [&](const Around &at) { return at.loop == stmt; });
    return found == around_.end() ? nullptr : found;
  }

  std::optional<int64_t> valueOf(const LoopCounter &counter) const {
    int64_t value = counter.offset;
    for (const LoopCounter::Term &term : counter.terms) {
      const Around *loop = loopAround(term.loop);
      if (!loop)
        return std::nullopt;
      value += term.step * loop->iteration;
    }
    return value < 0 ? std::nullopt : std::optional(value);
  }

  int numberOf(const MbarrierRef &ref) const {
    std::optional<int64_t> value = valueOf(ref.counter);
    if (!value || ref.modulus < 1)
      return LaneStep::Unknown;
    int64_t number = ref.first + *value % ref.modulus;
    return number < static_cast<int64_t>(program_.mbarriers.size()) ? static_cast<int>(number)
                                                                    : LaneStep::Unknown;
  }

  int numberOf(const LoopCounter &counter, int64_t modulus) const {
    std::optional<int64_t> value = valueOf(counter);
    bool isKnown = value && !counter.terms.empty() && modulus > 0;
    return isKnown ? static_cast<int>(*value % modulus) : LaneStep::Unknown;
  }

  int numberOf(const Slot &slot) const {
    if (slot.kind == Slot::Kind::Constant)
      return static_cast<int>(slot.offset);
    if (slot.kind == Slot::Kind::Dynamic)
      return numberOf(slot.counter, slot.modulus);
    const Around *loop = loopAround(slot.loop);
    if (slot.modulus < 1 || !loop)
      return LaneStep::Unknown;
    int64_t number = (loop->iteration + slot.offset) % slot.modulus;
    return static_cast<int>((number + slot.modulus) % slot.modulus);
  }

  int parityOf(const PhaseParity &parity) const {
    std::optional<int64_t> value = valueOf(parity.counter);
    if (!value || parity.divisor < 1)
      return LaneStep::Unknown;
    return static_cast<int>(*value / parity.divisor % 2);
  }

  const AccessProgram &program_;
  std::vector<bool> synchronises_; // per node: it, or what stands in it
  LaneSteps result_;
  Lane *lane_ = nullptr;
  size_t laneNumber_ = 0;
  size_t steps_ = 0;
  size_t visits_ = 0;
  bool isOutside_ = false;
  llvm::SmallVector<Around, 4> around_; // the innermost last
};

} // namespace

LaneSteps unrollLanes(const AccessProgram &program) {
  if (program.nodes.empty())
    return {};
  return LaneUnroller(program).run();
}

} // namespace tilescope
