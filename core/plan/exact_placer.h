// Placements under a height, or the proof that there is none.
//
// Each buffer first lies as low as can be, alone. Where two of them then meet that may not, one of
// them goes above the other, or below: two cases, in each of which all that this pushes up is
// pushed up. What remains below the height when nothing meets is a placement; if both cases of some
// two always end above it, there is none.
//
//     limit  ......        ......        ......
//                          |b|           |a|
//            |a = b|       |a|           |b|
//            a, b meet     b above a     a above b
//
// Before that, versions that may not meet pair by pair are added up: if they need more than there
// is, nothing has to be tried. Conflicts are those of PlacementConflicts, versions told apart.
// ConflictPlacer is much faster, and proves nothing.
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
  const std::set<std::pair<size_t, size_t>> &used() const { return used_; }
  int64_t steps() const { return steps_; }

private:
  // Of two items: the second may not begin at these distances from the first.
  struct Conflict {
    size_t first = 0;
    size_t second = 0;
    DistanceRange distances;
    bool isByBarrier = false; // it is there for want of one
  };
  // How far, at least, each item begins above each other. The last item is the floor.
  using Distances = std::vector<int64_t>;

  // Each version of each item.
  struct VersionsApart {
    std::vector<int64_t> sizes;
    std::vector<llvm::BitVector> apart; // per version: those that it may not meet
    // Of two versions that want of a barrier keeps apart: which conflict.
    std::map<std::pair<size_t, size_t>, size_t> byBarrier;
  };

  void listConflicts(const PlacementConflicts &conflicts);
  bool isTooMuch(int64_t limitBytes);
  VersionsApart listVersionsApart();
  int64_t addUp(const VersionsApart &versions, std::vector<size_t> &chosen);
  bool start(int64_t limitBytes, llvm::ArrayRef<std::optional<int64_t>> pins,
             Distances &least) const;
  bool search(Distances least, std::vector<size_t> open);
  bool decide(Distances &least, std::vector<size_t> &open);
  std::optional<size_t> worstMet(const Distances &least, llvm::ArrayRef<size_t> open) const;

  int64_t &at(Distances &least, size_t from, size_t to) const { return least[from * width_ + to]; }
  int64_t at(const Distances &least, size_t from, size_t to) const {
    return least[from * width_ + to];
  }
  bool raise(Distances &least, size_t from, size_t to, int64_t distance);
  bool raiseAligned(Distances &least);
  void use(const Conflict &conflict);

  const ArenaProblem &problem_;
  std::vector<size_t> items_; // buffers that have bytes
  size_t width_ = 0;          // items and the floor
  std::vector<Conflict> conflicts_;
  std::vector<int64_t> offsets_;
  std::set<std::pair<size_t, size_t>> used_;
  int64_t steps_ = 0;
  int64_t maxSteps_ = 0;
};

} // namespace tilescope
