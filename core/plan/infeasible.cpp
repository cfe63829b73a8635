#include "core/plan/infeasible.h"
#include "core/plan/planner.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tilescope {

namespace {

// Indices of the buffers that become live or die at a point.
struct Event {
  std::vector<size_t> begin;
  std::vector<size_t> end;
};

std::map<ProgramPoint, Event> eventsOf(const ArenaProblem &problem) {
  std::map<ProgramPoint, Event> events;
  for (size_t index = 0; index != problem.buffers.size(); ++index)
    for (const LiveInterval &interval : problem.buffers[index].live) {
      events[interval.begin].begin.push_back(index);
      events[interval.end].end.push_back(index);
    }
  return events;
}

enum class Fit : uint8_t { Fits, Impossible, Unknown };

Fit fitOf(const ArenaProblem &problem, int64_t nodeBudget, int64_t &nodes) {
  ArenaPlan plan = planArena(problem, {.searchNodes = std::max<int64_t>(nodeBudget, 1),
                                       .enoughBytes = problem.capacityBytes,
                                       .stop = {}});
  nodes += plan.certificate.searchNodes;
  if (plan.certificate.boundBytes > problem.capacityBytes)
    return Fit::Impossible;
  return plan.heightBytes <= problem.capacityBytes ? Fit::Fits : Fit::Unknown;
}

} // namespace

std::vector<BufferId> infeasibleCore(const ArenaProblem &problem) {
  std::vector<size_t> core;
  std::vector<size_t> live; // largest first, then in allocation order
  int64_t liveBytes = 0;
  auto isLarger = [&](size_t a, size_t b) {
    int64_t aBytes = problem.buffers[a].sizeBytes, bBytes = problem.buffers[b].sizeBytes;
    return aBytes != bBytes ? aBytes > bBytes : a < b;
  };
  for (const auto &[point, event] : eventsOf(problem)) {
    for (size_t index : event.end) {
      live.erase(std::lower_bound(live.begin(), live.end(), index, isLarger));
      liveBytes -= problem.buffers[index].sizeBytes;
    }
    for (size_t index : event.begin) {
      live.insert(std::lower_bound(live.begin(), live.end(), index, isLarger), index);
      liveBytes += problem.buffers[index].sizeBytes;
    }
    if (problem.capacityBytes <= 0 || liveBytes <= problem.capacityBytes)
      continue;
    size_t count = 0;
    for (int64_t bytes = 0; bytes <= problem.capacityBytes; ++count)
      bytes += problem.buffers[live[count]].sizeBytes;
    if (core.empty() || count < core.size())
      core.assign(live.begin(), live.begin() + static_cast<ptrdiff_t>(count));
  }
  std::vector<BufferId> ids;
  ids.reserve(core.size());
  for (size_t index : core)
    ids.push_back(problem.buffers[index].id);
  return ids;
}

FragmentationCore fragmentationCore(const ArenaProblem &problem, int64_t nodeBudget) {
  FragmentationCore core;
  int64_t nodes = 0;
  if (problem.capacityBytes <= 0 || fitOf(problem, nodeBudget / 10, nodes) != Fit::Impossible)
    return core;
  std::vector<size_t> smallestFirst(problem.buffers.size());
  std::iota(smallestFirst.begin(), smallestFirst.end(), 0);
  llvm::stable_sort(smallestFirst, [&](size_t a, size_t b) {
    return problem.buffers[a].sizeBytes < problem.buffers[b].sizeBytes;
  });
  core.isMinimal = true;
  // A buffer without bytes takes no room, as if it were not there.
  ArenaProblem left = problem;
  for (size_t index : smallestFirst) {
    int64_t sizeBytes = std::exchange(left.buffers[index].sizeBytes, 0);
    int64_t budget = std::min(nodeBudget / 10, nodeBudget - nodes);
    Fit fit = budget > 0 ? fitOf(left, budget, nodes) : Fit::Unknown;
    if (fit == Fit::Impossible)
      continue;
    left.buffers[index].sizeBytes = sizeBytes;
    core.isMinimal &= fit == Fit::Fits;
  }
  for (const ArenaBuffer &buffer : left.buffers)
    if (buffer.sizeBytes > 0)
      core.buffers.push_back(buffer.id);
  return core;
}

} // namespace tilescope
