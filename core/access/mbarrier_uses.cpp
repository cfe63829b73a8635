#include "core/access/mbarrier_uses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

// More than steps could arrive at.
static constexpr int64_t MaxPhases = 1 << 16;

int64_t MbarrierUse::totalBefore(llvm::ArrayRef<Tally> tallies, size_t step) {
  auto after = llvm::partition_point(tallies, [&](const Tally &t) { return t.step < step; });
  return totalOf(tallies.take_front(after - tallies.begin()));
}

MbarrierUses::MbarrierUses(const AccessProgram &program, const LaneSteps &lanes)
    : program_(program), lanes_(lanes), broken_(program.mbarriers.size()),
      phases_(program.mbarriers.size(), 0) {
  for (auto [number, lane] : llvm::enumerate(lanes.lanes)) {
    strands_.push_back({number, true, false, 1});
    if (lane.threads != 1)
      strands_.push_back({number, false, false, std::max<int64_t>(lane.threads - 1, 0)});
  }
  if (hasRoles())
    strands_.push_back({0, true, true, 1});
  uses_.assign(strands_.size(), std::vector<MbarrierUse>(program.mbarriers.size()));
  for (size_t strand = 0; strand != strands_.size(); ++strand)
    for (auto [at, step] : llvm::enumerate(stepsOf(strands_[strand])))
      if (runs(strands_[strand], step))
        collectUse(strand, at, step);
  for (size_t mbarrier = 0; mbarrier != phases_.size(); ++mbarrier)
    checkCounts(mbarrier);
}

// ---- Who does what ----

bool MbarrierUses::isByOneThread(const Strand &strand, const LaneStep &step) const {
  return nodeOf(step).oneThread ||
         (lanes_.lanes[strand.lane].threads == 1 && !(step.isOutside && hasRoles()));
}

void MbarrierUses::collectUse(size_t strand, size_t at, const LaneStep &step) {
  const AccessNode &node = nodeOf(step);
  if (step.isOpaque) {
    if (opaque_.insert(step.node).second && breakUnder(step.node))
      gaps.push_back(
          {node.stmt, "what mbarriers order in a loop of unknown length or under a condition"});
    return;
  }
  if (node.kind == AccessNode::Kind::WaitPhase &&
      (step.mbarrier == LaneStep::Unknown || step.parity == LaneStep::Unknown))
    gaps.push_back({node.stmt, "which phase of an mbarrier is waited for"});
  if (node.kind == AccessNode::Kind::Arrive)
    return collectArrival(strand, at, step);
  if (node.kind == AccessNode::Kind::Expect)
    countBytes(strand, at, step, step.mbarrier, node.mbarrier, node.bytes, &MbarrierUse::expects);
  for (auto [access, mbarrier] : llvm::zip(node.accesses, step.mbarriersOf))
    if (access.mbarrier)
      countBytes(strand, at, step, mbarrier, access.mbarrier, access.bytes, &MbarrierUse::copies);
}

// What all threads do outside of the roles, those of each lane do, and among them the one that does
// there what one does.
void MbarrierUses::collectArrival(size_t strand, size_t at, const LaneStep &step) {
  const AccessNode &node = nodeOf(step);
  bool isOneOfAll = strands_[strand].isOutside && !node.oneThread;
  bool isMixed = false;
  if (step.mbarrier != LaneStep::Unknown) {
    const MbarrierUse &own = uses_[strand][step.mbarrier];
    isMixed = !own.arrivals.empty() && own.isOneOfAll != isOneOfAll;
  }
  if (node.count < 1 || isMixed || (!node.oneThread && strands_[strand].threads < 1))
    return breakAll(node.mbarrier, node.stmt, "it is not known how often threads arrive");
  use(strand, at, step.mbarrier, node.mbarrier, node.count, &MbarrierUse::arrivals);
  if (step.mbarrier != LaneStep::Unknown)
    uses_[strand][step.mbarrier].isOneOfAll = isOneOfAll;
}

void MbarrierUses::countBytes(size_t strand, size_t at, const LaneStep &step, int mbarrier,
                              const std::optional<MbarrierRef> &ref, int64_t bytes,
                              std::vector<Tally> MbarrierUse::*what) {
  StmtId stmt = nodeOf(step).stmt;
  if (!isByOneThread(strands_[strand], step))
    return breakAll(ref, stmt, "several threads copy or expect bytes");
  if (bytes < 1)
    return breakAll(ref, stmt, "it is not known how many bytes are copied");
  use(strand, at, mbarrier, ref, bytes, what);
}

void MbarrierUses::use(size_t strand, size_t at, int mbarrier,
                       const std::optional<MbarrierRef> &ref, int64_t amount,
                       std::vector<Tally> MbarrierUse::*what) {
  if (mbarrier == LaneStep::Unknown)
    return breakAll(ref, nodeOf(stepsOf(strands_[strand])[at]).stmt,
                    "it is not known which one is meant");
  std::vector<Tally> &tallies = uses_[strand][mbarrier].*what;
  tallies.push_back({at, MbarrierUse::totalOf(tallies) + amount});
}

// What happens an unknown number of times.
bool MbarrierUses::breakUnder(uint32_t index) {
  const AccessNode &node = program_.nodes[index];
  bool isUsed = node.mbarrier.has_value();
  if (isUsed && node.kind != AccessNode::Kind::WaitPhase)
    markBroken(node.mbarrier);
  for (const Access &access : node.accesses)
    if (access.mbarrier) {
      markBroken(access.mbarrier);
      isUsed = true;
    }
  for (uint32_t child : node.children)
    isUsed |= breakUnder(child);
  return isUsed;
}

// Those that are meant, or could be: [first, second).
std::pair<size_t, size_t> MbarrierUses::meant(const std::optional<MbarrierRef> &ref) const {
  size_t count = broken_.size();
  if (!ref || ref->modulus < 1)
    return {0, count};
  size_t first = std::min<size_t>(ref->first, count);
  return {first, std::min<size_t>(first + ref->modulus, count)};
}

void MbarrierUses::markBroken(const std::optional<MbarrierRef> &ref) {
  auto [first, last] = meant(ref);
  std::fill(broken_.begin() + static_cast<ptrdiff_t>(first),
            broken_.begin() + static_cast<ptrdiff_t>(last), true);
}

void MbarrierUses::breakAll(const std::optional<MbarrierRef> &ref, StmtId stmt,
                            const std::string &why) {
  auto [first, last] = meant(ref);
  bool isNew = first != last;
  for (size_t mbarrier = first; mbarrier != last; ++mbarrier)
    isNew &= !broken_[mbarrier];
  markBroken(ref);
  if (isNew)
    addGap(first, last, stmt, why);
}

void MbarrierUses::breakOff(size_t mbarrier, StmtId stmt, const std::string &why) {
  if (!broken_[mbarrier])
    addGap(mbarrier, mbarrier + 1, stmt, why);
  broken_[mbarrier] = true;
}

void MbarrierUses::addGap(size_t first, size_t last, StmtId stmt, const std::string &why) {
  const std::string &name = program_.mbarriers[first].name;
  const char *what = last - first > 1 ? "' and those after it order" : "' orders";
  gaps.push_back({stmt, "what mbarrier '" + name + what + ", since " + why});
}

// ---- Whether counts of an mbarrier fit ----

void MbarrierUses::checkCounts(size_t mbarrier) {
  int64_t needed = program_.mbarriers[mbarrier].arrivals;
  int64_t total = 0;
  StmtId stmt = firstUse(mbarrier);
  for (size_t strand = 0; strand != strands_.size(); ++strand)
    total +=
        countedThreads(strand, mbarrier) * MbarrierUse::totalOf(uses_[strand][mbarrier].arrivals);
  if (needed < 1)
    return breakOff(mbarrier, stmt, "it is not known how many arrivals end a phase");
  if (total / needed > MaxPhases)
    return breakOff(mbarrier, stmt, "it has too many phases");
  phases_[mbarrier] = static_cast<int32_t>(total / needed);
  for (size_t strand = 0; strand != strands_.size() && phases_[mbarrier] != 0; ++strand)
    checkBytes(mbarrier, strand);
  if (total % needed != 0 || (!assignEvenly(mbarrier) && !assignByWaits(mbarrier, needed)))
    breakOff(mbarrier, stmt,
             llvm::formatv("{0} arrivals are no whole number of phases of {1}", total, needed));
}

int64_t MbarrierUses::countedThreads(size_t strand, size_t mbarrier) const {
  return uses_[strand][mbarrier].isOneOfAll ? 0 : strands_[strand].threads;
}

// As many of each thread in every phase. False: they cannot be divided so.
bool MbarrierUses::assignEvenly(size_t mbarrier) {
  int64_t phases = phases_[mbarrier];
  for (std::vector<MbarrierUse> &uses : uses_) {
    std::vector<Tally> &arrivals = uses[mbarrier].arrivals;
    int64_t total = MbarrierUse::totalOf(arrivals);
    if (phases != 0 && total % phases != 0)
      return false;
    int64_t share = phases == 0 ? 0 : total / phases;
    for (Tally &arrival : arrivals)
      arrival.phase =
          share == 0 ? 0 : static_cast<int32_t>((arrival.total + share - 1) / share - 1);
  }
  return true;
}

// Where different threads end different phases: each arrives for the next after those that it has
// waited for. False: so some phase would have more arrivals than it takes, or fewer.
bool MbarrierUses::assignByWaits(size_t mbarrier, int64_t needed) {
  std::vector<int64_t> made(static_cast<size_t>(phases_[mbarrier]), 0);
  for (size_t strand = 0; strand != strands_.size(); ++strand) {
    assignByWaits(strand, mbarrier);
    int64_t before = 0;
    for (const Tally &arrival : uses_[strand][mbarrier].arrivals) {
      if (arrival.phase >= phases_[mbarrier])
        return false;
      made[static_cast<size_t>(arrival.phase)] +=
          countedThreads(strand, mbarrier) * (arrival.total - before);
      before = arrival.total;
    }
  }
  return llvm::all_of(made, [&](int64_t arrivals) { return arrivals == needed; });
}

void MbarrierUses::assignByWaits(size_t strand, size_t mbarrier) {
  int32_t ended = 0;
  std::vector<Tally> &arrivals = uses_[strand][mbarrier].arrivals;
  auto arrival = arrivals.begin();
  for (auto [at, step] : llvm::enumerate(stepsOf(strands_[strand]))) {
    if (step.isOpaque || step.mbarrier != static_cast<int>(mbarrier) ||
        !runs(strands_[strand], step))
      continue;
    if (nodeOf(step).kind == AccessNode::Kind::WaitPhase)
      ended += step.parity == ended % 2 ? 1 : 0;
    else if (arrival != arrivals.end() && arrival->step == at)
      (arrival++)->phase = ended;
  }
}

StmtId MbarrierUses::firstUse(size_t mbarrier) const {
  for (auto [strand, uses] : llvm::zip(strands_, uses_))
    for (const auto *tallies :
         {&uses[mbarrier].arrivals, &uses[mbarrier].expects, &uses[mbarrier].copies})
      if (!tallies->empty())
        return nodeOf(stepsOf(strand)[tallies->front().step]).stmt;
  return {};
}

// Bytes are expected before they are copied, and in the end all are copied.
void MbarrierUses::checkBytes(size_t mbarrier, size_t strand) {
  const MbarrierUse &use = uses_[strand][mbarrier];
  for (const Tally &copy : use.copies) {
    int64_t expected = MbarrierUse::totalBefore(use.expects, copy.step);
    if (copy.total > expected)
      return breakOff(
          mbarrier, nodeOf(stepsOf(strands_[strand])[copy.step]).stmt,
          llvm::formatv("{0} bytes are copied where {1} are expected", copy.total, expected));
  }
  int64_t expected = MbarrierUse::totalOf(use.expects);
  int64_t copied = MbarrierUse::totalOf(use.copies);
  if (expected != copied)
    breakOff(mbarrier, nodeOf(stepsOf(strands_[strand])[use.expects.back().step]).stmt,
             llvm::formatv("{0} bytes are expected and {1} are copied", expected, copied));
}

} // namespace tilescope
