#include "core/trace/arena_limits.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MaxBytes = int64_t(1) << 44;
constexpr int64_t MaxCount = 1 << 16;

bool isByteCount(int64_t bytes) { return 0 <= bytes && bytes < MaxBytes; }

bool isLife(const std::vector<LiveInterval> &live) {
  ProgramPoint end = 0;
  for (const LiveInterval &interval : live) {
    if (interval.begin < end || interval.begin >= interval.end)
      return false;
    end = interval.end;
  }
  return true;
}

bool isBuffer(const ArenaBuffer &buffer) {
  return isByteCount(buffer.sizeBytes) && isByteCount(buffer.strideBytes) &&
         buffer.alignmentBytes > 0 && isByteCount(buffer.alignmentBytes) && buffer.versions > 0 &&
         buffer.versions <= MaxCount && isLife(buffer.live) &&
         isByteCount(buffer.pinnedOffset.value_or(0));
}

bool isPlacement(const Placement &placement) {
  return isByteCount(placement.offsetBytes) && isByteCount(placement.sizeBytes) &&
         isByteCount(placement.paddingBytes);
}

} // namespace

bool isWithinLimits(const ArenaRecord &arena) {
  const ArenaPlan &plan = arena.plan;
  return arena.problem.buffers.size() <= MaxCount && plan.placements.size() <= MaxCount &&
         isByteCount(arena.problem.capacityBytes) && isByteCount(plan.heightBytes) &&
         isByteCount(plan.certificate.boundBytes) &&
         llvm::all_of(arena.problem.buffers, isBuffer) &&
         llvm::all_of(plan.placements, isPlacement);
}

bool areWithinLimits(const PassFigures &figures) {
  return isByteCount(figures.linesAdded) && isByteCount(figures.linesRemoved) &&
         isByteCount(figures.sharedBytes);
}

} // namespace tilescope
