// choosePlan: which sets of barriers are enough for a plan that is low enough?
//
// With a set of places that have a barrier, two buffers may overlap if each of their needs has one
// of them; all others conflict. So the fewest barriers are the cheapest set with which the buffers
// can be placed. First sets are tried quickly: none, single places, and the set of the best plan
// with one place less. Then the sets that are cheaper than those of the best plan are gone through,
// from the cheapest up, with a placer that proves what cannot be placed. A set with which that is
// so is enlarged by a place that would have helped there:
//
//     {}         C must be apart from A1 (places 2, 4) and B (4)      too high
//     {2} {4}    with 4, C over both                                  placed: one barrier is fewest
//
// With the places settled, buffers are put back to where they lay, the height is lowered, and other
// orders are tried for less padding.
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

// Larger problems keep their least plan.
constexpr size_t MaxBuffers = 512;
constexpr int64_t MaxSteps = 1'000'000; // of placing
constexpr int MaxSets = 400;            // of places
// For the proof.
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
  std::vector<unsigned> places; // of its barriers
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
        handOvers_(objective.handOvers ? objective.handOvers() : HandOvers(count_)),
        none_(handOvers_.costOfNone()), conflicts_(count_), placer_(problem), exact_(problem) {
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
    bool isFewest = settleBarriers();
    if (highestBytes_ > least_.heightBytes && best_.cost.barrierRuns > none_.runs) {
      limitBytes_ = highestBytes_;
      tried_.clear();
      isFewest = settleBarriers();
    }
    putBack();
    lower();
    ArenaPlan plan =
        first.offsets == best_.offsets ? least_ : describePlan(problem_, best_.offsets);
    padLess(plan);
    if (std::pair(best_.cost, paddingOf(plan)) < std::pair(first.cost, paddingOf(least_))) {
      sink(plan);
    } else {
      best_ = first;
      plan = least_;
    }
    plan.certificate = least_.certificate;
    size_t own = none_.barriers;
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
    HandOvers::Cost barriers = handOvers_.costOf(offsets);
    Candidate result{
        std::move(offsets), {barriers.runs, 0, 0}, barriers.barriers, std::move(barriers.places)};
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

  // With barriers at `places` and nowhere else.
  PlacementConflicts conflictsWith(llvm::ArrayRef<unsigned> places) const {
    std::vector<bool> isMet = needsMetBy(places);
    PlacementConflicts conflicts = conflicts_;
    llvm::ArrayRef<HandOvers::VersionPair> pairs = handOvers_.pairs();
    while (!pairs.empty()) {
      const HandOvers::VersionPair &first = pairs.front();
      llvm::ArrayRef<HandOvers::VersionPair> alike = pairs.take_while([&](const auto &pair) {
        return pair.firstBuffer == first.firstBuffer && pair.secondBuffer == first.secondBuffer;
      });
      addUnmet(alike, isMet, conflicts);
      pairs = pairs.drop_front(alike.size());
    }
    return conflicts;
  }

  std::vector<bool> needsMetBy(llvm::ArrayRef<unsigned> places) const {
    llvm::BitVector chosen(static_cast<unsigned>(handOvers_.placeCount()));
    for (unsigned place : places)
      chosen.set(place);
    std::vector<bool> isMet(handOvers_.needCount());
    for (unsigned need = 0; need != isMet.size(); ++need)
      isMet[need] = handOvers_.need(need).anyCommon(chosen);
    return isMet;
  }

  // Of versions of the same two buffers: where they overlap, and there is no barrier for it.
  void addUnmet(llvm::ArrayRef<HandOvers::VersionPair> pairs, const std::vector<bool> &isMet,
                PlacementConflicts &conflicts) const {
    llvm::SmallVector<DistanceRange, 4> ranges;
    for (const HandOvers::VersionPair &pair : pairs)
      if (llvm::any_of(pair.needs, [&](unsigned need) { return !isMet[need]; }))
        ranges.push_back(handOvers_.overlapOf(pair));
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

  bool tryPlaces(std::vector<unsigned> places) {
    llvm::sort(places);
    if (isSpent() || tried_.size() >= MaxSets || !tried_.insert(places).second)
      return false;
    PlacementConflicts conflicts = conflictsWith(places);
    for (std::vector<size_t> &order : orders())
      if (auto offsets = placer_.place(conflicts, limitBytes_, pins_, std::move(order)))
        if (keepIfBetter(weigh(std::move(*offsets))))
          return true;
    return false;
  }

  // True: no plan below the limit passes barriers less often.
  bool settleBarriers() {
    if (best_.cost.barrierRuns <= none_.runs)
      return best_.cost.barrierRuns == 0 || (none_.isFewest && !handOvers_.mayCostLess());
    std::vector<unsigned> useful = usefulPlaces();
    avoidBarriers(useful);
    return proveFewest(useful) && !handOvers_.mayCostLess();
  }

  void avoidBarriers(llvm::ArrayRef<unsigned> useful) {
    tryPlaces(none_.places);
    for (unsigned place : useful)
      if (none_.runs + handOvers_.runsOf(place) < best_.cost.barrierRuns)
        tryPlaces(with(none_.places, place));
    while (dropOne() || replaceTwo(useful))
      ;
  }

  static std::vector<unsigned> with(std::vector<unsigned> places, unsigned place) {
    places.push_back(place);
    return places;
  }

  static std::vector<unsigned> without(std::vector<unsigned> places, unsigned place) {
    llvm::erase(places, place);
    return places;
  }

  // Of the best plan, what is there for sharing; the dearest first.
  std::vector<unsigned> placesToAvoid() const {
    std::vector<unsigned> places = best_.places;
    llvm::erase_if(places, [&](unsigned place) { return llvm::is_contained(none_.places, place); });
    llvm::stable_sort(places, [&](unsigned a, unsigned b) {
      return handOvers_.runsOf(a) > handOvers_.runsOf(b);
    });
    return places;
  }

  bool dropOne() {
    return llvm::any_of(placesToAvoid(),
                        [&](unsigned place) { return tryPlaces(without(best_.places, place)); });
  }

  bool replaceTwo(llvm::ArrayRef<unsigned> useful) {
    std::vector<unsigned> avoided = placesToAvoid();
    for (size_t first = 0; first < avoided.size(); ++first)
      for (size_t second = first + 1; second < avoided.size(); ++second)
        for (unsigned place : useful)
          if (handOvers_.runsOf(place) <
                  handOvers_.runsOf(avoided[first]) + handOvers_.runsOf(avoided[second]) &&
              tryPlaces(
                  with(without(without(best_.places, avoided[first]), avoided[second]), place)))
            return true;
    return false;
  }

  bool proveFewest(llvm::ArrayRef<unsigned> useful) {
    if (count_ > MaxExactBuffers)
      return false;
    using Places = std::vector<unsigned>;
    std::set<std::pair<double, Places>> open{{0, {}}};
    std::set<Places> seen;
    bool isShown = true;
    impossible_.clear();
    while (!open.empty() && open.begin()->first < best_.cost.barrierRuns) {
      auto [runs, places] = *open.begin();
      open.erase(open.begin());
      llvm::BitVector unmet;
      if (std::optional<Candidate> found = placeExactly(places, unmet, isShown)) {
        // With what the choice of gaps makes of it.
        isShown &= found->cost.barrierRuns <= runs;
        keepIfBetter(std::move(*found));
        continue;
      }
      for (unsigned place : useful) {
        Places more = with(places, place);
        llvm::sort(more);
        if (runs + handOvers_.runsOf(place) < best_.cost.barrierRuns && helps(place, unmet) &&
            seen.insert(more).second)
          open.insert({runs + handOvers_.runsOf(place), std::move(more)});
      }
      if (seen.size() > MaxExactSets || (objective_.stop && objective_.stop()))
        return false;
    }
    return isShown;
  }

  bool helps(unsigned place, const llvm::BitVector &unmet) const {
    return llvm::any_of(unmet.set_bits(),
                        [&](unsigned need) { return handOvers_.need(need).test(place); });
  }

  // With barriers at `places`; nothing: no placement is low enough as long as none of the needs
  // `unmet` is met. `isShown` is cleared where that is not sure.
  std::optional<Candidate> placeExactly(llvm::ArrayRef<unsigned> places, llvm::BitVector &unmet,
                                        bool &isShown) {
    std::vector<bool> isMet = needsMetBy(places);
    unmet.resize(static_cast<unsigned>(handOvers_.needCount()));
    for (unsigned need : handOvers_.ownNeeds().set_bits())
      if (!isMet[need]) {
        unmet.set(need);
        return std::nullopt;
      }
    for (const llvm::BitVector &known : impossible_)
      if (llvm::none_of(known.set_bits(), [&](unsigned need) { return isMet[need]; })) {
        unmet = known;
        return std::nullopt;
      }
    ExactPlacer::Outcome outcome =
        exact_.place(conflictsWith(places), limitBytes_, pins_, MaxExactSteps);
    if (outcome == ExactPlacer::Outcome::Placed)
      return weigh(exact_.offsets());
    isShown &= outcome == ExactPlacer::Outcome::Impossible;
    for (const HandOvers::VersionPair &pair : handOvers_.pairs())
      if (exact_.used().count(std::minmax<size_t>(pair.firstBuffer, pair.secondBuffer)))
        for (unsigned need : pair.needs)
          if (!isMet[need])
            unmet.set(need);
    if (outcome == ExactPlacer::Outcome::Impossible)
      impossible_.push_back(unmet);
    return std::nullopt;
  }

  // Those that meet most per pass first, without those that another, no dearer one, makes needless.
  std::vector<unsigned> usefulPlaces() const {
    std::vector<llvm::BitVector> meets(
        handOvers_.placeCount(), llvm::BitVector(static_cast<unsigned>(handOvers_.needCount())));
    for (unsigned need = 0; need != handOvers_.needCount(); ++need)
      for (unsigned place : handOvers_.need(need).set_bits())
        meets[place].set(need);
    std::vector<unsigned> places;
    for (unsigned place = 0; place != meets.size(); ++place) {
      bool isNeedless = false;
      for (unsigned other = 0; other != meets.size() && !isNeedless; ++other)
        isNeedless = other != place && !meets[place].test(meets[other]) &&
                     handOvers_.runsOf(other) <= handOvers_.runsOf(place) &&
                     (meets[place] != meets[other] || other > place);
      if (!isNeedless)
        places.push_back(place);
    }
    llvm::stable_sort(places, [&](unsigned a, unsigned b) {
      return meets[a].count() / handOvers_.runsOf(a) > meets[b].count() / handOvers_.runsOf(b);
    });
    return places;
  }

  // ---- Old places, height, padding -------------------------------------------------------------

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

  void putBack() {
    if (best_.cost.moved == 0)
      return;
    Pins all = pins_;
    for (size_t buffer = 0; buffer != count_; ++buffer)
      if (std::optional<int64_t> offset = previousOf(buffer);
          offset && !all[buffer] && mayLieAt(buffer, *offset))
        all[buffer] = offset;
    tryPins(conflicts_, all);
    PlacementConflicts conflicts = conflictsWith(best_.places);
    putBackOneByOne(conflicts, pinsOfBest(), all);
    putBackOneByOne(conflicts, pins_, all);
  }

  // In order of allocation, if the rest can do with it.
  void putBackOneByOne(const PlacementConflicts &conflicts, Pins pins, const Pins &wanted) {
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

  void lower() {
    if (best_.cost.heightBytes == least_.heightBytes)
      return;
    PlacementConflicts conflicts = conflictsWith(best_.places);
    int64_t low = least_.heightBytes;
    while (low < best_.cost.heightBytes && !isSpent()) {
      int64_t limit = low + (best_.cost.heightBytes - low) / 2 / grain_ * grain_;
      std::optional<std::vector<int64_t>> offsets =
          placer_.place(conflicts, limit, pinsOfBest(), orderOfBest());
      if (!offsets || !keepIfBetter(weigh(std::move(*offsets))))
        low = limit + grain_;
    }
  }

  void padLess(ArenaPlan &plan) {
    if (paddingOf(plan) == 0)
      return;
    PlacementConflicts conflicts = conflictsWith(best_.places);
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
  void sink(ArenaPlan &plan) {
    PlacementConflicts conflicts = conflictsWith(best_.places);
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
    ArenaPlan sunk = describePlan(problem_, candidate.offsets);
    if (candidate.cost == best_.cost && paddingOf(sunk) > paddingOf(plan))
      return;
    best_ = std::move(candidate);
    plan = std::move(sunk);
  }

  const ArenaProblem &problem_;
  const ArenaPlan &least_;
  const PlanObjective &objective_;
  size_t count_;
  int64_t grain_;
  int64_t highestBytes_;
  int64_t limitBytes_; // of what is tried
  HandOvers handOvers_;
  HandOvers::Cost none_;
  PlacementConflicts conflicts_; // by lifetimes
  Pins pins_;                    // of the problem
  ConflictPlacer placer_;
  ExactPlacer exact_;
  std::vector<llvm::BitVector> impossible_; // needs; while none is met, nothing is low enough
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
