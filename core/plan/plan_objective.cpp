// choosePlan: which sets of barrier sites are enough for a plan that is low enough?
//
// With barriers at a set of sites, two buffers may overlap if one of the sites resolves each of
// their hazards; all others conflict. So the fewest barriers are the least set with which the
// buffers can be placed. First a local search tries sets quickly: none, single sites, and the set
// of the best plan with one site less. Then a best-first search goes through the sets that cost
// less than that of the best plan, from the least up, with a placer that proves what cannot be
// placed. A set with which that is so is enlarged by a site that resolves a hazard that was in the
// way there:
//
//     {}         C must be apart from A1 (sites 2, 4) and B (4)      too high
//     {2} {4}    with 4, C over both                                 placed: one barrier is fewest
//
// With the sites chosen, buffers are put back to the offsets that they had before, the height is
// lowered, and other orders are tried for less padding.
#include "core/plan/plan_objective.h"

#include "core/plan/conflict_placer.h"
#include "core/plan/exact_placer.h"
#include "core/plan/planner.h"
#include "core/plan/search_problem.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <set>

namespace tilescope {

namespace {

// Larger problems keep their least plan: the table of conflicts is quadratic, and made anew for
// each set of sites.
constexpr size_t MaxBuffers = 512;
constexpr int64_t MaxSteps = 1'000'000; // of placing
constexpr int MaxSets = 400;            // of sites, in the local search
// Of the proof, each branch of which copies a quadratic table of distances.
constexpr size_t MaxExactBuffers = 64;
constexpr int64_t MaxExactSteps = 1'000'000;
constexpr size_t MaxExactSets = 2000;

using Pins = std::vector<std::optional<int64_t>>;

struct Cost {
  double barrierRuns = 0;
  int64_t moved = 0;
  int64_t heightBytes = 0;

  friend auto operator<=>(const Cost &, const Cost &) = default;
};

struct Candidate {
  std::vector<int64_t> offsets;
  Cost cost;
  size_t barriers = 0;
  std::vector<unsigned> sites; // of its barriers
};

int64_t paddingOf(const ArenaPlan &plan) {
  int64_t bytes = 0;
  for (const Placement &placement : plan.placements)
    bytes += placement.paddingBytes;
  return bytes;
}

class PlanChooser {
public:
  PlanChooser(const ArenaProblem &problem, const ArenaPlan &least, const PlanObjective &objective)
      : problem_(problem), least_(least), objective_(objective), count_(problem.buffers.size()),
        grain_(grainBytesOf(problem)),
        highestBytes_(std::max(objective.highestBytes / grain_ * grain_, least.heightBytes)),
        limitBytes_(least.heightBytes),
        reuse_(objective.reuseHazards ? objective.reuseHazards() : ReuseHazards(count_)),
        withoutReuse_(reuse_.costWithoutReuse()), conflicts_(count_), placer_(problem),
        exact_(problem) {
    for (size_t first = 0; first != count_; ++first) {
      pins_.push_back(problem.buffers[first].pinnedOffset);
      for (size_t second = 0; second != first; ++second)
        if (conflictWitness(problem.buffers[first], problem.buffers[second]))
          conflicts_.set(first, second);
    }
    best_ = weigh(offsetsOf(least));
  }

  ChosenPlan run() {
    Candidate first = best_;
    bool isFewest = minimizeBarriers();
    if (highestBytes_ > least_.heightBytes && best_.cost.barrierRuns > withoutReuse_.runs) {
      limitBytes_ = highestBytes_;
      tried_.clear();
      isFewest = minimizeBarriers();
    }
    restoreOffsets();
    lowerHeight();
    ArenaPlan plan =
        first.offsets == best_.offsets ? least_ : describePlan(problem_, best_.offsets);
    reducePadding(plan);
    if (std::pair(best_.cost, paddingOf(plan)) < std::pair(first.cost, paddingOf(least_))) {
      slideDown(plan);
    } else {
      best_ = first;
      plan = least_;
    }
    plan.certificate = least_.certificate;
    size_t own = withoutReuse_.barriers;
    return {std::move(plan), best_.barriers - own, first.barriers - own, isFewest};
  }

private:
  // ---- Candidates ------------------------------------------------------------------------------

  static std::vector<int64_t> offsetsOf(const ArenaPlan &plan) {
    std::vector<int64_t> offsets;
    offsets.reserve(plan.placements.size());
    for (const Placement &placement : plan.placements)
      offsets.push_back(placement.offsetBytes);
    return offsets;
  }

  Candidate weigh(std::vector<int64_t> offsets) const {
    ReuseHazards::Cost barriers = reuse_.costOf(offsets);
    Candidate result{
        std::move(offsets), {barriers.runs, 0, 0}, barriers.barriers, std::move(barriers.sites)};
    for (size_t buffer = 0; buffer != count_; ++buffer) {
      int64_t offset = result.offsets[buffer];
      result.cost.moved += previousOf(buffer).value_or(offset) != offset;
      if (int64_t size = problem_.buffers[buffer].sizeBytes; size > 0)
        result.cost.heightBytes = std::max(result.cost.heightBytes, alignUp(offset + size, grain_));
    }
    return result;
  }

  bool keepIfBetter(Candidate candidate) {
    if (!(candidate.cost < best_.cost))
      return false;
    best_ = std::move(candidate);
    return true;
  }

  std::optional<int64_t> previousOf(size_t buffer) const {
    if (buffer >= objective_.previousOffsets.size() || problem_.buffers[buffer].sizeBytes == 0)
      return std::nullopt;
    return objective_.previousOffsets[buffer];
  }

  bool isSpent() const {
    return placer_.steps() >= MaxSteps || (objective_.stop && objective_.stop());
  }

  // As in the best plan, from the lowest offset up.
  std::vector<size_t> orderOfBest() const {
    std::vector<size_t> order = allocationOrder();
    llvm::stable_sort(order,
                      [&](size_t a, size_t b) { return best_.offsets[a] < best_.offsets[b]; });
    return order;
  }

  std::vector<size_t> allocationOrder() const {
    std::vector<size_t> order(count_);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  std::vector<size_t> largestFirst() const {
    std::vector<size_t> order = allocationOrder();
    llvm::stable_sort(order, [&](size_t a, size_t b) {
      return problem_.buffers[a].sizeBytes > problem_.buffers[b].sizeBytes;
    });
    return order;
  }

  std::vector<std::vector<size_t>> orders() const {
    return {orderOfBest(), allocationOrder(), largestFirst()};
  }

  // ---- Barriers --------------------------------------------------------------------------------

  // With barriers at `sites` and nowhere else.
  PlacementConflicts conflictsWith(llvm::ArrayRef<unsigned> sites) const {
    std::vector<bool> isResolved = resolvedBy(sites);
    PlacementConflicts conflicts = conflicts_;
    llvm::ArrayRef<ReuseHazards::VersionPair> pairs = reuse_.pairs();
    while (!pairs.empty()) {
      const ReuseHazards::VersionPair &first = pairs.front();
      llvm::ArrayRef<ReuseHazards::VersionPair> alike = pairs.take_while([&](const auto &pair) {
        return pair.firstBuffer == first.firstBuffer && pair.secondBuffer == first.secondBuffer;
      });
      addUnresolved(alike, isResolved, conflicts);
      pairs = pairs.drop_front(alike.size());
    }
    return conflicts;
  }

  std::vector<bool> resolvedBy(llvm::ArrayRef<unsigned> sites) const {
    llvm::BitVector chosen(static_cast<unsigned>(reuse_.siteCount()));
    for (unsigned site : sites)
      chosen.set(site);
    std::vector<bool> isResolved(reuse_.hazardCount());
    for (unsigned hazard = 0; hazard != isResolved.size(); ++hazard)
      isResolved[hazard] = reuse_.sitesOf(hazard).anyCommon(chosen);
    return isResolved;
  }

  // Of versions of the same two buffers: where they overlap, and there is no barrier for it.
  void addUnresolved(llvm::ArrayRef<ReuseHazards::VersionPair> pairs,
                     const std::vector<bool> &isResolved, PlacementConflicts &conflicts) const {
    llvm::SmallVector<DistanceRange, 4> ranges;
    for (const ReuseHazards::VersionPair &pair : pairs)
      if (llvm::any_of(pair.hazards, [&](unsigned hazard) { return !isResolved[hazard]; }))
        ranges.push_back(reuse_.overlapOf(pair));
    llvm::sort(ranges, [](DistanceRange a, DistanceRange b) { return a.above < b.above; });
    for (size_t at = 0; at < ranges.size();) {
      DistanceRange joined = ranges[at++];
      for (; at < ranges.size() && ranges[at].above < joined.below; ++at)
        joined.below = std::max(joined.below, ranges[at].below);
      size_t first = pairs.front().firstBuffer, second = pairs.front().secondBuffer;
      if (joined.above <= -problem_.buffers[second].sizeBytes &&
          joined.below >= problem_.buffers[first].sizeBytes)
        conflicts.set(first, second, PlacementConflicts::ByBarrier);
      else
        conflicts.add(first, second, joined);
    }
  }

  bool trySites(std::vector<unsigned> sites) {
    llvm::sort(sites);
    if (isSpent() || tried_.size() >= MaxSets || !tried_.insert(sites).second)
      return false;
    PlacementConflicts conflicts = conflictsWith(sites);
    for (std::vector<size_t> &order : orders())
      if (auto offsets = placer_.place(conflicts, limitBytes_, pins_, std::move(order)))
        if (keepIfBetter(weigh(std::move(*offsets))))
          return true;
    return false;
  }

  // True: it is proven that no plan below the limit passes barriers less often.
  bool minimizeBarriers() {
    if (best_.cost.barrierRuns <= withoutReuse_.runs)
      return best_.cost.barrierRuns == 0 || (withoutReuse_.isLeast && !reuse_.mayCostLess());
    std::vector<unsigned> undominated = undominatedSites();
    searchLocally(undominated);
    return proveFewest(undominated) && !reuse_.mayCostLess();
  }

  void searchLocally(llvm::ArrayRef<unsigned> undominated) {
    trySites(withoutReuse_.sites);
    for (unsigned site : undominated)
      if (withoutReuse_.runs + reuse_.runsOf(site) < best_.cost.barrierRuns)
        trySites(with(withoutReuse_.sites, site));
    while (dropOneSite() || replaceTwoSites(undominated))
      ;
  }

  static std::vector<unsigned> with(std::vector<unsigned> sites, unsigned site) {
    sites.push_back(site);
    return sites;
  }

  static std::vector<unsigned> without(std::vector<unsigned> sites, unsigned site) {
    llvm::erase(sites, site);
    return sites;
  }

  // Of the best plan, what is there for sharing; the most often passed first.
  std::vector<unsigned> sitesOfReuse() const {
    std::vector<unsigned> sites = best_.sites;
    llvm::erase_if(sites,
                   [&](unsigned site) { return llvm::is_contained(withoutReuse_.sites, site); });
    llvm::stable_sort(sites,
                      [&](unsigned a, unsigned b) { return reuse_.runsOf(a) > reuse_.runsOf(b); });
    return sites;
  }

  bool dropOneSite() {
    return llvm::any_of(sitesOfReuse(),
                        [&](unsigned site) { return trySites(without(best_.sites, site)); });
  }

  bool replaceTwoSites(llvm::ArrayRef<unsigned> undominated) {
    std::vector<unsigned> avoided = sitesOfReuse();
    for (size_t first = 0; first < avoided.size(); ++first)
      for (size_t second = first + 1; second < avoided.size(); ++second)
        for (unsigned site : undominated)
          if (reuse_.runsOf(site) <
                  reuse_.runsOf(avoided[first]) + reuse_.runsOf(avoided[second]) &&
              trySites(with(without(without(best_.sites, avoided[first]), avoided[second]), site)))
            return true;
    return false;
  }

  bool proveFewest(llvm::ArrayRef<unsigned> undominated) {
    if (count_ > MaxExactBuffers)
      return false;
    using Sites = std::vector<unsigned>;
    std::set<std::pair<double, Sites>> frontier{{0, {}}};
    std::set<Sites> seen;
    bool isProven = true;
    nogoods_.clear();
    while (!frontier.empty() && frontier.begin()->first < best_.cost.barrierRuns) {
      auto [runs, sites] = *frontier.begin();
      frontier.erase(frontier.begin());
      llvm::BitVector unresolved;
      if (std::optional<Candidate> found = placeExactly(sites, unresolved, isProven)) {
        // Where its own hitting set was not proven least it may cost more than these sites.
        isProven &= found->cost.barrierRuns <= runs;
        keepIfBetter(std::move(*found));
        continue;
      }
      for (unsigned site : undominated) {
        Sites more = with(sites, site);
        llvm::sort(more);
        if (runs + reuse_.runsOf(site) < best_.cost.barrierRuns && resolvesAny(site, unresolved) &&
            seen.insert(more).second)
          frontier.insert({runs + reuse_.runsOf(site), std::move(more)});
      }
      if (seen.size() > MaxExactSets || (objective_.stop && objective_.stop()))
        return false;
    }
    return isProven;
  }

  bool resolvesAny(unsigned site, const llvm::BitVector &unresolved) const {
    return llvm::any_of(unresolved.set_bits(),
                        [&](unsigned hazard) { return reuse_.sitesOf(hazard).test(site); });
  }

  // With barriers at `sites`; nothing: no placement is low enough as long as none of the
  // hazards `unresolved` is resolved. `isProven` is cleared where that is not sure.
  std::optional<Candidate> placeExactly(llvm::ArrayRef<unsigned> sites, llvm::BitVector &unresolved,
                                        bool &isProven) {
    std::vector<bool> isResolved = resolvedBy(sites);
    unresolved.resize(static_cast<unsigned>(reuse_.hazardCount()));
    for (unsigned hazard : reuse_.ownHazards().set_bits())
      if (!isResolved[hazard]) {
        unresolved.set(hazard);
        return std::nullopt;
      }
    for (const llvm::BitVector &known : nogoods_)
      if (llvm::none_of(known.set_bits(), [&](unsigned hazard) { return isResolved[hazard]; })) {
        unresolved = known;
        return std::nullopt;
      }
    ExactPlacer::Outcome outcome =
        exact_.place(conflictsWith(sites), limitBytes_, pins_, MaxExactSteps);
    if (outcome == ExactPlacer::Outcome::Placed)
      return weigh(exact_.offsets());
    isProven &= outcome == ExactPlacer::Outcome::Impossible;
    for (const ReuseHazards::VersionPair &pair : reuse_.pairs())
      if (exact_.core().count(std::minmax<size_t>(pair.firstBuffer, pair.secondBuffer)))
        for (unsigned hazard : pair.hazards)
          if (!isResolved[hazard])
            unresolved.set(hazard);
    if (outcome == ExactPlacer::Outcome::Impossible)
      nogoods_.push_back(unresolved);
    return std::nullopt;
  }

  // Those that resolve most hazards per pass first. A site is dominated
  // by one that resolves all that it resolves and is passed no more often.
  std::vector<unsigned> undominatedSites() const {
    std::vector<llvm::BitVector> resolves(
        reuse_.siteCount(), llvm::BitVector(static_cast<unsigned>(reuse_.hazardCount())));
    for (unsigned hazard = 0; hazard != reuse_.hazardCount(); ++hazard)
      for (unsigned site : reuse_.sitesOf(hazard).set_bits())
        resolves[site].set(hazard);
    std::vector<unsigned> sites;
    for (unsigned site = 0; site != resolves.size(); ++site) {
      bool isDominated = false;
      for (unsigned other = 0; other != resolves.size() && !isDominated; ++other)
        isDominated = other != site && !resolves[site].test(resolves[other]) &&
                      reuse_.runsOf(other) <= reuse_.runsOf(site) &&
                      (resolves[site] != resolves[other] || other > site);
      if (!isDominated)
        sites.push_back(site);
    }
    llvm::stable_sort(sites, [&](unsigned a, unsigned b) {
      return resolves[a].count() / reuse_.runsOf(a) > resolves[b].count() / reuse_.runsOf(b);
    });
    return sites;
  }

  // ---- Previous offsets, height, padding -------------------------------------------------------

  bool mayLieAt(size_t buffer, int64_t offset) const {
    const ArenaBuffer &one = problem_.buffers[buffer];
    return offset >= 0 && one.sizeBytes <= highestBytes_ &&
           offset <= highestBytes_ - one.sizeBytes &&
           offset % std::max<int64_t>(one.alignmentBytes, 1) == 0;
  }

  bool tryPins(const PlacementConflicts &conflicts, const Pins &pins) {
    std::optional<std::vector<int64_t>> offsets =
        placer_.place(conflicts, highestBytes_, pins, orderOfBest());
    if (!offsets)
      return false;
    Candidate candidate = weigh(std::move(*offsets));
    bool isAsGood = candidate.cost.barrierRuns <= best_.cost.barrierRuns;
    keepIfBetter(std::move(candidate));
    return isAsGood;
  }

  void restoreOffsets() {
    if (best_.cost.moved == 0)
      return;
    Pins all = pins_;
    for (size_t buffer = 0; buffer != count_; ++buffer)
      if (std::optional<int64_t> offset = previousOf(buffer);
          offset && !all[buffer] && mayLieAt(buffer, *offset))
        all[buffer] = offset;
    tryPins(conflicts_, all);
    PlacementConflicts conflicts = conflictsWith(best_.sites);
    restoreOneByOne(conflicts, pinsOfBest(), all);
    restoreOneByOne(conflicts, pins_, all);
  }

  // In order of allocation, if the rest can do with it.
  void restoreOneByOne(const PlacementConflicts &conflicts, Pins pins, const Pins &wanted) {
    for (size_t buffer = 0; buffer != count_ && best_.cost.moved > 0 && !isSpent(); ++buffer) {
      if (pins[buffer] || !wanted[buffer])
        continue;
      pins[buffer] = wanted[buffer];
      if (!tryPins(conflicts, pins))
        pins[buffer].reset();
    }
  }

  // Of the problem, and buffers that lie where they lay before.
  Pins pinsOfBest() const {
    Pins pins = pins_;
    for (size_t buffer = 0; buffer != count_; ++buffer)
      if (previousOf(buffer) == best_.offsets[buffer])
        pins[buffer] = best_.offsets[buffer];
    return pins;
  }

  void lowerHeight() {
    if (best_.cost.heightBytes == least_.heightBytes)
      return;
    PlacementConflicts conflicts = conflictsWith(best_.sites);
    int64_t low = least_.heightBytes;
    while (low < best_.cost.heightBytes && !isSpent()) {
      int64_t limit = low + (best_.cost.heightBytes - low) / 2 / grain_ * grain_;
      std::optional<std::vector<int64_t>> offsets =
          placer_.place(conflicts, limit, pinsOfBest(), orderOfBest());
      if (!offsets || !keepIfBetter(weigh(std::move(*offsets))))
        low = limit + grain_;
    }
  }

  void reducePadding(ArenaPlan &plan) {
    if (paddingOf(plan) == 0)
      return;
    PlacementConflicts conflicts = conflictsWith(best_.sites);
    for (std::vector<size_t> &order : orders()) {
      std::optional<std::vector<int64_t>> offsets =
          placer_.place(conflicts, best_.cost.heightBytes, pinsOfBest(), std::move(order));
      if (!offsets)
        continue;
      Candidate candidate = weigh(std::move(*offsets));
      ArenaPlan padded = describePlan(problem_, candidate.offsets);
      if (std::pair(candidate.cost, paddingOf(padded)) >= std::pair(best_.cost, paddingOf(plan)))
        continue;
      best_ = std::move(candidate);
      plan = std::move(padded);
    }
  }

  // In order of allocation each to the lowest offset that is free, if that costs nothing.
  void slideDown(ArenaPlan &plan) {
    PlacementConflicts conflicts = conflictsWith(best_.sites);
    Pins pins(best_.offsets.begin(), best_.offsets.end());
    for (size_t buffer = 0; buffer != count_; ++buffer) {
      pins[buffer] = pins_[buffer];
      if (auto offsets = placer_.place(conflicts, best_.cost.heightBytes, pins, {buffer}))
        pins[buffer] = (*offsets)[buffer];
      else
        pins[buffer] = best_.offsets[buffer];
    }
    std::vector<int64_t> offsets;
    for (std::optional<int64_t> pin : pins)
      offsets.push_back(*pin);
    Candidate candidate = weigh(std::move(offsets));
    if (candidate.offsets == best_.offsets || candidate.cost > best_.cost)
      return;
    ArenaPlan lowered = describePlan(problem_, candidate.offsets);
    if (candidate.cost == best_.cost && paddingOf(lowered) > paddingOf(plan))
      return;
    best_ = std::move(candidate);
    plan = std::move(lowered);
  }

  const ArenaProblem &problem_;
  const ArenaPlan &least_;
  const PlanObjective &objective_;
  size_t count_;
  int64_t grain_;
  int64_t highestBytes_;
  int64_t limitBytes_; // of what is tried
  ReuseHazards reuse_;
  ReuseHazards::Cost withoutReuse_;
  PlacementConflicts conflicts_; // by lifetimes
  Pins pins_;                    // of the problem
  ConflictPlacer placer_;
  ExactPlacer exact_;
  std::vector<llvm::BitVector>
      nogoods_; // hazards: while none of them is resolved, no plan is low enough
  std::set<std::vector<unsigned>> tried_;
  Candidate best_;
};

bool hasSomethingToWeigh(const ArenaPlan &least, const PlanObjective &objective) {
  if (least.placements.size() > MaxBuffers)
    return false;
  for (auto [index, placement] : llvm::enumerate(least.placements))
    if (!placement.sharesWith.empty() || placement.paddingBytes > 0 ||
        (index < objective.previousOffsets.size() &&
         objective.previousOffsets[index].value_or(placement.offsetBytes) != placement.offsetBytes))
      return true;
  return false;
}

} // namespace

ChosenPlan choosePlan(const ArenaProblem &problem, const ArenaPlan &least,
                      const PlanObjective &objective) {
  if (!hasSomethingToWeigh(least, objective))
    return {.plan = least, .isFewest = least.placements.size() <= MaxBuffers};
  return PlanChooser(problem, least, objective).run();
}

} // namespace tilescope
