#include "core/plan/infeasible.h"

#include <algorithm>
#include <map>

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

} // namespace tilescope
