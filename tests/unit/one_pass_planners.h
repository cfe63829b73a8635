// Heuristics of other compilers, written plainly from their descriptions: what planArena must never
// be worse than. They place whole buffers by one interval, from the first birth to the last death.
#pragma once

#include "core/plan/plan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace tilescope::test {

struct Hull {
  ProgramPoint begin = 0; // half-open
  ProgramPoint end = 0;
  int64_t size = 0; // rounded up to the alignment
  int64_t alignment = 1;
  int64_t offset = -1; // not placed yet

  int64_t top() const { return offset + size; }
  bool meets(const Hull &other) const { return begin < other.end && other.begin < end; }
};

inline std::vector<Hull> hullsOf(const ArenaProblem &problem) {
  std::vector<Hull> hulls;
  for (const ArenaBuffer &buffer : problem.buffers)
    if (buffer.sizeBytes > 0 && !buffer.live.empty()) {
      int64_t alignment = buffer.alignmentBytes;
      hulls.push_back({buffer.live.front().begin, buffer.live.back().end,
                       (buffer.sizeBytes + alignment - 1) / alignment * alignment, alignment});
    }
  return hulls;
}

inline int64_t topOf(const std::vector<Hull> &hulls) {
  int64_t top = 0;
  for (const Hull &hull : hulls)
    top = std::max(top, hull.top());
  return top;
}

// The lowest gap that is wide enough, or (best fit) the narrowest one.
inline int64_t findGap(const std::vector<Hull> &hulls, const Hull &hull, bool isBestFit) {
  std::vector<const Hull *> beside;
  for (const Hull &other : hulls)
    if (other.offset >= 0 && other.meets(hull))
      beside.push_back(&other);
  std::sort(beside.begin(), beside.end(),
            [](const Hull *a, const Hull *b) { return a->offset < b->offset; });
  int64_t best = -1, bestRoom = INT64_MAX, floor = 0;
  for (const Hull *other : beside) {
    int64_t start = (floor + hull.alignment - 1) / hull.alignment * hull.alignment;
    int64_t room = other->offset - start;
    if (room >= hull.size && (best < 0 || (isBestFit && room < bestRoom))) {
      best = start;
      bestRoom = room;
    }
    floor = std::max(floor, other->top());
  }
  return best >= 0 ? best : (floor + hull.alignment - 1) / hull.alignment * hull.alignment;
}

// TFLM, USMP and TFLite by size, XLA by size with best fit, and the rows by duration, conflicts,
// area and start: `key` is compared first, larger keys placed first.
inline int64_t
placeByKey(const ArenaProblem &problem, bool isBestFit,
           const std::function<int64_t(const std::vector<Hull> &, const Hull &)> &key) {
  std::vector<Hull> hulls = hullsOf(problem);
  std::vector<size_t> order(hulls.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<int64_t> keys;
  for (const Hull &hull : hulls)
    keys.push_back(key(hulls, hull));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return keys[a] > keys[b]; });
  for (size_t index : order)
    hulls[index].offset = findGap(hulls, hulls[index], isBestFit);
  return topOf(hulls);
}

inline int64_t conflictsOf(const std::vector<Hull> &hulls, const Hull &hull) {
  return std::count_if(hulls.begin(), hulls.end(),
                       [&](const Hull &other) { return other.meets(hull); });
}

// TFLite by breadth: buffers of the point with the most live bytes first.
inline int64_t breadthOf(const std::vector<Hull> &hulls, const Hull &hull) {
  int64_t breadth = 0;
  for (ProgramPoint point = hull.begin; point != hull.end; ++point) {
    int64_t bytes = 0;
    for (const Hull &other : hulls)
      if (other.begin <= point && point < other.end)
        bytes += other.size;
    breadth = std::max(breadth, bytes);
  }
  return breadth;
}

// TileLang: in order of birth, the smallest free chunk that is large enough, else the arena grows.
// Freed chunks merge with their neighbours.
inline int64_t placeLinearScan(const ArenaProblem &problem) {
  std::vector<Hull> hulls = hullsOf(problem);
  std::stable_sort(hulls.begin(), hulls.end(),
                   [](const Hull &a, const Hull &b) { return a.begin < b.begin; });
  int64_t top = 0;
  for (Hull &hull : hulls) {
    std::vector<const Hull *> live;
    for (const Hull &other : hulls)
      if (other.offset >= 0 && other.end > hull.begin)
        live.push_back(&other);
    std::sort(live.begin(), live.end(),
              [](const Hull *a, const Hull *b) { return a->offset < b->offset; });
    int64_t best = -1, bestRoom = INT64_MAX, floor = 0;
    auto offer = [&](int64_t end) {
      int64_t start = (floor + hull.alignment - 1) / hull.alignment * hull.alignment;
      if (end - start >= hull.size && end - start < bestRoom) {
        best = start;
        bestRoom = end - start;
      }
    };
    for (const Hull *other : live) {
      offer(other->offset);
      floor = std::max(floor, other->top());
    }
    offer(top);
    hull.offset = best >= 0 ? best : (top + hull.alignment - 1) / hull.alignment * hull.alignment;
    top = std::max(top, hull.top());
  }
  return top;
}

// TVM's merge of shared memory: whole entries are reused, at most 16 times larger than what asks
// for them, and lie end to end.
inline int64_t placeSizeClasses(const ArenaProblem &problem) {
  std::vector<Hull> hulls = hullsOf(problem);
  std::stable_sort(hulls.begin(), hulls.end(),
                   [](const Hull &a, const Hull &b) { return a.begin < b.begin; });
  struct Entry {
    int64_t size;
    ProgramPoint freeAt;
  };
  std::vector<Entry> entries;
  for (const Hull &hull : hulls) {
    Entry *best = nullptr;
    for (Entry &entry : entries)
      if (entry.freeAt <= hull.begin && entry.size >= hull.size && entry.size <= 16 * hull.size &&
          (!best || entry.size < best->size))
        best = &entry;
    if (best)
      best->freeAt = hull.end;
    else
      entries.push_back({hull.size, hull.end});
  }
  int64_t top = 0;
  for (const Entry &entry : entries)
    top += entry.size;
  return top;
}

// By name, for messages.
inline std::map<std::string, int64_t> onePassHeights(const ArenaProblem &problem) {
  using Hulls = std::vector<Hull>;
  auto size = [](const Hulls &, const Hull &hull) { return hull.size; };
  return {
      {"size, first fit", placeByKey(problem, false, size)},
      {"size, best fit", placeByKey(problem, true, size)},
      {"breadth, first fit", placeByKey(problem, false, breadthOf)},
      {"duration, first fit",
       placeByKey(problem, false,
                  [](const Hulls &, const Hull &h) { return int64_t(h.end - h.begin); })},
      {"conflicts, first fit", placeByKey(problem, false, conflictsOf)},
      {"area, first fit",
       placeByKey(problem, false,
                  [](const Hulls &, const Hull &h) { return h.size * (h.end - h.begin); })},
      {"start, best fit",
       placeByKey(problem, true, [](const Hulls &, const Hull &h) { return -int64_t(h.begin); })},
      {"TileLang's linear scan", placeLinearScan(problem)},
      {"TVM's merge", placeSizeClasses(problem)},
  };
}

} // namespace tilescope::test
