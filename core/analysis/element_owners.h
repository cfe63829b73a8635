// Which thread owns which element of a buffer: a table over the coordinates that are touched.
#pragma once

#include "core/analysis/drawn_elements.h"
#include "core/analysis/lane_walk.h"

namespace tilescope {

constexpr int64_t MaxOwnedElements = 1 << 18;

// Coordinates along one axis: `fixed` + [begin, begin + extent), all others are nobody's. With a
// period, coordinates that differ by a multiple of it count as one; the extent is at most the
// period.
struct OwnedAxis {
  FixedPart fixed;
  int64_t period = 0;
  int64_t begin = 0;
  int64_t extent = 0;
};

// What active lanes touch along an axis: `extent` coordinates each, from `index` on. Nullopt if
// that is too far out to count with.
std::optional<OwnedAxis> axisOf(const LaneIndex &index, int64_t extent, const Lanes &active);
// Makes `axis` wide enough for both, and says no more than both do.
void widen(OwnedAxis &axis, const OwnedAxis &other);
// The number of a coordinate, less `fixed`, in an axis that is wide enough.
int64_t placeIn(const OwnedAxis &axis, int64_t coordinate);

struct ElementOwners {
  const Var *threadVar = nullptr; // of the launch
  llvm::SmallVector<OwnedAxis, 2> axes;
  std::vector<int32_t> threads; // row-major over the axes; -1: nobody

  // Nobody's yet; false if there are too many elements.
  bool allocate();
  // False if two threads would touch one element, or nothing can be said; then it is as before.
  bool merge(const ElementOwners &other);

private:
  bool add(const ElementOwners &other);
  bool addAlike(const ElementOwners &other);
  std::vector<int64_t> placesOf(const ElementOwners &other) const;
};

// A number for owners of the elements of a buffer: accesses with the same number are of the same
// thread for each element. 1 and up; of one program.
class OwnerTokens {
public:
  uint32_t tokenOf(BufferId buffer, const ElementOwners &owners);
  uint32_t tokenOf(BufferId buffer, const DrawKey &drawn);
  // Numbers of elements by drawn numbers hold as long as no barrier comes between drawing and
  // writing: who is about to place barriers must not build on them.
  static constexpr uint32_t FirstOfDrawn = 1U << 31;

private:
  std::vector<std::pair<BufferId, ElementOwners>> known_; // owners of all that got the number
  std::vector<std::pair<BufferId, DrawKey>> drawn_;
};

} // namespace tilescope
