#include "core/ir/tensor_map_extents.h"

#include "core/ir/atomic_attrs.h"
#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// More than a map may have of anything, so that what grows beyond it is refused all the same.
constexpr int64_t TooMuch = int64_t{1} << 41;

std::optional<int64_t> product(std::optional<int64_t> a, std::optional<int64_t> b) {
  int64_t result = 0;
  if (!a || !b)
    return std::nullopt;
  return __builtin_mul_overflow(*a, *b, &result) ? TooMuch : result;
}

} // namespace

TensorMap knownTensorMap(const Buffer &tensor) {
  TensorMap map{.dtype = tensor.dtype, .dims = {}, .strides = {}, .box = {}};
  std::optional<int64_t> rowMajor = 1;
  for (size_t axis = tensor.shape.size(); axis-- > 0;) {
    std::optional<int64_t> extent = constantValue(tensor.shape[axis]);
    std::optional<int64_t> stride =
        tensor.strides.empty() ? rowMajor : constantValue(tensor.strides[axis]);
    if (!map.dims.empty())
      map.strides.push_back(stride ? tensor.dtype.bytes(std::clamp(*stride, -TooMuch, TooMuch))
                                   : TensorMapStrideBytes);
    map.dims.push_back(extent.value_or(TensorMapMaxBox));
    rowMajor = product(rowMajor, extent);
  }
  return map;
}

// PTX ISA, "cp.reduce.async.bulk". Of signed integers only what an H100 was seen to do: a sum of
// int64 is an illegal instruction there.
std::optional<std::string> refusalOfReduction(AtomicKind kind, DType dtype) {
  bool isSum = kind == AtomicKind::Add;
  bool isWord = dtype.bits == 32 || dtype.bits == 64;
  bool isInteger = isWord && (dtype.isUnsigned() || (isSum && dtype == DType::int32()));
  bool isHalf =
      dtype.kind == DTypeKind::BFloat || (dtype.kind == DTypeKind::Float && dtype.bits == 16);
  bool isFloat = isHalf || (isSum && isWord && dtype.kind == DTypeKind::Float);
  if ((isSum || kind == AtomicKind::Max || kind == AtomicKind::Min) && (isInteger || isFloat))
    return std::nullopt;
  return llvm::formatv("it has no '{0}' of {1}", AtomicKindNames[static_cast<size_t>(kind)],
                       dtype.name());
}

std::optional<std::string> refusalOfBox(const OpCheck &check, size_t tensor, size_t tile) {
  const Layout *layout = check.buffer(tile).layout;
  bool isSwizzled = layout && layout->kind == LayoutKind::Swizzle;
  TensorMap map = knownTensorMap(check.buffer(tensor));
  if (isSwizzled)
    map.swizzle = layout->isAligned ? *swizzleOfSpan(layout->spanBytes) : Swizzle::None;
  const auto extents = check.extents(tensor);
  for (const Expr *extent : llvm::reverse(extents))
    map.box.push_back(constantValue(extent).value_or(0));
  if (map.box.size() < 2)
    return "it has one dimension, not 2 to 5";
  if (isSwizzled && !layout->isAligned)
    return "the swizzle of its tile is not aligned";
  return tensorMapRefusal(map);
}

} // namespace tilescope
