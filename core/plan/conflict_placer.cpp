#include "core/plan/conflict_placer.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// How often the order is changed.
constexpr int MaxOrders = 8;

} // namespace

std::optional<std::vector<int64_t>>
ConflictPlacer::place(const PlacementConflicts &conflicts, int64_t limitBytes,
                      llvm::ArrayRef<std::optional<int64_t>> pins, std::vector<size_t> order) {
  std::erase_if(order, [&](size_t buffer) {
    return pins[buffer] || problem_.buffers[buffer].sizeBytes == 0;
  });
  for (int tries = 0; tries != MaxOrders; ++tries) {
    offsets_.assign(problem_.buffers.size(), 0);
    placed_.clear();
    isPlaced_.assign(problem_.buffers.size(), false);
    if (!addPinned(conflicts, limitBytes, pins))
      return std::nullopt;
    size_t failed = placeAll(conflicts, limitBytes, order);
    if (failed == order.size())
      return offsets_;
    if (failed == 0)
      return std::nullopt;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(failed),
                order.begin() + static_cast<std::ptrdiff_t>(failed) + 1);
  }
  return std::nullopt;
}

bool ConflictPlacer::addPinned(const PlacementConflicts &conflicts, int64_t limitBytes,
                               llvm::ArrayRef<std::optional<int64_t>> pins) {
  for (size_t buffer = 0; buffer != pins.size(); ++buffer) {
    if (!pins[buffer])
      continue;
    offsets_[buffer] = *pins[buffer];
    int64_t begin = *pins[buffer], end = begin + problem_.buffers[buffer].sizeBytes;
    if (begin == end)
      continue;
    for (size_t other : placed_)
      if (conflicts.wholeRow(buffer)[other] != PlacementConflicts::None && offsets_[other] < end &&
          begin < offsets_[other] + problem_.buffers[other].sizeBytes)
        return false;
    if (end > limitBytes || abovePartial(conflicts, buffer, begin) != begin)
      return false;
    add(buffer, begin);
  }
  return true;
}

// The place in `order` of the first buffer that ends too high; its length if none does.
size_t ConflictPlacer::placeAll(const PlacementConflicts &conflicts, int64_t limitBytes,
                                llvm::ArrayRef<size_t> order) {
  for (size_t at = 0; at != order.size(); ++at) {
    int64_t offset = lowestFree(conflicts, order[at]);
    if (offset + problem_.buffers[order[at]].sizeBytes > limitBytes)
      return at;
    add(order[at], offset);
  }
  return order.size();
}

int64_t ConflictPlacer::lowestFree(const PlacementConflicts &conflicts, size_t buffer) {
  int64_t offset = aboveWhole(conflicts, buffer, 0);
  for (;;) {
    int64_t next = abovePartial(conflicts, buffer, offset);
    if (next == offset)
      return offset;
    offset = aboveWhole(conflicts, buffer, next);
  }
}

// The first offset from the given one on at which nothing placed overlaps that never may.
int64_t ConflictPlacer::aboveWhole(const PlacementConflicts &conflicts, size_t buffer,
                                   int64_t offset) {
  int64_t size = problem_.buffers[buffer].sizeBytes;
  const PlacementConflicts::Whole *row = conflicts.wholeRow(buffer);
  for (size_t other : placed_) {
    ++steps_;
    if (row[other] == PlacementConflicts::None)
      continue;
    if (offset + size <= offsets_[other])
      break;
    int64_t end = offsets_[other] + problem_.buffers[other].sizeBytes;
    if (end > offset)
      offset = alignedOffset(buffer, end);
  }
  return offset;
}

// The given offset if no version of it overlaps one that it may not, else a higher one.
int64_t ConflictPlacer::abovePartial(const PlacementConflicts &conflicts, size_t buffer,
                                     int64_t offset) {
  for (const PlacementConflicts::Partial &partial : conflicts.partialsOf(buffer)) {
    ++steps_;
    if (isPlaced_[partial.other] && partial.distances.contains(offsets_[partial.other] - offset))
      offset = alignedOffset(buffer, offsets_[partial.other] - partial.distances.above);
  }
  return offset;
}

int64_t ConflictPlacer::alignedOffset(size_t buffer, int64_t offset) const {
  auto alignment =
      static_cast<uint64_t>(std::max<int64_t>(problem_.buffers[buffer].alignmentBytes, 1));
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(offset), alignment));
}

void ConflictPlacer::add(size_t buffer, int64_t offsetBytes) {
  offsets_[buffer] = offsetBytes;
  isPlaced_[buffer] = true;
  auto at =
      std::upper_bound(placed_.begin(), placed_.end(), offsetBytes,
                       [&](int64_t offset, size_t other) { return offset < offsets_[other]; });
  placed_.insert(at, buffer);
}

} // namespace tilescope
