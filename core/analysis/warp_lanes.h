// Where the lanes of a warp are in one access, in one iteration of a walk.
#pragma once

#include "core/access/bank_passes.h"
#include "core/analysis/lane_walk.h"
#include "core/analysis/warp_access.h"
#include "core/ir/visit.h"

namespace tilescope {

// By lane, its index in each dimension; nullopt: it takes no part.
using LanePlace = llvm::SmallVector<int64_t, 4>;
using LanePlaces = std::vector<std::optional<LanePlace>>;

// Of threads [first, end), where `indices` are known but for what all of them add.
LanePlaces lanePlaces(llvm::ArrayRef<LaneIndex> indices, const Lanes &active, int64_t first,
                      int64_t end);

// The element, in row-major order.
int64_t elementAt(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> place);
// Of each lane.
std::vector<std::optional<int64_t>> elementsAt(llvm::ArrayRef<int64_t> shape,
                                               const LanePlaces &places);

// What one lane moves at most in one instruction.
inline constexpr int64_t WidestLaneBytes = 16;

inline size_t warpsOf(const Launch &launch) {
  return static_cast<size_t>((launch.threads + WarpLanes - 1) / WarpLanes);
}

// Calls `found` for each access of `isWanted` buffers by statements of single threads and warps, in
// program order; its lanes are not known yet.
void forEachWarpAccess(
    Context &context, const Function &function, llvm::function_ref<bool(BufferId)> isWanted,
    llvm::function_ref<void(const BufferAccess &access, const WarpAccess &made)> found);

} // namespace tilescope
