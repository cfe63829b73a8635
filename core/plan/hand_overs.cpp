#include "core/plan/hand_overs.h"

#include "core/plan/barrier_hazards.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

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

} // namespace

HandOvers::HandOvers(const AccessProgram &program, const ArenaProblem &problem,
                     llvm::ArrayRef<BufferBytes> versions)
    : versions_(versions), needsOf_(versions.size() * versions.size()) {
  using Version = std::pair<uint32_t, int64_t>; // of a buffer
  std::map<std::pair<Version, Version>, LeastSets> shared;
  LeastSets own;
  std::vector<std::optional<uint32_t>> indices = indicesOf(program, problem);
  std::vector<bool> canShare = sharable(problem);
  std::vector<BarrierGap> gaps = listGaps(program);
  auto mayOverlap = [&](const SlotAccess &a, const SlotAccess &b) {
    std::optional<uint32_t> first = indices[a.buffer], second = indices[b.buffer];
    return first && second && canShare[*first * versions.size() + *second];
  };
  auto meet = [&](const SlotAccess &a, const SlotAccess &b, const llvm::BitVector &at) {
    if (a.buffer == b.buffer)
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
  own_.resize(static_cast<unsigned>(needs_.size()));
  for (unsigned need : ownNeeds)
    own_.set(need);
  std::vector<double> runs;
  runs.reserve(gaps.size());
  for (const BarrierGap &gap : gaps)
    runs.push_back(gap.runs);
  mergeAlikePlaces(runs);
  findImplied();
  collectByBuffers();
}

// Of places of the same needs the last of the cheapest: the one that chooseGaps would take.
void HandOvers::mergeAlikePlaces(llvm::ArrayRef<double> runs) {
  std::map<llvm::BitVector, unsigned, LessBits> bestOf; // by the needs that have the place
  for (unsigned place = 0; place != runs.size(); ++place) {
    llvm::BitVector members(static_cast<unsigned>(needs_.size()));
    for (auto [index, need] : llvm::enumerate(needs_))
      if (need.test(place))
        members.set(static_cast<unsigned>(index));
    if (members.none())
      continue;
    auto [found, isNew] = bestOf.try_emplace(std::move(members), place);
    if (!isNew && runs[place] <= runs[found->second])
      found->second = place;
  }
  std::vector<unsigned> kept;
  kept.reserve(bestOf.size());
  for (const auto &[members, place] : bestOf)
    kept.push_back(place);
  llvm::sort(kept);
  for (unsigned place : kept)
    runs_.push_back(runs[place]);
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

void HandOvers::collectByBuffers() {
  for (const VersionPair &pair : pairs_) {
    Needs &needs = needsOf_[pair.firstBuffer * versions_.size() + pair.secondBuffer];
    for (unsigned need : pair.needs)
      if (!llvm::is_contained(needs, need))
        needs.push_back(need);
    needsOf_[pair.secondBuffer * versions_.size() + pair.firstBuffer] = needs;
  }
}

bool HandOvers::overlap(const VersionPair &pair, llvm::ArrayRef<int64_t> offsetBytes) const {
  const BufferBytes &first = versions_[pair.firstBuffer];
  const BufferBytes &second = versions_[pair.secondBuffer];
  int64_t left = offsetBytes[pair.firstBuffer] + pair.firstVersion * first.strideBytes;
  int64_t right = offsetBytes[pair.secondBuffer] + pair.secondVersion * second.strideBytes;
  return left < right + second.sizeBytes && right < left + first.sizeBytes;
}

HandOvers::Cost HandOvers::costOf(llvm::ArrayRef<int64_t> offsetBytes) const {
  llvm::BitVector needs = own_;
  for (const VersionPair &pair : pairs_)
    if (overlap(pair, offsetBytes))
      for (unsigned need : pair.needs)
        needs.set(need);
  return costOfNeeds(needs);
}

HandOvers::Cost HandOvers::costOfNone() const { return costOfNeeds(own_); }

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
  cost.places = chooseGaps(runs_, sets);
  for (unsigned place : cost.places)
    cost.runs += runs_[place];
  return cost;
}

} // namespace tilescope
