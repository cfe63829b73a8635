// Elements of shared memory, fragments and registers that a kernel reads before anything is written
// to them: found by running the tile-level program over sets of elements.
//
//     for i, j in T.Parallel(32, 64): c[i, j] = 0     written: rows [0, 32) of c
//     for k in T.serial(n):
//       if k == 1: T.fill(w, 1)                       not in the first iteration
//       T.gemm(a, b, c)                               certain: c[32, 0] has no value
//       T.copy(w, ...)                                certain: the first iteration
//     if m > 4: T.fill(x, 0)
//     T.copy(x, ...)                                  not established: who knows m
//     if m > 3: T.copy(y, ...)                        under m > 4, written then: no finding
//
// Loops of constant length are run; of others the first iteration is, and one that stands for all
// others. Threads run a statement together, and the barriers that this takes are taken to be there.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct UninitialisedElement {
  const Stmt *stmt = nullptr; // that reads
  BufferId buffer;
  // Whenever the statement runs, it reads an element that was not written before, in its first run
  // at the latest. Otherwise it is not shown that all it reads was written.
  bool isCertain = false;
  llvm::SmallVector<int64_t> element; // such a one
};

// In the order in which they are found, each buffer once a statement.
std::vector<UninitialisedElement> computeUninitialisedElements(Context &context,
                                                               const Function &function);

} // namespace tilescope
