// Element-wise code as a parallel loop, whether the kernel or another lowering wrote it.
#pragma once

#include "passes/lower/lower_context.h"

namespace tilescope {

// Which of the threads that run the same iteration write to memory.
enum class Writers : uint8_t {
  FirstCopy, // they hold the same value
  AllCopies, // each has a value, or a place, of its own
};

// What the threads that hold copies of a fragment element have once it is written.
enum class Copies : uint8_t {
  Equal,   // every one of them runs the iterations that write it
  Partial, // each has its part of a result, for the others to be combined with
};

// Lowers a loop that has its layout; the statements join the group of `lower.stmt()`. Null: an
// error was reported.
const Stmt *lowerElementwise(LowerContext &lower, const Parallel &parallel,
                             Writers writers = Writers::FirstCopy, Copies copies = Copies::Equal);

// A partition of a loop over memory: a thread gets at most `widest` adjacent elements at a time, as
// many as all accesses of the body can move at once while every thread has work.
const Layout *planRuns(LowerContext &lower, const Parallel &parallel, int64_t widest);

// The loop, or a sequence of loops that do the same, none of which reads on all threads that run an
// iteration what only the first of them writes. Null: an error was reported.
const Stmt *cutAtCopies(LowerContext &lower, const Parallel &loop);

// Copies of a parallel loop that may be asynchronous. Null: they cannot be.
const Stmt *lowerGather(LowerContext &lower, const Parallel &nest);

// Memory that each thread has to itself: what moves it is done by every thread, whole.
inline bool isOwnOfThread(const Buffer &buffer) {
  return buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar;
}

// Pairs the axes of two regions whose extents are not 1, in order: `source[...]` and
// `destination[...]` as indices in terms of `vars`, the row-major coordinates of what is moved.
struct PairedAxes {
  llvm::SmallVector<const Var *> vars;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<const Expr *> source;
  llvm::SmallVector<const Expr *> destination;
};
// Nullopt if an extent is not a constant or the counts differ.
std::optional<PairedAxes> pairAxes(LowerContext &lower, const BufferRegion &source,
                                   const BufferRegion &destination);

// The layout of an iteration space that moves the whole region of a fragment with one variable for
// each axis whose extent is not 1.
const Layout *layoutOfMove(LowerContext &lower, const BufferRegion &fragment);

} // namespace tilescope
