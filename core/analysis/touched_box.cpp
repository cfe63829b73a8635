#include "core/analysis/touched_box.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// Parts of a byte are no elements of their own; past the end of an axis lie elements of the next.
std::vector<SlotPart> touchedBox(IrAffine &affine, const Buffer &buffer,
                                 llvm::ArrayRef<Range> ranges) {
  if (ranges.size() != buffer.shape.size() || buffer.dtype.bits < 8)
    return {};
  std::vector<SlotPart> box;
  bool isAll = true;
  for (auto [range, shape] : llvm::zip_equal(ranges, buffer.shape)) {
    std::optional<int64_t> extent = constantValue(shape);
    AffineBounds first = affine.bounds(range.min), length = affine.bounds(range.extent);
    if (!extent || !first.lower || !first.upper || !length.upper || *first.lower < 0 ||
        *first.upper > *extent - *length.upper)
      return {};
    box.push_back({*first.lower, *first.upper + *length.upper});
    isAll &= box.back() == SlotPart{0, *extent};
  }
  return isAll ? std::vector<SlotPart>() : box;
}

void joinBox(std::optional<std::vector<SlotPart>> &box, std::vector<SlotPart> other) {
  if (!box)
    box = std::move(other);
  else if (box->size() != other.size())
    box->clear();
  else
    for (auto [one, more] : llvm::zip_equal(*box, other))
      one = {std::min(one.begin, more.begin), std::max(one.end, more.end)};
}

} // namespace tilescope
