// planArena: lower bound, greedy placements, exact search.
//
//   1. bound    the largest total of buffers live at one point; reached, it is the proof
//   2. greedy   placements under several orders: always a right plan
//   3. search   for a placement that meets the bound, and from the best plan down
#include "core/plan/planner.h"
#include "core/plan/restarts.h"

#include <algorithm>

namespace tilescope {

namespace {

// Above, first fit takes too long: it compares pairs of boxes, and their intervals.
constexpr size_t MaxFirstFitComparisons = 16'000'000;
// Most problems whose bound can be met are solved within this.
constexpr int64_t NodesAtBound = 1 << 16;
constexpr int64_t FirstRoundNodes = 1 << 16; // of one step, at most a part of the limit

class Planner {
public:
  Planner(const ArenaProblem &arena, const PlanLimits &limits)
      : arena_(arena), limits_(limits), problem_(makeSearchProblem(arena)),
        bound_(problem_.peakSize),
        enough_(std::max(bound_, limits.enoughBytes / problem_.unitBytes)) {}

  ArenaPlan run() {
    placeGreedily();
    if (height_ > enough_ && CanonicalSearch::canSearch(problem_))
      search();
    std::vector<int64_t> offsets;
    offsets.reserve(arena_.buffers.size());
    for (const ArenaBuffer &buffer : arena_.buffers)
      offsets.push_back(buffer.pinnedOffset.value_or(0));
    for (size_t box = 0; box != best_.size(); ++box)
      offsets[problem_.bufferOf[box]] = best_[box] * problem_.unitBytes;
    ArenaPlan plan = describePlan(arena_, offsets);
    plan.certificate = certify();
    return plan;
  }

private:
  bool isDone() const {
    return !best_.empty() && (height_ <= enough_ || (limits_.stop && limits_.stop()));
  }

  void keepLower(const Offsets &offsets) {
    int64_t height = heightOf(problem_, offsets);
    if (!best_.empty() && height >= height_)
      return;
    height_ = height;
    best_ = offsets;
  }

  void placeGreedily() {
    size_t intervals = 0;
    for (const SearchBox &box : problem_.boxes)
      intervals += box.live.size();
    if (problem_.boxes.size() * intervals > MaxFirstFitComparisons)
      return placeManyGreedily();
    for (BoxOrder kind : AllBoxOrders) {
      std::vector<int32_t> order = sortBoxes(problem_, kind);
      keepLower(placeFirstFit(problem_, order));
      if (isDone())
        return;
      if (std::optional<Offsets> offsets = placeOnSkyline(problem_, order))
        keepLower(*offsets);
      if (isDone())
        return;
    }
  }

  void placeManyGreedily() {
    for (BoxOrder kind : {BoxOrder::TotalAreaWidth, BoxOrder::Size, BoxOrder::Area}) {
      if (std::optional<Offsets> offsets = placeOnSkyline(problem_, sortBoxes(problem_, kind)))
        keepLower(*offsets);
      if (isDone())
        return;
    }
    // The skyline takes no pins.
    if (best_.empty())
      keepLower(placeFirstFit(problem_, sortBoxes(problem_, BoxOrder::Size)));
  }

  // At the bound first; then rounds of growing length from the best plan down. A step that is too
  // large is halved once: short steps cost as many nodes and gain little.
  void search() {
    RestartingSearch search(problem_);
    tryCapacity(search, enough_, std::min(NodesAtBound, limits_.searchNodes / 2 + 1),
                RunLengths::Doubling);
    for (int64_t nodes = std::min(FirstRoundNodes, limits_.searchNodes / 16 + 1); !hasEnded(search);
         nodes *= 2) {
      descend(search, nodes);
      if (!hasEnded(search))
        tryCapacity(search, enough_, nodes / 8, RunLengths::Doubling);
    }
    nodes_ = search.nodes();
  }

  void descend(RestartingSearch &search, int64_t nodes) {
    for (int64_t step = firstStep(); !hasEnded(search) && step > 0;) {
      SearchOutcome outcome = tryCapacity(search, height_ - step, nodes, RunLengths::Short);
      if (outcome != SearchOutcome::OutOfNodes)
        step = firstStep();
      else if (step < firstStep())
        return;
      else
        step /= 2;
    }
  }

  int64_t firstStep() const { return std::max<int64_t>((height_ - bound_) / 8, 1); }

  bool hasEnded(const RestartingSearch &search) const {
    return isDone() || height_ <= bound_ || search.nodes() >= limits_.searchNodes;
  }

  SearchOutcome tryCapacity(RestartingSearch &search, int64_t capacity, int64_t nodes,
                            RunLengths lengths) {
    nodes = std::min(nodes, limits_.searchNodes - search.nodes());
    SearchOutcome outcome = search.run(capacity, nodes, lengths, limits_.stop);
    if (outcome == SearchOutcome::Found)
      keepLower(search.offsets());
    if (outcome == SearchOutcome::Impossible) {
      bound_ = std::max(bound_, capacity + 1);
      enough_ = std::max(enough_, bound_);
    }
    return outcome;
  }

  Certificate certify() const {
    Certificate certificate;
    certificate.searchNodes = nodes_;
    certificate.boundBytes = bound_ * problem_.unitBytes;
    certificate.point = problem_.peakPoint.value_or(0);
    for (size_t buffer : problem_.peakBuffers)
      certificate.liveSet.push_back(arena_.buffers[buffer].id);
    if (height_ == problem_.peakSize && (problem_.peakPoint || height_ == 0))
      certificate.kind = ProofKind::LiveAtPoint;
    else if (height_ == bound_)
      certificate.kind = ProofKind::Exhausted;
    return certificate;
  }

  const ArenaProblem &arena_;
  const PlanLimits &limits_;
  SearchProblem problem_;
  // Units: no plan is lower than the bound, and none lower than `enough_` is looked for.
  int64_t bound_;
  int64_t enough_;
  Offsets best_;
  int64_t height_ = 0;
  int64_t nodes_ = 0;
};

} // namespace

ArenaPlan planArena(const ArenaProblem &problem, const PlanLimits &limits) {
  return Planner(problem, limits).run();
}

ArenaPlan planArena(const ArenaProblem &problem, int64_t nodeBudget) {
  return planArena(problem, {.searchNodes = nodeBudget, .enoughBytes = 0, .stop = {}});
}

} // namespace tilescope
