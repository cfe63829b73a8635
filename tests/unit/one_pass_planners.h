// Heuristics of other compilers, written plainly from their descriptions: what planArena must never
// be worse than. They place whole buffers by one interval, from the first birth to the last death.
#pragma once

#include "core/access/arena_plan.h"

#include <algorithm>
#include <array>
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
  keys.reserve(hulls.size());
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

// On a skyline: again and again the buffer that can lie lowest, above all that it interferes with;
// among equals the one with the most bytes live beside it, then the longest, then the largest area.
inline int64_t placeLowestFirst(const ArenaProblem &problem) {
  std::vector<Hull> hulls = hullsOf(problem);
  std::vector<int64_t> breadths;
  breadths.reserve(hulls.size());
  for (const Hull &hull : hulls)
    breadths.push_back(breadthOf(hulls, hull));
  for (size_t count = 0; count != hulls.size(); ++count) {
    Hull *next = nullptr;
    std::array<int64_t, 4> best{};
    for (size_t index = 0; index != hulls.size(); ++index) {
      Hull &hull = hulls[index];
      if (hull.offset >= 0)
        continue;
      int64_t floor = 0;
      for (const Hull &other : hulls)
        if (other.offset >= 0 && other.meets(hull))
          floor = std::max(floor, other.top());
      floor = (floor + hull.alignment - 1) / hull.alignment * hull.alignment;
      int64_t width = hull.end - hull.begin;
      std::array<int64_t, 4> key = {floor, -breadths[index], -width, -width * hull.size};
      if (!next || key < best) {
        next = &hull;
        best = key;
      }
    }
    next->offset = best[0];
  }
  return topOf(hulls);
}

// Triton: buffers get levels from (address, time) triples, in which those that meet may still
// overlap; a colouring of the overlaps then lifts each colour by the largest end, until none is
// left.
inline int64_t placeByColouring(const ArenaProblem &problem) {
  std::vector<Hull> hulls = hullsOf(problem);
  // Addresses from which a stretch of time is free, lowest first.
  std::multimap<int64_t, std::pair<ProgramPoint, ProgramPoint>> free;
  free.insert({0, {0, std::numeric_limits<ProgramPoint>::max()}});
  for (size_t left = hulls.size(); left != 0;) {
    if (free.empty())
      free.insert({topOf(hulls), {0, std::numeric_limits<ProgramPoint>::max()}});
    auto [address, span] = *free.begin();
    free.erase(free.begin());
    auto fits = [&, begin = span.first, end = span.second](const Hull &hull) {
      if (hull.offset >= 0 || hull.begin >= end || begin >= hull.end)
        return false;
      return std::none_of(free.begin(), free.end(), [&](const auto &other) {
        return other.second.first < hull.end && hull.begin < other.second.second;
      });
    };
    auto found = std::find_if(hulls.begin(), hulls.end(), fits);
    if (found == hulls.end())
      continue;
    found->offset = (address + found->alignment - 1) / found->alignment * found->alignment;
    --left;
    free.insert(
        {found->top(), {std::max(span.first, found->begin), std::min(span.second, found->end)}});
    if (span.first < found->begin)
      free.insert({address, {span.first, found->end}});
    if (found->end < span.second)
      free.insert({address, {found->begin, span.second}});
  }
  for (bool hasOverlap = true; hasOverlap;) {
    hasOverlap = false;
    auto clash = [](const Hull &a, const Hull &b) {
      return a.meets(b) && a.offset < b.top() && b.offset < a.top();
    };
    std::vector<size_t> colours(hulls.size(), 0);
    for (size_t index = 0; index != hulls.size(); ++index) {
      std::vector<bool> taken(hulls.size() + 1, false);
      for (size_t other = 0; other != index; ++other)
        if (clash(hulls[index], hulls[other]))
          taken[colours[other]] = true;
      colours[index] = std::find(taken.begin(), taken.end(), false) - taken.begin();
    }
    std::vector<Hull> before = hulls;
    for (size_t index = 0; index != hulls.size(); ++index) {
      if (colours[index] == 0)
        continue;
      hasOverlap = true;
      int64_t lift = 0;
      for (const Hull &other : before)
        if (other.meets(hulls[index]) && &other != &before[index])
          lift = std::max(lift, other.top());
      int64_t offset = std::max(lift, hulls[index].offset);
      hulls[index].offset =
          (offset + hulls[index].alignment - 1) / hulls[index].alignment * hulls[index].alignment;
    }
  }
  return topOf(hulls);
}

// By name, for messages. idealloc with one life is the row by size with first fit.
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
      {"lowest first", placeLowestFirst(problem)},
      {"Triton's colouring", placeByColouring(problem)},
  };
}

} // namespace tilescope::test
