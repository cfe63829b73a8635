#include "core/analysis/element_set.h"

namespace tilescope {

namespace {

// Axes that the box fills are one with the axis outside them.
void visitRuns(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> first,
               llvm::ArrayRef<int64_t> extents, int64_t element,
               llvm::function_ref<void(int64_t begin, int64_t end)> visit) {
  if (shape.empty())
    return visit(element, element + 1);
  llvm::ArrayRef<int64_t> inner = shape.drop_front();
  int64_t stride = 1;
  for (int64_t extent : inner)
    stride *= extent;
  int64_t begin = (element + first[0]) * stride;
  if (inner == extents.drop_front()) {
    if (extents[0] > 0)
      visit(begin, begin + extents[0] * stride);
    return;
  }
  int64_t nextExtent = inner[0];
  for (int64_t step = 0; step < extents[0]; ++step)
    visitRuns(inner, first.drop_front(), extents.drop_front(),
              (element + first[0] + step) * nextExtent, visit);
}

} // namespace

void forEachRun(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> first,
                llvm::ArrayRef<int64_t> extents,
                llvm::function_ref<void(int64_t begin, int64_t end)> visit) {
  visitRuns(shape, first, extents, 0, visit);
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
