// Copies of a pipelined loop by TMA: of each group an mbarrier counts the bytes, in a ring of as
// many as the tiles have versions.
//
//     copy A(k + 2), B(k + 2)             mbarrier_arrive_expect(full[(k + 2) % 3], bytes)
//     commit_group                   =>   tma_copy A(k + 2), B(k + 2), full[(k + 2) % 3]
//     wait_group(1)                       mbarrier_wait(full[k % 3], k // 3 % 2)
//     gemm(k)                             gemm(k)
#pragma once

#include "core/analysis/pipeline_schedule.h"
#include "core/pass/pass.h"
#include "passes/lower/added_buffers.h"

#include <map>

namespace tilescope {

struct CountedGroup {
  const Buffer *barrier = nullptr; // of as many versions as the ring has slots
  int64_t bytes = 0;               // that an iteration copies
  // Where a warp of its own copies: that a slot has been read, by so many threads. Else null.
  const Buffer *empty = nullptr;
  int64_t readers = 0;
};
// By group of the schedule.
using CountedGroups = std::map<int64_t, CountedGroup>;

// Empty, with a remark: a copy of the loop cannot be made so. `runsOnce`: nothing is around the
// loop that may leave it out or run it again, so that its iterations count the phases. `readers`:
// threads that tell a warp of its own when they have read a slot; 0: all threads copy.
CountedGroups countCopies(PassContext &pass, const Function &function, const LoopBody &body,
                          llvm::ArrayRef<ScheduledStmt> schedule, bool runsOnce, int64_t readers,
                          AddedBuffers &added);

// Barriers for copies into `tile`, in so many slots, which `readers` threads read; 0: all copy.
CountedGroup makeCountedGroup(Context &context, const Buffer &tile, int64_t bytes, int64_t slots,
                              int64_t readers, AddedBuffers &added);

// The slots of a ring that are no power of two, so that an index modulo their number is a division;
// 0: no ring has so many.
int64_t oddRingOf(const CountedGroups &groups);

// Makes the statements of one group.
class CountedCopies {
public:
  CountedCopies(Context &context, const CountedGroup &group) : builder_(context), group_(group) {}

  // A copy of a tile; which slot of the barrier counts it is not said yet.
  const Stmt *copy(const OpStmt &copy);
  // Before the copies of an iteration, counted from 0.
  const Stmt *expect(const Span &span, const Expr *iteration);
  // Until those of an iteration have arrived.
  const Stmt *wait(const Span &span, const Expr *iteration);
  // Until the slot of an iteration has been read by all, and that this thread has: with roles.
  const Stmt *acquire(const Span &span, const Expr *iteration);
  const Stmt *release(const Span &span, const Expr *iteration);
  // Before all of them, one a slot.
  llvm::SmallVector<const Stmt *> init(const Span &span);
  // Null: there is one only.
  const Expr *slotAt(const Expr *iteration);

private:
  const Stmt *waitAt(const Buffer &barrier, const Span &span, const Expr *iteration,
                     int64_t phasesBefore);
  BufferRegion barrier(const Expr *slot, const Span &span);
  BufferRegion elementOf(const Buffer &barrier, const Expr *slot, const Span &span);

  Builder builder_;
  const CountedGroup &group_;
};

} // namespace tilescope
