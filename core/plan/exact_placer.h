// Placements under a height, or the proof that there is none: branch and bound over conflicts.
//
// Each buffer first lies as low as can be, alone. Where two of them then violate a conflict, one of
// them goes above the other, or below: two cases, in each of which all that this pushes up is
// pushed up. What remains below the height when no conflict is violated is a placement; if both
// cases of some two always end above it, there is none.
//
//     limit  ......        ......        ......
//                          |b|           |a|
//            |a = b|       |a|           |b|
//            a, b violate  b above a     a above b
//
// Before that a lower bound is tried: the bytes of a clique, versions that conflict pair by pair.
// If it needs more than there is, nothing has to be searched. Conflicts are those of
// PlacementConflicts, versions told apart. ConflictPlacer is much faster, and proves nothing.
#pragma once

#include "core/access/arena_plan.h"
#include "core/plan/placement_conflicts.h"

#include "llvm/ADT/BitVector.h"

#include <map>
#include <set>

namespace tilescope {

class ExactPlacer {
public:
  explicit ExactPlacer(const ArenaProblem &problem) : problem_(problem) {}

  enum class Outcome : uint8_t { Placed, Impossible, OutOfSteps };
  // Ends when all runs together have made `maxSteps`, the measure of work.
  Outcome place(const PlacementConflicts &conflicts, int64_t limitBytes,
                llvm::ArrayRef<std::optional<int64_t>> pins, int64_t maxSteps);

  // Placed: of all buffers.
  const std::vector<int64_t> &offsets() const { return offsets_; }
  // Impossible: of the conflicts for want of a barrier, those between these buffers are enough to
  // rule a placement out.
  const std::set<std::pair<size_t, size_t>> &core() const { return core_; }
  int64_t steps() const { return steps_; }

private:
  // Of two items: the second may not begin at these distances from the first.
  struct Conflict {
    size_t first = 0;
    size_t second = 0;
    DistanceRange distances;
    bool isByBarrier = false; // it is there for want of one
  };
  // How far, at least, each item begins above each other: the longest paths of all difference
  // constraints so far. The last item is the floor.
  using Distances = std::vector<int64_t>;

  // Of each version of each item.
  struct ConflictGraph {
    std::vector<int64_t> sizes;
    std::vector<llvm::BitVector> neighbours; // per version: those that it conflicts with
    // Of two versions that conflict for want of a barrier: which conflict.
    std::map<std::pair<size_t, size_t>, size_t> byBarrier;
  };

  void listConflicts(const PlacementConflicts &conflicts);
  bool isCliqueAbove(int64_t limitBytes);
  ConflictGraph buildConflictGraph();
  int64_t growClique(const ConflictGraph &graph, std::vector<size_t> &clique);
  bool boundOffsets(int64_t limitBytes, llvm::ArrayRef<std::optional<int64_t>> pins,
                    Distances &least) const;
  bool search(Distances least, std::vector<size_t> open);
  bool propagate(Distances &least, std::vector<size_t> &open);
  std::optional<size_t> tightestViolated(const Distances &least, llvm::ArrayRef<size_t> open) const;

  int64_t &at(Distances &least, size_t from, size_t to) const { return least[from * width_ + to]; }
  int64_t at(const Distances &least, size_t from, size_t to) const {
    return least[from * width_ + to];
  }
  bool tighten(Distances &least, size_t from, size_t to, int64_t distance);
  bool tightenToAlignment(Distances &least);
  void addToCore(const Conflict &conflict);

  const ArenaProblem &problem_;
  std::vector<size_t> items_; // buffers that have bytes
  size_t width_ = 0;          // items and the floor
  std::vector<Conflict> conflicts_;
  std::vector<int64_t> offsets_;
  std::set<std::pair<size_t, size_t>> core_;
  int64_t steps_ = 0;
  int64_t maxSteps_ = 0;
};

} // namespace tilescope
