#include "core/plan/hand_overs.h"

#include "core/plan/barrier_hazards.h"
#include "core/plan/barrier_plan.h"
#include "core/plan/gap_choice.h"
#include "core/plan/planner.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilescope {

namespace {

// How often a barrier would be passed that can stand nowhere: the plan would not compile.
constexpr double Impossible = 1e15;

// Sets of which none lies within another: what settles {a} settles {a, b} as well.
using LeastSets = llvm::SmallVector<llvm::BitVector, 2>;

bool isSubset(const llvm::BitVector &a, const llvm::BitVector &b) { return !a.test(b); }

void addLeast(LeastSets &sets, const llvm::BitVector &set) {
  if (llvm::any_of(sets, [&](const llvm::BitVector &known) { return isSubset(known, set); }))
    return;
  llvm::erase_if(sets, [&](const llvm::BitVector &known) { return isSubset(set, known); });
  sets.push_back(set);
}

struct LessBits {
  bool operator()(const llvm::BitVector &a, const llvm::BitVector &b) const {
    return std::ranges::lexicographical_compare(a.getData(), b.getData());
  }
};

// Per buffer of the program: its index in the problem.
std::vector<std::optional<uint32_t>> indicesOf(const AccessProgram &program,
                                               const ArenaProblem &problem) {
  std::vector<std::optional<uint32_t>> indices(program.buffers.size());
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (std::optional<size_t> known = indexOf(program, buffer.id))
      indices[*known] = static_cast<uint32_t>(index);
  return indices;
}

// Per two buffers of the problem.
std::vector<bool> sharable(const ArenaProblem &problem) {
  size_t count = problem.buffers.size();
  std::vector<bool> result(count * count, false);
  for (size_t first = 0; first != count; ++first)
    for (size_t second = 0; second != first; ++second)
      if (problem.buffers[first].sizeBytes > 0 && problem.buffers[second].sizeBytes > 0 &&
          !conflictWitness(problem.buffers[first], problem.buffers[second]))
        result[first * count + second] = result[second * count + first] = true;
  return result;
}

// Per buffer of the program.
std::vector<const BufferBytes *> placesOf(const AccessProgram &program,
                                          llvm::ArrayRef<BufferBytes> others) {
  std::vector<const BufferBytes *> places(program.buffers.size(), nullptr);
  for (const BufferBytes &other : others)
    if (std::optional<size_t> known = indexOf(program, other.buffer))
      places[*known] = &other;
  return places;
}

bool overlap(const BufferBytes &first, int64_t firstSlot, const BufferBytes &second,
             int64_t secondSlot) {
  int64_t left = first.offsetBytes + firstSlot * first.strideBytes;
  int64_t right = second.offsetBytes + secondSlot * second.strideBytes;
  return left < right + second.sizeBytes && right < left + first.sizeBytes;
}

} // namespace

HandOvers::HandOvers(const AccessProgram &program, const ArenaProblem &problem,
                     llvm::ArrayRef<BufferBytes> versions, llvm::ArrayRef<BufferBytes> others)
    : program_(&program), versions_(versions), others_(others) {
  using Version = std::pair<uint32_t, int64_t>; // of a buffer
  std::map<std::pair<Version, Version>, LeastSets> shared;
  LeastSets own;
  std::vector<std::optional<uint32_t>> indices = indicesOf(program, problem);
  std::vector<const BufferBytes *> placed = placesOf(program, others);
  std::vector<bool> canShare = sharable(problem);
  std::vector<BarrierGap> gaps = listGaps(program);
  auto mayOverlap = [&](const SlotAccess &a, const SlotAccess &b) {
    if (placed[a.buffer] && placed[b.buffer])
      return overlap(*placed[a.buffer], a.slot, *placed[b.buffer], b.slot);
    std::optional<uint32_t> first = indices[a.buffer], second = indices[b.buffer];
    return first && second && canShare[*first * versions.size() + *second];
  };
  auto meet = [&](const SlotAccess &a, const SlotAccess &b, const llvm::BitVector &at) {
    // No plan is to blame for global memory that no barrier can order.
    bool isLost = at.none() && a.buffer == b.buffer && !indices[a.buffer] && !placed[a.buffer];
    if (isLost)
      return;
    if (a.buffer == b.buffer || placed[a.buffer])
      return addLeast(own, at);
    Version first(*indices[a.buffer], a.slot), second(*indices[b.buffer], b.slot);
    addLeast(shared[std::minmax(first, second)], at);
  };
  forEachMeeting(program, gaps, mayOverlap, meet);

  std::map<llvm::BitVector, unsigned, LessBits> numbers;
  auto numbersOf = [&](const LeastSets &sets) {
    Needs result;
    for (const llvm::BitVector &set : sets) {
      auto [found, isNew] = numbers.try_emplace(set, static_cast<unsigned>(needs_.size()));
      if (isNew)
        needs_.push_back(set);
      result.push_back(found->second);
    }
    return result;
  };
  Needs ownNeeds = numbersOf(own);
  for (const auto &[pair, sets] : shared)
    pairs_.push_back({pair.first.first, pair.second.first, pair.first.second, pair.second.second,
                      numbersOf(sets)});
  llvm::stable_sort(pairs_, [](const VersionPair &a, const VersionPair &b) {
    return std::pair(a.firstBuffer, a.secondBuffer) < std::pair(b.firstBuffer, b.secondBuffer);
  });
  own_.resize(static_cast<unsigned>(needs_.size()));
  for (unsigned need : ownNeeds)
    own_.set(need);
  mergeAlikePlaces(gaps);
  findImplied();
  mayCostLess_ = standInBothArms(program, {seqs_.begin(), seqs_.end()});
}

// Of places of the same needs the last of the cheapest: the one that chooseGaps would take.
void HandOvers::mergeAlikePlaces(llvm::ArrayRef<BarrierGap> gaps) {
  std::map<llvm::BitVector, unsigned, LessBits> bestOf; // by the needs that have the place
  for (unsigned place = 0; place != gaps.size(); ++place) {
    llvm::BitVector members(static_cast<unsigned>(needs_.size()));
    for (auto [index, need] : llvm::enumerate(needs_))
      if (need.test(place))
        members.set(static_cast<unsigned>(index));
    if (members.none())
      continue;
    auto [found, isNew] = bestOf.try_emplace(std::move(members), place);
    if (!isNew && gaps[place].runs <= gaps[found->second].runs)
      found->second = place;
  }
  std::vector<unsigned> kept;
  kept.reserve(bestOf.size());
  for (const auto &[members, place] : bestOf)
    kept.push_back(place);
  llvm::sort(kept);
  for (unsigned place : kept) {
    runs_.push_back(gaps[place].runs);
    seqs_.push_back(gaps[place].seq);
  }
  for (llvm::BitVector &need : needs_) {
    llvm::BitVector merged(static_cast<unsigned>(kept.size()));
    for (auto [index, place] : llvm::enumerate(kept))
      merged[static_cast<unsigned>(index)] = need.test(place);
    need = std::move(merged);
  }
}

void HandOvers::findImplied() {
  implied_.resize(needs_.size(), llvm::BitVector(static_cast<unsigned>(needs_.size())));
  for (unsigned need = 0; need != needs_.size(); ++need)
    for (unsigned other = 0; other != needs_.size(); ++other)
      if (other != need && isSubset(needs_[need], needs_[other]))
        implied_[need].set(other);
}

DistanceRange HandOvers::overlapOf(const VersionPair &pair) const {
  const BufferBytes &first = versions_[pair.firstBuffer];
  const BufferBytes &second = versions_[pair.secondBuffer];
  int64_t between = pair.firstVersion * first.strideBytes - pair.secondVersion * second.strideBytes;
  return {between - second.sizeBytes, between + first.sizeBytes};
}

HandOvers::Cost HandOvers::costOf(llvm::ArrayRef<int64_t> offsetBytes) const {
  llvm::BitVector needs = own_;
  for (const VersionPair &pair : pairs_)
    if (overlapOf(pair).contains(offsetBytes[pair.secondBuffer] - offsetBytes[pair.firstBuffer]))
      for (unsigned need : pair.needs)
        needs.set(need);
  Cost cost = costOfNeeds(needs);
  if (isInBothArms(cost.places))
    planAgain(offsetBytes, cost);
  return cost;
}

HandOvers::Cost HandOvers::costOfNone() const { return costOfNeeds(own_); }

bool HandOvers::isInBothArms(llvm::ArrayRef<unsigned> places) const {
  if (places.empty() || !mayCostLess_)
    return false;
  std::set<uint32_t> seqs;
  for (unsigned place : places)
    seqs.insert(seqs_[place]);
  return standInBothArms(*program_, seqs);
}

void HandOvers::planAgain(llvm::ArrayRef<int64_t> offsetBytes, Cost &cost) const {
  std::vector<BufferBytes> bytes = others_;
  for (auto [version, offset] : llvm::zip(versions_, offsetBytes)) {
    bytes.push_back(version);
    bytes.back().offsetBytes = offset;
  }
  BarrierPlan plan = planBarriers(*program_, bytes);
  cost.runs = Impossible * static_cast<double>(plan.unsolved.size());
  for (const BarrierSite &site : plan.sites)
    cost.runs += site.runs;
  cost.barriers = plan.sites.size();
}

HandOvers::Cost HandOvers::costOfNeeds(const llvm::BitVector &needs) const {
  Cost cost;
  llvm::BitVector least = needs;
  for (unsigned need : needs.set_bits())
    if (needs_[need].any())
      least.reset(implied_[need]);
  llvm::SmallVector<const llvm::BitVector *> sets;
  for (unsigned need : least.set_bits()) {
    if (needs_[need].any())
      sets.push_back(&needs_[need]);
    else
      cost.runs += Impossible;
  }
  GapChoice choice = chooseGaps(runs_, sets);
  cost.places = std::move(choice.gaps);
  cost.isFewest = choice.isFewest;
  cost.barriers = cost.places.size();
  for (unsigned place : cost.places)
    cost.runs += runs_[place];
  return cost;
}

} // namespace tilescope
