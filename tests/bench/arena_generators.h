// Arena problems by seed. Everything is drawn from std::mt19937 by remainder, so that a seed means
// the same problem everywhere.
#pragma once

#include "core/access/arena_plan.h"

#include <random>

namespace tilescope::test {

inline ArenaBuffer &addBuffer(ArenaProblem &problem, int64_t sizeBytes, int64_t alignmentBytes,
                              LiveInterval live) {
  ArenaBuffer &buffer = problem.buffers.emplace_back();
  buffer.id = BufferId(static_cast<uint32_t>(problem.buffers.size() - 1));
  buffer.name = "b" + std::to_string(buffer.id.value);
  buffer.sizeBytes = buffer.strideBytes = sizeBytes;
  buffer.alignmentBytes = alignmentBytes;
  buffer.live = {live};
  return buffer;
}

// Shapes of tile kernels: 60 % tiles of 64-256 by 32-128 elements of 1 or 2 bytes, 20 % scratch of
// 128 bytes to 4 KB, 20 % barriers of 8 to 64 bytes. A quarter of the lifetimes are long. Mixed
// alignments: two thirds of the tiles 1024 bytes, the other tiles and the scratch 128, barriers 8;
// else all 16.
inline ArenaProblem tileKernelProblem(uint32_t seed, int leastBuffers, int mostBuffers,
                                      bool hasMixedAlignment) {
  std::mt19937 random(seed);
  auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  int count = leastBuffers + below(mostBuffers - leastBuffers + 1);
  int points = 2 * count;
  ArenaProblem problem;
  for (int index = 0; index != count; ++index) {
    int kind = below(10);
    int64_t size = 0, alignment = 16;
    if (kind < 6) {
      size = int64_t(64 << below(3)) * (32 << below(3)) * (1 + below(2));
      alignment = below(3) != 0 ? 1024 : 128;
    } else if (kind < 8) {
      size = 128 << below(6);
      alignment = 128;
    } else {
      size = 8 << below(4);
      alignment = 8;
    }
    int begin = below(points - 1);
    int length = below(4) == 0 ? points / 2 : 1 + below(points / 4 + 1);
    addBuffer(problem, size, hasMixedAlignment ? alignment : 16,
              {begin, std::min(begin + length, points)});
  }
  return problem;
}

// Two programs share one arena; each allocates and frees as a stack, and their depths wander around
// 100. One stack growing from the bottom and the other from the top of an arena of max-live bytes
// never meet, so max-live can be reached.
//
//   bytes  ^ +--+    +----+      second program
//          | |  +----+    |
//          | +------------+
//          |      +--+
//          | +----+  +----+      first program
//          +-+------------+--> time
inline ArenaProblem twoStacksProblem(uint32_t seed, size_t count) {
  constexpr size_t Depth = 100;
  std::mt19937 random(seed);
  ArenaProblem problem;
  std::vector<size_t> stacks[2];
  auto pop = [&](std::vector<size_t> &stack, ProgramPoint now) {
    problem.buffers[stack.back()].live.front().end = now;
    stack.pop_back();
  };
  ProgramPoint now = 0;
  while (problem.buffers.size() != count) {
    ++now;
    std::vector<size_t> &stack = stacks[random() % 2];
    if (random() % (2 * Depth) < stack.size()) {
      pop(stack, now);
      continue;
    }
    int64_t size = 16 * (1 + static_cast<int64_t>(random() % 64));
    if (random() % 4 == 0)
      size *= 1 + static_cast<int64_t>(random() % 64);
    stack.push_back(problem.buffers.size());
    addBuffer(problem, size, 16, {now, now + 1});
  }
  for (std::vector<size_t> &stack : stacks)
    while (!stack.empty())
      pop(stack, ++now);
  return problem;
}

} // namespace tilescope::test
