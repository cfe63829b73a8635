#include "core/access/loop_lengths.h"

#include "core/access/tile_loops.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilescope {

namespace {

constexpr int64_t MaxPeriod = 32;
constexpr int64_t MaxDistance = 32; // of guards
constexpr int64_t Periods = 4;      // between the first and the last iterations
constexpr int64_t EveryLength = std::numeric_limits<int64_t>::max() - 1;

// The only loop of unknown length that synchronises, and what its iterations depend on.
struct OpenLoop {
  uint32_t node = 0;
  int64_t period = 1;
  int64_t distance = 0; // from the last iteration that guards look ahead
};

class LoopFinder {
public:
  explicit LoopFinder(const AccessProgram &program) : program_(program) {}

  std::optional<OpenLoop> run() {
    if (program_.nodes.empty() || !arriveOneByOne())
      return std::nullopt;
    visit(program_.root, true);
    if (!found_ || !canFollow_)
      return std::nullopt;
    if (found_->period > MaxPeriod || found_->distance > MaxDistance)
      return std::nullopt;
    // No figure is older than a period.
    while (found_->period < found_->distance + 2)
      found_->period *= 2;
    return found_;
  }

private:
  // Then each arrival is a phase.
  bool arriveOneByOne() const {
    auto isPlain = [](const AccessNode &node) {
      bool isArrival = node.kind == AccessNode::Kind::Arrive;
      return node.kind != AccessNode::Kind::Roles &&
             (!isArrival || (node.oneThread && node.count == 1));
    };
    return llvm::all_of(program_.nodes, isPlain) &&
           llvm::all_of(program_.mbarriers,
                        [](const AccessMbarrier &m) { return m.arrivals == 1; });
  }

  // `isSure`: nothing is around it but sequences.
  void visit(uint32_t index, bool isSure) {
    const AccessNode &node = program_.nodes[index];
    bool isOpen = node.kind == AccessNode::Kind::Loop && node.minTrips != node.maxTrips;
    if (isOpen && synchronises(program_, index)) {
      canFollow_ &= isSure && !found_ && !node.isDivergent && node.stmt.isValid();
      found_ = OpenLoop{index};
      for (uint32_t child : node.children)
        measure(child);
      canFollow_ &= waitsForAll();
      return;
    }
    for (uint32_t child : node.children)
      visit(child, isSure && node.kind == AccessNode::Kind::Seq);
  }

  StmtId loop() const { return program_.nodes[found_->node].stmt; }

  // What stands in the loop.
  void measure(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    bool doesSynchronise = synchronises(program_, index);
    if (node.kind == AccessNode::Kind::Loop && doesSynchronise)
      canFollow_ = false;
    if (node.kind == AccessNode::Kind::If && doesSynchronise) {
      canFollow_ &= node.guardLoop == loop() && !node.rangeLoop.isValid() && !node.isDivergent;
      found_->distance = std::max(found_->distance, node.guardDistance);
    }
    if (node.mbarrier)
      measure(*node.mbarrier);
    if (node.kind == AccessNode::Kind::WaitPhase) {
      canFollow_ &= node.parity.divisor > 0;
      repeatBy(2 * node.parity.divisor);
      measure(node.parity.counter);
    }
    for (const Access &access : node.accesses) {
      if (access.slot.kind == Slot::Kind::Loop)
        repeatBy(access.slot.modulus);
      if (access.mbarrier)
        measure(*access.mbarrier);
    }
    for (uint32_t child : node.children)
      measure(child);
  }

  void measure(const MbarrierRef &ref) {
    repeatBy(ref.modulus);
    measure(ref.counter);
  }

  void measure(const LoopCounter &counter) {
    canFollow_ &= counter.offset >= 0;
    for (const LoopCounter::Term &term : counter.terms)
      canFollow_ &= term.loop == loop() && term.step >= 0;
  }

  void repeatBy(int64_t modulus) {
    canFollow_ &= modulus > 0 && modulus <= MaxPeriod;
    if (canFollow_)
      found_->period = std::min(std::lcm(found_->period, modulus), MaxPeriod + 1);
  }

  // Of each queue the groups that the loop commits it waits for, but for the newest of a period.
  bool waitsForAll() const {
    std::vector<const AccessNode *> commits, waits;
    collect(found_->node, commits, waits);
    return llvm::all_of(commits, [&](const AccessNode *commit) {
      return llvm::any_of(waits, [&](const AccessNode *wait) {
        return wait->queue == commit->queue && wait->pending <= found_->period;
      });
    });
  }

  // Those that every iteration comes to, and of commits all.
  void collect(uint32_t index, std::vector<const AccessNode *> &commits,
               std::vector<const AccessNode *> &waits) const {
    const AccessNode &node = program_.nodes[index];
    if (node.kind == AccessNode::Kind::Commit)
      commits.push_back(&node);
    if (node.kind == AccessNode::Kind::Wait && !node.oneThread)
      waits.push_back(&node);
    std::vector<const AccessNode *> perhaps;
    for (uint32_t child : node.children)
      collect(child, commits, node.kind == AccessNode::Kind::If ? perhaps : waits);
  }

  const AccessProgram &program_;
  std::optional<OpenLoop> found_;
  bool canFollow_ = true;
};

// Whether P(n) with one period more is known by P(n).
class RepetitionCheck {
public:
  RepetitionCheck(const AccessProgram &program, const OpenLoop &loop, const FollowedSteps &order,
                  int64_t length)
      : program_(program), order_(order.steps), steps_(order.steps.lanes.lanes[0].steps),
        period_(loop.period), lastSteady_(length - loop.distance - 1) {
    StmtId stmt = program.nodes[loop.node].stmt;
    begins_.assign(static_cast<size_t>(length) + 1, 0);
    for (auto [at, step] : llvm::enumerate(steps_))
      if (step.loop == stmt)
        begins_[static_cast<size_t>(step.iteration) + 1] = at + 1;
    auto isOfLoop = [&](const LaneStep &step) { return step.loop == stmt; };
    begins_[0] = static_cast<size_t>(llvm::find_if(steps_, isOfLoop) - steps_.begin());
    arrivals_.resize(program.mbarriers.size());
    for (auto [at, step] : llvm::enumerate(steps_))
      if (nodeOf(step).kind == AccessNode::Kind::Arrive && step.mbarrier != LaneStep::Unknown)
        arrivals_[static_cast<size_t>(step.mbarrier)].push_back(at);
  }

  bool run() {
    return llvm::is_sorted(begins_) && stepsRepeat() && figuresRepeat() && isNothingOld() &&
           isNothingAhead();
  }

private:
  const AccessNode &nodeOf(const LaneStep &step) const { return program_.nodes[step.node]; }
  size_t begin(int64_t iteration) const { return begins_[static_cast<size_t>(iteration)]; }
  size_t stride() const { return begin(2 * period_) - begin(period_); }

  bool stepsRepeat() const {
    for (size_t at = begin(0); at + stride() < begin(lastSteady_); ++at) {
      const LaneStep &one = steps_[at], &other = steps_[at + stride()];
      bool isSame = one.node == other.node && one.isOpaque == other.isOpaque &&
                    one.mbarrier == other.mbarrier && one.parity == other.parity &&
                    one.mbarriersOf == other.mbarriersOf && one.slotsOf == other.slotsOf;
      if (!isSame || one.iteration + period_ != other.iteration)
        return false;
    }
    return true;
  }

  // Of an mbarrier, in one period.
  int32_t phases(size_t mbarrier) const {
    return static_cast<int32_t>(llvm::count_if(arrivals_[mbarrier], [&](size_t at) {
      return begin(period_) <= at && at < begin(2 * period_);
    }));
  }

  // From the second period to the third.
  bool figuresRepeat() const {
    for (size_t mbarrier = 0; mbarrier != arrivals_.size(); ++mbarrier)
      if (phases(mbarrier) % 2 != 0)
        return false;
    for (size_t at = begin(period_); at != begin(2 * period_); ++at)
      if (!figuresRepeat(at) || !needsRepeat(at))
        return false;
    return true;
  }

  bool figuresRepeat(size_t at) const {
    for (size_t strand = 0; strand != order_.strands.size(); ++strand) {
      llvm::ArrayRef<int32_t> now = order_.knownAt(strand, at);
      llvm::ArrayRef<int32_t> later = order_.knownAt(strand, at + stride());
      for (size_t figure = 0; figure != now.size(); ++figure) {
        bool isOfStrand = figure < order_.strands.size();
        int32_t grown = later[figure] - now[figure];
        int32_t whole =
            isOfStrand ? static_cast<int32_t>(stride()) : phases(figure - order_.strands.size());
        if (grown != 0 && grown != whole)
          return false;
      }
    }
    return true;
  }

  bool needsRepeat(size_t at) const {
    llvm::ArrayRef<PhaseNeed> now = order_.arrivals[0][at];
    llvm::ArrayRef<PhaseNeed> later = order_.arrivals[0][at + stride()];
    return now.size() == later.size() && llvm::all_of(llvm::zip(now, later), [&](auto pair) {
             auto &[one, other] = pair;
             return one.mbarrier != PhaseNeed::Nothing && one.mbarrier == other.mbarrier &&
                    other.phases - one.phases == phases(static_cast<size_t>(one.mbarrier));
           });
  }

  // What is learned at a step, and what a copy needs, is of arrivals at most a period away.
  bool isNothingOld() const {
    for (int64_t k = 2 * period_; k + 1 < static_cast<int64_t>(begins_.size()); ++k)
      for (size_t at = begin(k); at != begin(k + 1); ++at)
        if (!isNear(at, begin(k - period_)))
          return false;
    for (size_t at = begins_.back(); at != steps_.size(); ++at)
      if (!isNear(at, begin(lastSteady_ - period_)))
        return false;
    return true;
  }

  bool isNear(size_t at, size_t oldest) const {
    const LaneStep &step = steps_[at];
    for (const PhaseNeed &need : order_.arrivals[0][at])
      if (need.mbarrier == PhaseNeed::Nothing || !isPhaseSince(need, oldest))
        return false;
    if (nodeOf(step).kind != AccessNode::Kind::WaitPhase || step.isOpaque)
      return true;
    if (step.mbarrier == LaneStep::Unknown || step.parity == LaneStep::Unknown)
      return false;
    for (size_t strand = 0; strand != order_.strands.size(); ++strand) {
      size_t figure = order_.strands.size() + static_cast<size_t>(step.mbarrier);
      int32_t ended = order_.knownAt(strand, at)[figure];
      if (ended % 2 == step.parity && !isPhaseSince({step.mbarrier, ended + 1}, oldest))
        return false;
    }
    return true;
  }

  // The arrival that ends it is no older step.
  bool isPhaseSince(const PhaseNeed &phase, size_t oldest) const {
    llvm::ArrayRef<size_t> arrivals = arrivals_[static_cast<size_t>(phase.mbarrier)];
    size_t number = static_cast<size_t>(phase.phases);
    return number != 0 && number <= arrivals.size() && oldest <= arrivals[number - 1];
  }

  // Nobody knows that another has come further than he has.
  bool isNothingAhead() const {
    for (size_t strand = 0; strand != order_.strands.size(); ++strand)
      for (size_t at = 0; at <= steps_.size(); ++at)
        for (int32_t figure : order_.knownAt(strand, at).take_front(order_.strands.size()))
          if (static_cast<size_t>(figure) > at)
            return false;
    return true;
  }

  const AccessProgram &program_;
  const StepOrder &order_;
  llvm::ArrayRef<LaneStep> steps_;
  int64_t period_;
  int64_t lastSteady_;                        // iterations before it have all guards true
  std::vector<size_t> begins_;                // of each iteration its first step, and their end
  std::vector<std::vector<size_t>> arrivals_; // per mbarrier: the steps
};

bool isFollowed(const FollowedSteps &order) {
  return order.gaps.empty() && order.steps.isKnown() && order.steps.lanes.lanes.size() == 1;
}

std::vector<OfLength> followOneLoop(const AccessProgram &program) {
  std::optional<OpenLoop> loop = LoopFinder(program).run();
  if (!loop)
    return {};
  std::vector<OfLength> made;
  int64_t enough = Periods * loop->period + loop->distance + 1;
  const AccessNode &node = program.nodes[loop->node];
  int64_t least = std::min(node.minTrips, enough);
  int64_t end = std::min(enough + loop->period, node.maxTrips.value_or(EveryLength) + 1);
  for (int64_t length = least; length < end; ++length) {
    OfLength one{withLength(program, loop->node, length), {}, {}};
    one.order = followSteps(one.program);
    if (!isFollowed(one.order) ||
        (length >= enough && !RepetitionCheck(one.program, *loop, one.order, length).run()))
      return {};
    made.push_back(std::move(one));
  }
  return made;
}

std::vector<OfLength> followTiles(const AccessProgram &program, const TileLoop &tiles) {
  std::vector<OfLength> made;
  for (const TileProgram &part : programsOfTiles(program, tiles)) {
    std::vector<OfLength> lengths = followOneLoop(part.program);
    if (lengths.empty())
      lengths.push_back({part.program, followSteps(part.program), {}});
    for (OfLength &one : lengths) {
      if (!isFollowed(one.order) || !isQuiet({one.program, part.quiet}, one.order))
        return {};
      one.quiet = part.quiet;
      made.push_back(std::move(one));
    }
  }
  return made;
}

} // namespace

std::vector<OfLength> followLengths(const AccessProgram &program) {
  std::optional<TileLoop> tiles = findTileLoop(program);
  return tiles ? followTiles(program, *tiles) : followOneLoop(program);
}

} // namespace tilescope
