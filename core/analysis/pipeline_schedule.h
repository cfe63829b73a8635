// Plans one pipelined loop: which statement runs how many iterations ahead, in which order, in
// which asynchronous group, and how many versions of each buffer that takes.
//
// Instance i of a statement of stage s runs in step i + s, at place `order` of the step. With the
// last stage d, a step is one iteration k of the new loop; the statement then handles iteration
// k + (d - s): its distance.
//
//     GEMM, 3 stages            step k:  copy A(k+2)  copy B(k+2)  gemm(k)
//       copy A  stage 0 order 0 group 0
//       copy B  stage 0 order 1 group 0     A, B: 3 versions
//       gemm    stage 2 order 2
//
// The automatic rule refills a slot right after the first wait that follows its last reader, since
// a barrier stands at each wait (n: the stages asked for):
//
//     a later wait in the same iteration      distance n      K of attention: at the wait for V
//     else at the first wait of the next      distance n - 1  V of attention, A and B of a GEMM
//     else, where that wait is for itself     right after the last reader, distance 1  (GEMM, n=1)
#pragma once

#include "core/analysis/dependences.h"
#include "core/target/target.h"

#include <set>

namespace tilescope {

// A copy that stays where it is, or a loop that is not pipelined, and why.
struct PipelineRefusal {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  std::string reason;
};

struct LoopPlan {
  std::vector<ScheduledStmt> schedule; // one for each of LoopBody::stmts, in their order
  std::vector<VersionCount> versions;  // every shared buffer that the loop redefines
  std::vector<PipelineRefusal> refusals;
  std::string declined; // why the loop is not pipelined; empty: it is
};

// Buffers that must keep one version, whatever a loop would gain.
using UnversionedBuffers = std::set<BufferId>;

// Which buffers this loop could version: shared, redefined in each iteration, not excluded.
bool mayVersion(const Function &function, const LoopBody &body,
                const UnversionedBuffers &unversioned, BufferId buffer);

// By the rule above. Copies that cannot run ahead keep their place, with a refusal; if none can,
// the loop is declined.
LoopPlan planAutomatically(Context &context, const Function &function, const Target &target,
                           const LoopBody &body, const UnversionedBuffers &unversioned);

// By the order and the stages that the kernel gives, one for each of LoopBody::stmts. What it
// breaks is the caller's to find.
LoopPlan planAsAsked(Context &context, const Function &function, const Target &target,
                     const LoopBody &body, llvm::ArrayRef<int64_t> order,
                     llvm::ArrayRef<int64_t> stage, const UnversionedBuffers &unversioned);

// Why the statement cannot be an asynchronous copy of a pipeline; empty: it can. Copies are tile
// copies and parallel loops that gather, with or without a condition around them.
std::string whyNotAsync(Context &context, const Function &function, const Target &target,
                        const LoopBody &body, size_t stmt);

// Versions of a redefined buffer so that no instance overwrites what an earlier one still needs.
int64_t versionsNeeded(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                       BufferId buffer);

// The first dependence that the schedule breaks, given the versions that buffers have.
const Dependence *findBreach(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                             llvm::ArrayRef<VersionCount> versions);

// The statement that first needs what an asynchronous copy brings, in the time of the schedule.
std::optional<size_t> firstConsumer(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                                    size_t copy);

// Indices of LoopBody::stmts by their order in a step.
llvm::SmallVector<size_t> stmtsInOrder(llvm::ArrayRef<ScheduledStmt> schedule);

// The last stage minus the stage of the statement.
int64_t distanceOf(llvm::ArrayRef<ScheduledStmt> schedule, size_t stmt);

} // namespace tilescope
