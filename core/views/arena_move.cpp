#include "core/views/arena_move.h"

#include "core/support/number_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

// Of two sorted lists.
std::vector<LiveInterval> commonPoints(const std::vector<LiveInterval> &a,
                                       const std::vector<LiveInterval> &b) {
  std::vector<LiveInterval> common;
  for (const LiveInterval &one : a)
    for (const LiveInterval &other : b) {
      LiveInterval both{std::max(one.begin, other.begin), std::min(one.end, other.end)};
      if (both.begin < both.end)
        common.push_back(both);
    }
  return common;
}

int64_t alignmentOf(const ArenaRow &row) { return std::max<int64_t>(row.alignmentBytes, 1); }

} // namespace

ArenaMove judgeMove(const ArenaFunction &function, uint32_t row, int64_t offsetBytes) {
  const ArenaRow &moved = function.buffers[row];
  int64_t endBytes = offsetBytes + moved.sizeBytes;
  ArenaMove move{.name = moved.name, .offsetBytes = offsetBytes, .heightBytes = endBytes};
  if (offsetBytes % alignmentOf(moved) != 0)
    move.brokenAlignment = moved.alignmentBytes;
  for (uint32_t index = 0; index != function.buffers.size(); ++index) {
    const ArenaRow &other = function.buffers[index];
    if (index == row)
      continue;
    int64_t otherEnd = other.offsetBytes + other.sizeBytes;
    move.heightBytes = std::max(move.heightBytes, otherEnd);
    int64_t begin = std::max(offsetBytes, other.offsetBytes), end = std::min(endBytes, otherEnd);
    if (begin >= end || areViews(moved, other))
      continue;
    for (const LiveInterval &points : commonPoints(moved.live, other.live))
      move.conflicts.push_back({row, index, begin, end, points});
  }
  if (function.capacityBytes > 0)
    move.overBytes = std::max<int64_t>(0, move.heightBytes - function.capacityBytes);
  return move;
}

int64_t alignedOffset(const ArenaRow &row, double offsetBytes) {
  auto step = static_cast<double>(alignmentOf(row));
  return static_cast<int64_t>(std::max(std::round(offsetBytes / step), 0.0) * step);
}

int64_t nextTouch(const ArenaFunction &function, uint32_t row, int64_t offsetBytes, int direction) {
  const ArenaRow &moved = function.buffers[row];
  std::optional<int64_t> next;
  auto offer = [&](int64_t offset) {
    bool isAhead = direction > 0 ? offset > offsetBytes : offset < offsetBytes;
    if (offset >= 0 && isAhead &&
        (!next || std::abs(offset - offsetBytes) < std::abs(*next - offsetBytes)))
      next = offset;
  };
  auto touch = [&](int64_t begin, int64_t end) {
    offer(static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(end), alignmentOf(moved))));
    if (begin >= moved.sizeBytes)
      offer((begin - moved.sizeBytes) / alignmentOf(moved) * alignmentOf(moved));
  };
  offer(0);
  for (uint32_t index = 0; index != function.buffers.size(); ++index)
    if (const ArenaRow &other = function.buffers[index]; index != row)
      touch(other.offsetBytes, other.offsetBytes + other.sizeBytes);
  if (function.capacityBytes >= moved.sizeBytes)
    offer((function.capacityBytes - moved.sizeBytes) / alignmentOf(moved) * alignmentOf(moved));
  return next.value_or(offsetBytes);
}

std::string toText(const ArenaMove &move, const ArenaFunction &function) {
  std::string at = move.name + " at " + groupedNumber(move.offsetBytes) + ": ";
  if (move.isSound())
    return at + "the arena ends at " + groupedNumber(move.heightBytes);
  std::vector<std::string> reasons;
  if (move.brokenAlignment > 0)
    reasons.push_back("no multiple of " + groupedNumber(move.brokenAlignment));
  for (const ArenaConflict &conflict : move.conflicts)
    reasons.push_back(llvm::formatv(
        "{0} {1} bytes [{2}, {3}) at points [{4}, {5})", function.buffers[conflict.second].name,
        function.unknown.empty() ? "holds" : "may hold", groupedNumber(conflict.beginBytes),
        groupedNumber(conflict.endBytes), conflict.points.begin, conflict.points.end));
  if (move.overBytes > 0)
    reasons.push_back(groupedNumber(move.overBytes) + " bytes over the capacity");
  return at + llvm::join(reasons, "\n");
}

} // namespace tilescope
