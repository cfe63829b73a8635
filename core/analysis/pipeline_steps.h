// What one step of a pipelined loop does, in order: copies, commits, waits and the rest.
//
//     attention, 2 stages: K is group 0 (distance 2), V is group 1 (distance 1)
//
//     step k   wait<2>   V(k+1) commit   gemm0(k) softmax(k)   wait<2>   K(k+2) commit   gemm1(k)
//     in flight at the first wait: K(k) V(k) K(k+1); at the second: V(k) K(k+1) V(k+1)
//
// The prologue is the steps -d .. -1 less what would handle an iteration before the first: K0, V0
// K1. From the first commit on every step commits every group, empty or not, so one literal is
// right for all steps: the groups committed after the awaited one.
//
// A wait stands before the copies that precede its consumer, so that one barrier after it serves
// both: it publishes what arrived and frees the slot that these copies fill.
#pragma once

#include "core/analysis/pipeline_schedule.h"

namespace tilescope {

struct PipelineStep {
  enum class Kind : uint8_t { Run, Commit, Wait };
  Kind kind = Kind::Run;
  llvm::SmallVector<size_t> stmts; // Run: indices into LoopBody::stmts, of one distance
  int64_t distance = 0;            // iterations ahead of the step; Wait: of its consumer
  int64_t group = -1;              // Commit, Run of asynchronous copies; Wait: of computePhaseSteps
  int64_t pending = 0;             // Wait: newest groups that may still be in flight
  size_t consumer = 0;             // Wait
};

std::vector<PipelineStep> computePipelineSteps(const LoopBody &body,
                                               llvm::ArrayRef<ScheduledStmt> schedule);

// The same where an mbarrier counts the copies of each group: nothing is committed, and a wait is
// for what the group has brought for the iteration of the consumer, right before it.
std::vector<PipelineStep> computePhaseSteps(const LoopBody &body,
                                            llvm::ArrayRef<ScheduledStmt> schedule);

} // namespace tilescope
