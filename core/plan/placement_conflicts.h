// Which buffers may not overlap, whole or in some of their versions.
//
//     bytes  ^  |A1|       A has two versions, and only A1 may not overlap C: C may begin
//            |  |A0| |C|   at most |C| bytes below A1, or above it.
//
// So a conflict is a range of distances, from where one buffer begins to where the other does.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace tilescope {

// Open: the two ends are free of conflict.
struct DistanceRange {
  int64_t above = 0;
  int64_t below = 0;

  bool contains(int64_t distance) const { return above < distance && distance < below; }
  DistanceRange reversed() const { return {-below, -above}; }
};

class PlacementConflicts {
public:
  struct Partial {
    size_t other = 0;
    DistanceRange distances; // at which the other may not begin
  };

  // Of two buffers at every distance at which they overlap.
  enum Whole : uint8_t {
    None,
    ByLifetime, // whatever barriers there are
    ByBarrier,  // for want of one
  };

  explicit PlacementConflicts(size_t count)
      : count_(count), wholes_(count * count, None), partials_(count) {}

  void set(size_t a, size_t b, Whole whole = ByLifetime) {
    wholes_[a * count_ + b] = wholes_[b * count_ + a] = whole;
  }
  // At some distances, for want of a barrier; besides those that are known.
  void add(size_t a, size_t b, DistanceRange distances) {
    partials_[a].push_back({b, distances});
    partials_[b].push_back({a, distances.reversed()});
  }

  const Whole *wholeRow(size_t a) const { return &wholes_[a * count_]; }
  llvm::ArrayRef<Partial> partialsOf(size_t a) const { return partials_[a]; }

private:
  size_t count_;
  std::vector<Whole> wholes_;
  std::vector<std::vector<Partial>> partials_;
};

} // namespace tilescope
