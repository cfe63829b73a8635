// checkPlan looks at every pair of buffers, and at nothing else that the planner computes.
#include "core/check/plan_check.h"
#include "core/access/arena_plan.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

bool interfere(const ArenaBuffer &a, const ArenaBuffer &b) {
  for (const LiveInterval &left : a.live)
    for (const LiveInterval &right : b.live)
      if (std::max(left.begin, right.begin) < std::min(left.end, right.end))
        return true;
  return false;
}

ProgramPoint birthOf(const ArenaBuffer &buffer) {
  return buffer.live.empty() ? 0 : buffer.live.front().begin;
}

ProgramPoint deathOf(const ArenaBuffer &buffer) {
  return buffer.live.empty() ? 0 : buffer.live.back().end;
}

std::vector<size_t> sortByBirth(const ArenaProblem &problem) {
  std::vector<size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return birthOf(problem.buffers[a]) < birthOf(problem.buffers[b]);
  });
  return order;
}

void checkOne(const ArenaProblem &problem, const ArenaBuffer &buffer, const Placement &placement,
              int64_t heightBytes, std::vector<std::string> &faults) {
  int64_t end = placement.offsetBytes + placement.sizeBytes;
  if (placement.id != buffer.id || placement.sizeBytes != buffer.sizeBytes)
    faults.push_back(llvm::formatv("'{0}' has {1:N} bytes but {2:N} were placed", buffer.name,
                                   buffer.sizeBytes, placement.sizeBytes));
  if (placement.offsetBytes < 0 || end > heightBytes)
    faults.push_back(
        llvm::formatv("'{0}' lies at [{1:N}, {2:N}), outside of the arena of {3:N} bytes",
                      buffer.name, placement.offsetBytes, end, heightBytes));
  if (buffer.alignmentBytes > 0 && placement.offsetBytes % buffer.alignmentBytes != 0)
    faults.push_back(llvm::formatv("'{0}' lies at {1}, not a multiple of {2}", buffer.name,
                                   placement.offsetBytes, buffer.alignmentBytes));
  if (buffer.pinnedOffset && placement.offsetBytes != *buffer.pinnedOffset)
    faults.push_back(llvm::formatv("'{0}' lies at {1} but is pinned to {2}", buffer.name,
                                   placement.offsetBytes, *buffer.pinnedOffset));
  if (problem.capacityBytes > 0 && end > problem.capacityBytes)
    faults.push_back(llvm::formatv("'{0}' ends at {1:N}, over the capacity of {2:N} bytes",
                                   buffer.name, end, problem.capacityBytes));
}

} // namespace

std::vector<std::string> checkPlan(const ArenaProblem &problem, const ArenaPlan &plan) {
  std::vector<std::string> faults;
  if (plan.placements.size() != problem.buffers.size())
    return {llvm::formatv("{0} buffers but {1} placements", problem.buffers.size(),
                          plan.placements.size())};
  std::vector<size_t> byBirth = sortByBirth(problem);
  for (size_t at = 0; at != byBirth.size(); ++at) {
    const ArenaBuffer &buffer = problem.buffers[byBirth[at]];
    const Placement &placement = plan.placements[byBirth[at]];
    checkOne(problem, buffer, placement, plan.heightBytes, faults);
    int64_t end = placement.offsetBytes + placement.sizeBytes;
    // What is born after this one died does not interfere with it, nor what is born later.
    for (size_t later = at + 1; later != byBirth.size(); ++later) {
      const ArenaBuffer &younger = problem.buffers[byBirth[later]];
      const Placement &other = plan.placements[byBirth[later]];
      if (birthOf(younger) >= deathOf(buffer))
        break;
      int64_t first = std::max(placement.offsetBytes, other.offsetBytes);
      int64_t last = std::min(end, other.offsetBytes + other.sizeBytes);
      if (first < last && interfere(buffer, younger))
        faults.push_back(llvm::formatv("'{0}' and '{1}' are live together and share [{2}, {3})",
                                       buffer.name, younger.name, first, last));
    }
  }
  return faults;
}

} // namespace tilescope
