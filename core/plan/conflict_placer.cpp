#include "core/plan/conflict_placer.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// How often the order is changed.
constexpr int MaxOrders = 8;

} // namespace

std::optional<std::vector<int64_t>>
ConflictPlacer::place(const ConflictMatrix &conflicts, int64_t limitBytes,
                      llvm::ArrayRef<std::optional<int64_t>> pins, std::vector<size_t> order) {
  std::erase_if(order, [&](size_t buffer) {
    return pins[buffer] || problem_.buffers[buffer].sizeBytes == 0;
  });
  for (int tries = 0; tries != MaxOrders; ++tries) {
    offsets_.assign(problem_.buffers.size(), 0);
    placed_.clear();
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

bool ConflictPlacer::addPinned(const ConflictMatrix &conflicts, int64_t limitBytes,
                               llvm::ArrayRef<std::optional<int64_t>> pins) {
  for (size_t buffer = 0; buffer != pins.size(); ++buffer) {
    if (!pins[buffer])
      continue;
    offsets_[buffer] = *pins[buffer];
    int64_t begin = *pins[buffer], end = begin + problem_.buffers[buffer].sizeBytes;
    if (begin == end)
      continue;
    for (size_t other : placed_)
      if (conflicts.row(buffer)[other] && offsets_[other] < end &&
          begin < offsets_[other] + problem_.buffers[other].sizeBytes)
        return false;
    if (end > limitBytes)
      return false;
    add(buffer, begin);
  }
  return true;
}

// The place in `order` of the first buffer that ends too high; its length if none does.
size_t ConflictPlacer::placeAll(const ConflictMatrix &conflicts, int64_t limitBytes,
                                llvm::ArrayRef<size_t> order) {
  for (size_t at = 0; at != order.size(); ++at) {
    int64_t offset = lowestFree(conflicts, order[at]);
    if (offset + problem_.buffers[order[at]].sizeBytes > limitBytes)
      return at;
    add(order[at], offset);
  }
  return order.size();
}

int64_t ConflictPlacer::lowestFree(const ConflictMatrix &conflicts, size_t buffer) {
  int64_t size = problem_.buffers[buffer].sizeBytes;
  auto alignment =
      static_cast<uint64_t>(std::max<int64_t>(problem_.buffers[buffer].alignmentBytes, 1));
  const uint8_t *row = conflicts.row(buffer);
  int64_t offset = 0;
  for (size_t other : placed_) {
    ++steps_;
    if (!row[other])
      continue;
    if (offset + size <= offsets_[other])
      break;
    int64_t end = offsets_[other] + problem_.buffers[other].sizeBytes;
    if (end > offset)
      offset = static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(end), alignment));
  }
  return offset;
}

void ConflictPlacer::add(size_t buffer, int64_t offsetBytes) {
  offsets_[buffer] = offsetBytes;
  auto at =
      std::upper_bound(placed_.begin(), placed_.end(), offsetBytes,
                       [&](int64_t offset, size_t other) { return offset < offsets_[other]; });
  placed_.insert(at, buffer);
}

} // namespace tilescope
