// Hazards that block barriers resolve, and where the barrier of each could stand.
//
// A hazard is two accesses of the same bytes, one of them a write, such that control can get from
// the first to the second with no block barrier on the way. For an asynchronous copy the way begins
// at the wait that covers it.
//
//     site a
//     read  X          X and Y share bytes: a barrier at b or at c resolves the hazard,
//     site b           and none at a or d
//     read  Z
//     site c
//     write Y
//     site d
#pragma once

#include "core/access/access_program.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace tilescope {

// A place where a barrier can be inserted that all threads reach.
struct CandidateSite {
  uint32_t seq = 0;    // node of the program
  uint32_t before = 0; // the child before which it lies; the number of children: at the end
  double runs = 1;     // how often it is passed; a loop of unknown trip count counts 16
};

// In program order.
std::vector<CandidateSite> listCandidateSites(const AccessProgram &program);

// One access of one leaf to one slot.
struct SlotAccess {
  uint32_t node = 0;
  const Access *access = nullptr;
  size_t buffer = 0; // index into AccessProgram::buffers
  int64_t slot = 0;
};

// Calls `visit` for each hazard, its two accesses in order, of accesses that `mayOverlap` (it is
// asked for accesses of different buffers only). `sites` are those that lie on every way from the
// first to the second, by index into `candidates`; none: no barrier can separate the two. `stop` is
// asked at each group of accesses that is followed; hazards not visited by then never are. At the
// candidates `standing`, if any are given, a barrier is taken to stand.
void forEachHazard(
    const AccessProgram &program, llvm::ArrayRef<CandidateSite> candidates,
    llvm::function_ref<bool(const SlotAccess &, const SlotAccess &)> mayOverlap,
    llvm::function_ref<void(const SlotAccess &, const SlotAccess &, const llvm::BitVector &sites)>
        visit,
    const std::function<bool()> &stop = {}, const llvm::BitVector &standing = {});

} // namespace tilescope
