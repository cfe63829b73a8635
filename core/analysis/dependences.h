// What must stay in order between the statements of a loop body, within an iteration and over the
// back edge: the one source of truth of what a pipeline may do.
//
//     for k:
//       T.copy(A[k], S)      0 -> 1  read-after-write of S          1 -> 0  write-after-read,
//       carried T.gemm(S, B, C)      0 -> 0  and 1 -> 1 hold in any schedule and are not listed
//
// Read-modify-write (atomics, accumulators) counts as read and write, so that order-sensitive
// updates and stores to one buffer keep their order. Buffers are told apart, boxes of one buffer
// are not: two statements that touch different halves depend on each other.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

enum class DependenceKind : uint8_t { ReadAfterWrite, WriteAfterRead, WriteAfterWrite };

llvm::StringRef nameOf(DependenceKind kind); // "read-after-write", ...

// Instance i of `from` comes before instance i of `to`, or, if carried, before all later ones.
struct Dependence {
  size_t from = 0; // index into LoopBody::stmts
  size_t to = 0;
  DependenceKind kind = DependenceKind::ReadAfterWrite;
  bool carried = false;
  BufferId buffer;          // invalid: the scalar `var`, which has no versions and no memory
  const Var *var = nullptr; // bound by `from`
};

// All accesses of one statement of the body to one buffer.
struct BodyAccess {
  size_t stmt = 0; // index into LoopBody::stmts
  BufferId buffer;
  bool reads = false;
  bool writes = false;
};

struct LoopBody {
  const For *loop = nullptr;
  // What can be scheduled: the children of the body without `replayable`, in source order.
  llvm::SmallVector<const Stmt *> stmts;
  // Scalar binds that read nothing the loop writes: they may be evaluated again wherever needed.
  llvm::SmallVector<const Bind *> replayable;
  std::vector<BodyAccess> accesses; // by statement, then by buffer
  std::vector<Dependence> dependences;
  // Buffers that the loop writes and whose value never crosses the back edge: in each iteration a
  // full write comes before everything else, or under one condition nothing touches it. Sorted.
  llvm::SmallVector<BufferId> redefined;
  // Which statement of `stmts` makes that first full write; in the order of `redefined`.
  llvm::SmallVector<size_t> redefiners;

  bool writes(BufferId buffer) const;
  // The first statement of each iteration that touches a redefined buffer.
  std::optional<size_t> redefinerOf(BufferId buffer) const;
};

// Whether an expression in the statement, or below it, mentions the variable.
bool usesVar(const Stmt *root, const Var *var);

LoopBody computeLoopBody(Context &context, const Function &function, const For &loop);

} // namespace tilescope
