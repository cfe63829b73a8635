#include "core/plan/reuse_hazards.h"

#include "core/plan/barrier_hazards.h"
#include "core/plan/barrier_plan.h"
#include "core/plan/hitting_set.h"
#include "core/plan/planner.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilescope {

namespace {

// How often a barrier counts as passed that can stand nowhere, since such a plan does not compile:
// more than all others together.
constexpr double Unresolvable = 1e15;

// Sets of which none lies within another: what resolves {a} resolves {a, b} as well.
using MinimalSets = llvm::SmallVector<llvm::BitVector, 2>;

bool isSubset(const llvm::BitVector &a, const llvm::BitVector &b) { return !a.test(b); }

void addMinimal(MinimalSets &sets, const llvm::BitVector &set) {
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
std::vector<const BufferBytes *> placementsOf(const AccessProgram &program,
                                              llvm::ArrayRef<BufferBytes> others) {
  std::vector<const BufferBytes *> placements(program.buffers.size(), nullptr);
  for (const BufferBytes &other : others)
    if (std::optional<size_t> known = indexOf(program, other.buffer))
      placements[*known] = &other;
  return placements;
}

bool overlap(const BufferBytes &first, int64_t firstSlot, const BufferBytes &second,
             int64_t secondSlot) {
  int64_t left = first.offsetBytes + firstSlot * first.strideBytes;
  int64_t right = second.offsetBytes + secondSlot * second.strideBytes;
  return left < right + second.sizeBytes && right < left + first.sizeBytes;
}

} // namespace

ReuseHazards::ReuseHazards(const AccessProgram &program, const ArenaProblem &problem,
                           llvm::ArrayRef<BufferBytes> versions, llvm::ArrayRef<BufferBytes> others)
    : program_(&program), versions_(versions), others_(others) {
  using Version = std::pair<uint32_t, int64_t>; // of a buffer
  std::map<std::pair<Version, Version>, MinimalSets> shared;
  MinimalSets own;
  std::vector<std::optional<uint32_t>> indices = indicesOf(program, problem);
  std::vector<const BufferBytes *> placed = placementsOf(program, others);
  std::vector<bool> canShare = sharable(problem);
  std::vector<CandidateSite> candidates = listCandidateSites(program);
  auto mayOverlap = [&](const SlotAccess &a, const SlotAccess &b) {
    if (placed[a.buffer] && placed[b.buffer])
      return overlap(*placed[a.buffer], a.slot, *placed[b.buffer], b.slot);
    std::optional<uint32_t> first = indices[a.buffer], second = indices[b.buffer];
    return first && second && canShare[*first * versions.size() + *second];
  };
  auto visit = [&](const SlotAccess &a, const SlotAccess &b, const llvm::BitVector &at) {
    // No plan is to blame for global memory that no barrier can order.
    bool isLost = at.none() && a.buffer == b.buffer && !indices[a.buffer] && !placed[a.buffer];
    if (isLost)
      return;
    if (a.buffer == b.buffer || placed[a.buffer])
      return addMinimal(own, at);
    Version first(*indices[a.buffer], a.slot), second(*indices[b.buffer], b.slot);
    addMinimal(shared[std::minmax(first, second)], at);
  };
  forEachHazard(program, candidates, mayOverlap, visit);

  std::map<llvm::BitVector, unsigned, LessBits> numbers;
  auto numbersOf = [&](const MinimalSets &sets) {
    Hazards result;
    for (const llvm::BitVector &set : sets) {
      auto [found, isNew] = numbers.try_emplace(set, static_cast<unsigned>(sitesOf_.size()));
      if (isNew)
        sitesOf_.push_back(set);
      result.push_back(found->second);
    }
    return result;
  };
  Hazards ownHazards = numbersOf(own);
  for (const auto &[pair, sets] : shared)
    pairs_.push_back({pair.first.first, pair.second.first, pair.first.second, pair.second.second,
                      numbersOf(sets)});
  llvm::stable_sort(pairs_, [](const VersionPair &a, const VersionPair &b) {
    return std::pair(a.firstBuffer, a.secondBuffer) < std::pair(b.firstBuffer, b.secondBuffer);
  });
  own_.resize(static_cast<unsigned>(sitesOf_.size()));
  for (unsigned hazard : ownHazards)
    own_.set(hazard);
  mergeEquivalentSites(candidates);
  findImplied();
  mayCostLess_ = standInBothArms(program, {seqs_.begin(), seqs_.end()});
}

// Of those that resolve the same hazards the last of the least passed: what findHittingSet would
// take.
void ReuseHazards::mergeEquivalentSites(llvm::ArrayRef<CandidateSite> candidates) {
  std::map<llvm::BitVector, unsigned, LessBits> bestOf; // by the hazards that it resolves
  for (unsigned site = 0; site != candidates.size(); ++site) {
    llvm::BitVector members(static_cast<unsigned>(sitesOf_.size()));
    for (auto [index, hazard] : llvm::enumerate(sitesOf_))
      if (hazard.test(site))
        members.set(static_cast<unsigned>(index));
    if (members.none())
      continue;
    auto [found, isNew] = bestOf.try_emplace(std::move(members), site);
    if (!isNew && candidates[site].runs <= candidates[found->second].runs)
      found->second = site;
  }
  std::vector<unsigned> kept;
  kept.reserve(bestOf.size());
  for (const auto &[members, site] : bestOf)
    kept.push_back(site);
  llvm::sort(kept);
  for (unsigned site : kept) {
    runs_.push_back(candidates[site].runs);
    seqs_.push_back(candidates[site].seq);
  }
  for (llvm::BitVector &hazard : sitesOf_) {
    llvm::BitVector merged(static_cast<unsigned>(kept.size()));
    for (auto [index, site] : llvm::enumerate(kept))
      merged[static_cast<unsigned>(index)] = hazard.test(site);
    hazard = std::move(merged);
  }
}

void ReuseHazards::findImplied() {
  implied_.resize(sitesOf_.size(), llvm::BitVector(static_cast<unsigned>(sitesOf_.size())));
  for (unsigned hazard = 0; hazard != sitesOf_.size(); ++hazard)
    for (unsigned other = 0; other != sitesOf_.size(); ++other)
      if (other != hazard && isSubset(sitesOf_[hazard], sitesOf_[other]))
        implied_[hazard].set(other);
}

DistanceRange ReuseHazards::overlapOf(const VersionPair &pair) const {
  const BufferBytes &first = versions_[pair.firstBuffer];
  const BufferBytes &second = versions_[pair.secondBuffer];
  int64_t between = pair.firstVersion * first.strideBytes - pair.secondVersion * second.strideBytes;
  return {between - second.sizeBytes, between + first.sizeBytes};
}

ReuseHazards::Cost ReuseHazards::costOf(llvm::ArrayRef<int64_t> offsetBytes) const {
  llvm::BitVector hazards = own_;
  for (const VersionPair &pair : pairs_)
    if (overlapOf(pair).contains(offsetBytes[pair.secondBuffer] - offsetBytes[pair.firstBuffer]))
      for (unsigned hazard : pair.hazards)
        hazards.set(hazard);
  Cost cost = costOfHazards(hazards);
  if (isInBothArms(cost.sites))
    planBarriersOf(offsetBytes, cost);
  return cost;
}

ReuseHazards::Cost ReuseHazards::costWithoutReuse() const { return costOfHazards(own_); }

bool ReuseHazards::isInBothArms(llvm::ArrayRef<unsigned> sites) const {
  if (sites.empty() || !mayCostLess_)
    return false;
  std::set<uint32_t> seqs;
  for (unsigned site : sites)
    seqs.insert(seqs_[site]);
  return standInBothArms(*program_, seqs);
}

void ReuseHazards::planBarriersOf(llvm::ArrayRef<int64_t> offsetBytes, Cost &cost) const {
  std::vector<BufferBytes> bytes = others_;
  for (auto [version, offset] : llvm::zip(versions_, offsetBytes)) {
    bytes.push_back(version);
    bytes.back().offsetBytes = offset;
  }
  BarrierPlan plan = planBarriers(*program_, bytes);
  cost.runs = Unresolvable * static_cast<double>(plan.unsolved.size());
  for (const BarrierSite &site : plan.sites)
    cost.runs += site.runs;
  cost.barriers = plan.sites.size();
}

ReuseHazards::Cost ReuseHazards::costOfHazards(const llvm::BitVector &hazards) const {
  Cost cost;
  llvm::BitVector least = hazards;
  for (unsigned hazard : hazards.set_bits())
    if (sitesOf_[hazard].any())
      least.reset(implied_[hazard]);
  llvm::SmallVector<const llvm::BitVector *> sets;
  for (unsigned hazard : least.set_bits()) {
    if (sitesOf_[hazard].any())
      sets.push_back(&sitesOf_[hazard]);
    else
      cost.runs += Unresolvable;
  }
  HittingSet set = findHittingSet(runs_, sets);
  cost.sites = std::move(set.elements);
  cost.isLeast = set.isLeast;
  cost.barriers = cost.sites.size();
  for (unsigned site : cost.sites)
    cost.runs += runs_[site];
  return cost;
}

} // namespace tilescope
