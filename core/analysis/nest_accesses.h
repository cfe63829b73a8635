// The accesses in the body of a T.Parallel, of one iteration: under which conditions and inner
// loops, with names that were bound in the body replaced by their values.
//
//     for i in T.Parallel(64):
//       row = i // 8
//       if i < n:
//         s[row] = A[i] if i > 3 else 0       write s[i // 8], where i < n
//                                             read A[i], where i < n and i > 3
#pragma once

#include "core/analysis/ir_affine.h"
#include "core/ir/visit.h"

namespace tilescope {

struct NestCondition {
  const Expr *expr = nullptr;
  bool holds = true;
};

struct NestAccess {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  bool isWrite = false; // an atomic update is: nobody sees what it read
  llvm::SmallVector<Range> ranges;
  llvm::SmallVector<NestCondition> conditions;
  llvm::SmallVector<const For *> loops; // in the nest
};

struct NestAccesses {
  std::vector<NestAccess> accesses; // in program order
  // Bound in the body to what is in memory: of each iteration its own, and not known.
  llvm::SmallVector<const Var *> loadedNames;
};

// Of what iterations may share: of registers of one thread nothing. `values`: of names around the
// nest.
NestAccesses computeNestAccesses(IrAffine &affine, const Function &function, const Parallel &nest,
                                 const Substitution &values);

} // namespace tilescope
