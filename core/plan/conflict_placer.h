// Quick placements under a height, for conflicts that are more than lifetimes.
//
// First fit in a given order. The buffer that ends too high goes to the front of the order, and all
// are placed again: what is hard to place is soon placed first.
//
//     order a b c              order c a b
//     limit  ......            limit  ......
//            |c|  too high            |b |
//            |b  |                    |a||  |
//            |a |                     |c||c |
#pragma once

#include "core/access/arena_plan.h"
#include "core/plan/placement_conflicts.h"

namespace tilescope {

class ConflictPlacer {
public:
  explicit ConflictPlacer(const ArenaProblem &problem) : problem_(problem) {}

  // Offsets of all buffers such that none ends above `limitBytes`. `pins` says where buffers must
  // lie, over what the problem pins. Nothing if none is found, which proves nothing.
  std::optional<std::vector<int64_t>> place(const PlacementConflicts &conflicts, int64_t limitBytes,
                                            llvm::ArrayRef<std::optional<int64_t>> pins,
                                            std::vector<size_t> order);

  // How many pairs of buffers were looked at so far: the measure of work.
  int64_t steps() const { return steps_; }

private:
  bool addPinned(const PlacementConflicts &conflicts, int64_t limitBytes,
                 llvm::ArrayRef<std::optional<int64_t>> pins);
  size_t placeAll(const PlacementConflicts &conflicts, int64_t limitBytes,
                  llvm::ArrayRef<size_t> order);
  int64_t lowestFree(const PlacementConflicts &conflicts, size_t buffer);
  int64_t aboveWhole(const PlacementConflicts &conflicts, size_t buffer, int64_t offset);
  int64_t abovePartial(const PlacementConflicts &conflicts, size_t buffer, int64_t offset);
  int64_t alignedOffset(size_t buffer, int64_t offset) const; // or the next above
  void add(size_t buffer, int64_t offsetBytes);

  const ArenaProblem &problem_;
  int64_t steps_ = 0;
  std::vector<int64_t> offsets_;
  std::vector<size_t> placed_; // by offset
  std::vector<bool> isPlaced_;
};

} // namespace tilescope
