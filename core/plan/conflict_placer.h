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

#include "core/plan/plan.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilescope {

// Which buffers of a problem may not overlap in bytes; symmetric.
class ConflictMatrix {
public:
  explicit ConflictMatrix(size_t count) : count_(count), bits_(count * count, 0) {}

  void set(size_t a, size_t b) { bits_[a * count_ + b] = bits_[b * count_ + a] = 1; }
  const uint8_t *row(size_t a) const { return &bits_[a * count_]; }
  size_t count() const { return count_; }

private:
  size_t count_;
  std::vector<uint8_t> bits_;
};

class ConflictPlacer {
public:
  explicit ConflictPlacer(const ArenaProblem &problem) : problem_(problem) {}

  // Offsets of all buffers such that none ends above `limitBytes`. `pins` says where buffers must
  // lie, over what the problem pins. Nothing if none is found, which proves nothing.
  std::optional<std::vector<int64_t>> place(const ConflictMatrix &conflicts, int64_t limitBytes,
                                            llvm::ArrayRef<std::optional<int64_t>> pins,
                                            std::vector<size_t> order);

  // How many pairs of buffers were looked at so far: the measure of work.
  int64_t steps() const { return steps_; }

private:
  bool addPinned(const ConflictMatrix &conflicts, int64_t limitBytes,
                 llvm::ArrayRef<std::optional<int64_t>> pins);
  size_t placeAll(const ConflictMatrix &conflicts, int64_t limitBytes,
                  llvm::ArrayRef<size_t> order);
  int64_t lowestFree(const ConflictMatrix &conflicts, size_t buffer);
  void add(size_t buffer, int64_t offsetBytes);

  const ArenaProblem &problem_;
  int64_t steps_ = 0;
  std::vector<int64_t> offsets_;
  std::vector<size_t> placed_; // by offset
};

} // namespace tilescope
