#include "core/analysis/layouts/wide_axes.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool isWide(const Range &range) { return constantValue(range.extent) != 1; }

const Layout *layoutOfMove(Context &context, const BufferRegion &region, const Layout &fragment) {
  llvm::SmallVector<DigitList> dims;
  for (auto [range, digits] : llvm::zip_equal(region.ranges, fragment.dims))
    if (isWide(range))
      dims.push_back(DigitList(digits));
  return makeDenseFragment(context, dims, fragment.replicas);
}

FragmentAccess accessOfMove(const BufferAccess &access) {
  FragmentAccess found;
  found.buffer = access.buffer;
  found.isWrite = access.effect != Effect::Read;
  found.span = access.span;
  size_t next = 0;
  for (const Range &range : access.ranges) {
    IndexParts parts = isWide(range) ? wholeVariable(next++) : anyIndex();
    found.axes.push_back(constantValue(range.min) == 0 ? std::move(parts) : anyIndex());
  }
  return found;
}

std::optional<llvm::SmallVector<DigitList>> wideDigits(const BufferRegion &region,
                                                       const Layout &fragment) {
  llvm::SmallVector<DigitList> wide;
  for (auto [range, digits] : llvm::zip_equal(region.ranges, fragment.dims)) {
    bool startsAtZero = isWide(range) && constantValue(range.min) == 0;
    if (!startsAtZero && hasThreadDigit(digits))
      return std::nullopt;
    if (isWide(range))
      wide.push_back(DigitList(digits));
  }
  return wide;
}

const Layout *layoutByWideAxes(Context &context, const Buffer &buffer, const BufferRegion &region,
                               llvm::ArrayRef<DigitList> wide, llvm::ArrayRef<Digit> replicas) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
  if (!shape)
    return nullptr;
  llvm::SmallVector<DigitList> dims;
  int64_t outerStride = 1;
  for (const DigitList &digits : wide)
    for (const Digit &digit : digits)
      outerStride *= digit.onThread ? 1 : digit.extent;
  for (auto [range, extent] : llvm::zip_equal(region.ranges, *shape)) {
    if (!isWide(range)) {
      dims.push_back({{extent, false, outerStride}});
      outerStride *= extent;
      continue;
    }
    if (wide.empty() || extentOf(wide.front()) < extent)
      return nullptr;
    if (constantValue(range.min) != 0 && hasThreadDigit(wide.front()))
      return nullptr;
    dims.push_back(wide.front());
    wide = wide.drop_front();
  }
  return wide.empty() ? makeDenseFragment(context, dims, replicas) : nullptr;
}

} // namespace tilescope
