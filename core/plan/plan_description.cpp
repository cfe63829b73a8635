// describePlan: who is under whom, who shares bytes, what alignment cost.
#include "core/plan/planner.h"
#include "core/plan/search_problem.h"

#include <algorithm>

namespace tilescope {

namespace {

// Pairs are looked at one by one; a plan of more buffers is not read by people.
constexpr size_t MaxExplainedBuffers = 4000;

bool overlapInBytes(const Placement &a, const Placement &b) {
  return a.offsetBytes < b.offsetBytes + b.sizeBytes && b.offsetBytes < a.offsetBytes + a.sizeBytes;
}

bool interfere(const ArenaBuffer &a, const ArenaBuffer &b) {
  if (a.live.empty() || b.live.empty() || a.live.back().end <= b.live.front().begin ||
      b.live.back().end <= a.live.front().begin)
    return false;
  return (a.live.size() == 1 && b.live.size() == 1) || conflictWitness(a, b).has_value();
}

void explain(const ArenaProblem &problem, ArenaPlan &plan, size_t index) {
  Placement &placement = plan.placements[index];
  const ArenaBuffer &buffer = problem.buffers[index];
  llvm::SmallVector<BufferId, 32> below, sharesWith;
  int64_t floor = 0;
  bool hasNeighbour = false;
  for (size_t other = 0; other != plan.placements.size(); ++other) {
    const Placement &neighbour = plan.placements[other];
    if (other == index || neighbour.sizeBytes == 0)
      continue;
    if (!interfere(buffer, problem.buffers[other])) {
      if (overlapInBytes(placement, neighbour))
        sharesWith.push_back(neighbour.id);
      continue;
    }
    hasNeighbour = true;
    int64_t end = neighbour.offsetBytes + neighbour.sizeBytes;
    if (end > placement.offsetBytes || end < floor)
      continue;
    if (end > floor)
      below.clear();
    floor = end;
    below.push_back(neighbour.id);
  }
  if (alignUp(floor, std::max<int64_t>(buffer.alignmentBytes, 1)) == placement.offsetBytes) {
    placement.paddingBytes = placement.offsetBytes - floor;
    placement.below.assign(below.begin(), below.end());
  }
  placement.sharesWith.assign(sharesWith.begin(), sharesWith.end());
  if (buffer.pinnedOffset)
    placement.reason = PlacementReason::Pinned;
  else if (!placement.sharesWith.empty())
    placement.reason = PlacementReason::ReusesBytes;
  else
    placement.reason = hasNeighbour ? PlacementReason::LowestFree : PlacementReason::OnlyBuffer;
}

} // namespace

ArenaPlan describePlan(const ArenaProblem &problem, const std::vector<int64_t> &offsetBytes) {
  ArenaPlan plan;
  plan.placements.reserve(problem.buffers.size());
  for (size_t index = 0; index != problem.buffers.size(); ++index) {
    const ArenaBuffer &buffer = problem.buffers[index];
    plan.placements.push_back(
        {.id = buffer.id, .offsetBytes = offsetBytes[index], .sizeBytes = buffer.sizeBytes});
    if (buffer.sizeBytes > 0)
      plan.heightBytes = std::max(plan.heightBytes, offsetBytes[index] + buffer.sizeBytes);
  }
  plan.heightBytes = alignUp(plan.heightBytes, grainBytesOf(problem));
  if (plan.placements.size() <= MaxExplainedBuffers)
    for (size_t index = 0; index != plan.placements.size(); ++index)
      explain(problem, plan, index);
  return plan;
}

std::optional<ProgramPoint> conflictWitness(const ArenaBuffer &a, const ArenaBuffer &b) {
  for (const LiveInterval &left : a.live)
    for (const LiveInterval &right : b.live)
      if (left.begin < right.end && right.begin < left.end)
        return std::max(left.begin, right.begin);
  return std::nullopt;
}

} // namespace tilescope
