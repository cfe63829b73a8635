#include "core/analysis/element_set.h"

namespace tilescope {

namespace {

// Of an axis and those inside it; the last has so many elements for each coordinate.
void visitRuns(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> first,
               llvm::ArrayRef<int64_t> extents, int64_t element, int64_t stride,
               llvm::function_ref<void(int64_t begin, int64_t end)> visit) {
  int64_t begin = element + first[0];
  if (shape.size() == 1) {
    if (extents[0] > 0)
      visit(begin * stride, (begin + extents[0]) * stride);
    return;
  }
  for (int64_t step = 0; step < extents[0]; ++step)
    visitRuns(shape.drop_front(), first.drop_front(), extents.drop_front(),
              (begin + step) * shape[1], stride, visit);
}

} // namespace

void forEachRun(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> first,
                llvm::ArrayRef<int64_t> extents,
                llvm::function_ref<void(int64_t begin, int64_t end)> visit) {
  if (shape.empty())
    return visit(0, 1);
  // Axes that the box fills are one with the axis outside them.
  size_t axes = shape.size();
  int64_t stride = 1;
  for (; axes > 1 && extents[axes - 1] == shape[axes - 1]; --axes)
    stride *= shape[axes - 1];
  visitRuns(shape.take_front(axes), first.take_front(axes), extents.take_front(axes), 0, stride,
            visit);
}

llvm::SmallVector<int64_t> coordinatesOf(int64_t element, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> coordinates(shape.size());
  for (size_t axis = shape.size(); axis-- != 0; element /= shape[axis])
    coordinates[axis] = element % shape[axis];
  return coordinates;
}

void ElementSet::addAll() {
  kind_ = Kind::All;
  bits_.clear();
}

void ElementSet::add(int64_t begin, int64_t end) {
  if (isAll() || begin >= end)
    return;
  if (begin == 0 && end == elements_)
    return addAll();
  if (isEmpty())
    bits_.resize(static_cast<unsigned>(elements_));
  kind_ = Kind::Some;
  bits_.set(static_cast<unsigned>(begin), static_cast<unsigned>(end));
}

void ElementSet::unite(const ElementSet &other) {
  if (isAll() || other.isEmpty())
    return;
  if (isEmpty() || other.isAll()) {
    *this = other;
    return;
  }
  bits_ |= other.bits_;
  normalise();
}

void ElementSet::intersect(const ElementSet &other) {
  if (isEmpty() || other.isAll())
    return;
  if (isAll() || other.isEmpty()) {
    *this = other;
    return;
  }
  bits_ &= other.bits_;
  normalise();
}

std::optional<int64_t> ElementSet::firstMissing(int64_t begin, int64_t end) const {
  if (isAll() || begin >= end)
    return std::nullopt;
  if (isEmpty())
    return begin;
  int found = bits_.find_first_unset_in(static_cast<unsigned>(begin), static_cast<unsigned>(end));
  return found < 0 ? std::nullopt : std::optional<int64_t>(found);
}

std::optional<int64_t> ElementSet::firstPresent(int64_t begin, int64_t end) const {
  if (isEmpty() || begin >= end)
    return std::nullopt;
  if (isAll())
    return begin;
  int found = bits_.find_first_in(static_cast<unsigned>(begin), static_cast<unsigned>(end));
  return found < 0 ? std::nullopt : std::optional<int64_t>(found);
}

void ElementSet::normalise() {
  if (kind_ != Kind::Some)
    return;
  if (bits_.all())
    return addAll();
  kind_ = bits_.any() ? Kind::Some : Kind::None;
  if (isEmpty())
    bits_.clear();
}

} // namespace tilescope
