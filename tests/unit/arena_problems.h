// Arena problems for tests.
#pragma once

#include "core/access/arena_plan.h"
#include "core/plan/planner.h"

#include <algorithm>
#include <random>

namespace tilescope::test {

inline ArenaBuffer box(std::string name, int64_t bytes, std::vector<LiveInterval> live,
                       int64_t alignment = 16) {
  ArenaBuffer buffer;
  buffer.name = std::move(name);
  buffer.sizeBytes = buffer.strideBytes = bytes;
  buffer.alignmentBytes = alignment;
  buffer.live = std::move(live);
  return buffer;
}

inline ArenaProblem number(std::vector<ArenaBuffer> buffers) {
  ArenaProblem problem;
  problem.buffers = std::move(buffers);
  for (size_t index = 0; index != problem.buffers.size(); ++index)
    problem.buffers[index].id = BufferId(static_cast<uint32_t>(index));
  return problem;
}

// 1 to `maxBuffers` buffers with up to three intervals each, a quarter of them aligned to 4.
inline ArenaProblem randomProblem(uint32_t seed, int maxBuffers) {
  std::mt19937 random(seed);
  auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  int horizon = 4 + maxBuffers;
  std::vector<ArenaBuffer> buffers;
  for (int index = below(maxBuffers) + 1; index-- > 0;) {
    std::vector<LiveInterval> live;
    for (int point = below(horizon / 2); point < horizon && live.size() < 3;) {
      int end = point + 1 + below(4);
      live.push_back({point, end});
      point = end + 1 + below(4);
    }
    buffers.push_back(box("x", 1 + below(6), std::move(live), below(4) == 0 ? 4 : 1));
  }
  return number(std::move(buffers));
}

inline int64_t bytesLiveAt(const ArenaProblem &problem, ProgramPoint point) {
  int64_t bytes = 0;
  for (const ArenaBuffer &buffer : problem.buffers)
    for (const LiveInterval &interval : buffer.live)
      if (interval.begin <= point && point < interval.end)
        bytes += buffer.sizeBytes;
  return bytes;
}

// Least height by trying every order of first fit: enough for a few boxes.
inline int64_t bruteForceHeight(const ArenaProblem &problem) {
  std::vector<size_t> order(problem.buffers.size());
  for (size_t index = 0; index != order.size(); ++index)
    order[index] = index;
  int64_t best = INT64_MAX;
  do {
    std::vector<int64_t> offset(order.size(), 0);
    int64_t height = 0;
    for (size_t at = 0; at != order.size(); ++at) {
      const ArenaBuffer &buffer = problem.buffers[order[at]];
      int64_t lowest = 0;
      for (size_t below = 0; below != at; ++below)
        if (conflictWitness(buffer, problem.buffers[order[below]]))
          lowest = std::max(lowest, offset[order[below]] + problem.buffers[order[below]].sizeBytes);
      lowest = (lowest + buffer.alignmentBytes - 1) / buffer.alignmentBytes * buffer.alignmentBytes;
      offset[order[at]] = lowest;
      height = std::max(height, lowest + buffer.sizeBytes);
    }
    best = std::min(best, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

} // namespace tilescope::test
