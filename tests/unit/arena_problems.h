// Arena problems for tests.
#pragma once

#include "core/plan/plan.h"

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

} // namespace tilescope::test
