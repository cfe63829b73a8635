// What a bulk tensor copy is told of a tensor: the fields of a CUtensorMap as plain numbers (CUDA
// driver API, cuTensorMapEncodeTiled). Only the host code of a launch encodes them. Dimensions are
// innermost first. Nothing is interleaved and no element left out; what is outside of the tensor
// arrives as zeros, and is not stored.
#pragma once

#include "core/hopper/swizzle.h"
#include "core/support/dtype.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tilescope {

struct TensorMap {
  DType dtype;
  llvm::SmallVector<int64_t, 5> dims;    // elements
  llvm::SmallVector<int64_t, 4> strides; // bytes from one element of dimension i + 1 to the next
  llvm::SmallVector<int64_t, 5> box;     // elements that one copy moves, along each dimension
  Swizzle swizzle = Swizzle::None;

  friend bool operator==(const TensorMap &, const TensorMap &) = default;
};

inline constexpr int64_t TensorMapMaxRank = 5;
inline constexpr int64_t TensorMapMaxBox = 256; // elements along a dimension
// Elements of the tensor along a dimension: so that coordinates, which are an int, can say that a
// box is beside it. The driver takes twice as many.
inline constexpr int64_t TensorMapMaxDim = (int64_t{1} << 31) - 1 - TensorMapMaxBox;
inline constexpr int64_t TensorMapAddressBytes = 16; // the tensor starts at a multiple of it
inline constexpr int64_t TensorMapStrideBytes = 16;  // strides are multiples of it

// The driver's number of a type (CUtensorMapDataType). Integers and what has no number of its own
// go as unsigned integers of their size. Nothing: no such copy has elements of fewer than 8 bits.
std::optional<int> tensorMapTypeCode(DType dtype);

// Why there is no such map, as the end of a sentence: "its rows are 130 bytes apart, which is no
// multiple of 16". Nothing: the driver takes it, if the address is right. A swizzled box must be as
// wide as the span; the driver takes narrower ones, which nobody here wants. `refusalOfTensor` asks
// of all but the box.
std::optional<std::string> tensorMapRefusal(const TensorMap &map);
std::optional<std::string> refusalOfTensor(const TensorMap &map);

// Bytes that a copy moves, and that an mbarrier counts, wherever the box lies.
int64_t boxBytes(const TensorMap &map);

// Where in shared memory an element of the box lies, in bytes from its start; that is a multiple of
// `patternBytes`. One coordinate a dimension.
int64_t boxOffset(const TensorMap &map, llvm::ArrayRef<int64_t> coordinates);

} // namespace tilescope
