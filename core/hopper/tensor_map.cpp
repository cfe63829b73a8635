#include "core/hopper/tensor_map.h"

#include "llvm/Support/FormatVariadic.h"

#include <cassert>

namespace tilescope {

namespace {

constexpr int64_t MaxStride = int64_t{1} << 40; // exclusive

std::optional<std::string> refusalOfDims(const TensorMap &map) {
  for (int64_t dim : map.dims)
    if (dim < 1 || dim > TensorMapMaxDim)
      return llvm::formatv("it has {0} elements along a dimension, not 1 to {1}", dim,
                           TensorMapMaxDim)
          .str();
  for (int64_t stride : map.strides) {
    if (stride <= 0 || stride >= MaxStride)
      return llvm::formatv("its rows are {0} bytes apart, not 1 to 2^40 - 1", stride).str();
    if (stride % TensorMapStrideBytes != 0)
      return llvm::formatv("its rows are {0} bytes apart, which is no multiple of {1}", stride,
                           TensorMapStrideBytes)
          .str();
  }
  return std::nullopt;
}

std::optional<std::string> refusalOfBox(const TensorMap &map) {
  constexpr int64_t RowBytes = 16;
  for (int64_t extent : map.box)
    if (extent < 1 || extent > TensorMapMaxBox)
      return llvm::formatv("the box has {0} elements along a dimension, not 1 to {1}", extent,
                           TensorMapMaxBox)
          .str();
  int64_t row = map.dtype.bytes(map.box.front());
  if (row % RowBytes != 0)
    return llvm::formatv("a row of the box has {0} bytes, which is no multiple of {1}", row,
                         RowBytes)
        .str();
  if (map.swizzle != Swizzle::None && row != spanOf(map.swizzle))
    return llvm::formatv("a row of the box has {0} bytes, not the {1} of the swizzle", row,
                         spanOf(map.swizzle))
        .str();
  return std::nullopt;
}

} // namespace

std::optional<int> tensorMapTypeCode(DType dtype) {
  constexpr int UInt8 = 0, UInt16 = 1, UInt32 = 2, Int32 = 3, UInt64 = 4, Int64 = 5, Float16 = 6,
                Float32 = 7, Float64 = 8, BFloat16 = 9;
  bool isFloat = dtype.kind == DTypeKind::Float;
  bool isSigned = dtype.kind == DTypeKind::Int;
  switch (dtype.bits) {
  case 8:
    return UInt8;
  case 16:
    if (dtype.kind == DTypeKind::BFloat)
      return BFloat16;
    return isFloat ? Float16 : UInt16;
  case 32:
    if (isFloat || dtype.kind == DTypeKind::TFloat)
      return Float32;
    return isSigned ? Int32 : UInt32;
  case 64:
    if (isFloat)
      return Float64;
    return isSigned ? Int64 : UInt64;
  default:
    return std::nullopt;
  }
}

std::optional<std::string> refusalOfTensor(const TensorMap &map) {
  auto rank = static_cast<int64_t>(map.dims.size());
  if (!tensorMapTypeCode(map.dtype))
    return "its elements are " + map.dtype.name() + ", smaller than a byte";
  if (rank < 1 || rank > TensorMapMaxRank)
    return llvm::formatv("it has {0} dimensions, not 1 to {1}", rank, TensorMapMaxRank).str();
  assert(map.strides.size() + 1 == map.dims.size());
  return refusalOfDims(map);
}

std::optional<std::string> tensorMapRefusal(const TensorMap &map) {
  if (std::optional<std::string> refusal = refusalOfTensor(map))
    return refusal;
  assert(map.box.size() == map.dims.size());
  return refusalOfBox(map);
}

int64_t boxBytes(const TensorMap &map) {
  int64_t elements = 1;
  for (int64_t extent : map.box)
    elements *= extent;
  return map.dtype.bytes(elements);
}

int64_t boxOffset(const TensorMap &map, llvm::ArrayRef<int64_t> coordinates) {
  int64_t row = map.dtype.bytes(map.box.front());
  int64_t line = 0;
  for (size_t i = map.box.size(); i-- > 1;)
    line = line * map.box[i] + coordinates[i];
  int64_t offset = line * row + map.dtype.bytes(coordinates.front());
  return static_cast<int64_t>(swizzledAddress(static_cast<uint64_t>(offset), map.swizzle));
}

} // namespace tilescope
