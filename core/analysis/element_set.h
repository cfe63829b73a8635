// Sets of elements of one buffer, by their row-major number.
//
//     box [1, 3) x [2, 4) of a (3, 4) buffer     .  .  .  .
//     its runs: [6, 8) and [10, 12)              .  .  6  7
//                                                .  . 10 11
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tilescope {

// The runs [begin, end) of consecutive elements that a box is made of, as few as there are: `first`
// and `extents` are per axis, and the box lies inside of `shape`.
void forEachRun(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> first,
                llvm::ArrayRef<int64_t> extents,
                llvm::function_ref<void(int64_t begin, int64_t end)> visit);

// Row-major number to coordinates.
llvm::SmallVector<int64_t> coordinatesOf(int64_t element, llvm::ArrayRef<int64_t> shape);

// Most sets are empty or hold everything; only others have bits.
class ElementSet {
public:
  // Of a buffer of so many elements.
  explicit ElementSet(int64_t elements = 0) : elements_(elements) {}

  bool isAll() const { return kind_ == Kind::All; }
  bool isEmpty() const { return kind_ == Kind::None; }
  void addAll();
  // After the last of several, `normalise`.
  void add(int64_t begin, int64_t end);
  // One form a set: of two that are equal, and for `isAll` and `isEmpty`.
  void normalise();
  void unite(const ElementSet &other);
  void intersect(const ElementSet &other);
  // 64-bit words that are kept.
  int64_t words() const { return static_cast<int64_t>(bits_.size() / 64); }
  // The first element of [begin, end) that is not in the set, or that is.
  std::optional<int64_t> firstMissing(int64_t begin, int64_t end) const;
  std::optional<int64_t> firstPresent(int64_t begin, int64_t end) const;

  friend bool operator==(const ElementSet &, const ElementSet &) = default;

private:
  enum class Kind : uint8_t { None, Some, All };

  int64_t elements_;
  Kind kind_ = Kind::None;
  llvm::BitVector bits_; // Some
};

} // namespace tilescope
