// Iterations of a T.Parallel that depend on each other: one reads an element that another writes.
// They have no order, so what it reads is whatever the compiler made of it.
//
//     for i in T.Parallel(64):
//       s[i] = A[i]
//       C[i] = s[i]              no: each reads what it wrote itself
//       C[i] = s[63 - i]         certain
//       C[i] = s[P[i]]           not shown to be none
//
//     for i in T.Parallel(64):
//       T.atomic_add(s[0], A[i])
//       C[i] = s[0]              certain
//
// Not looked at: which of several writes of an element is the last.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct NestDependence {
  const Parallel *nest = nullptr;
  const Stmt *read = nullptr;
  const Stmt *write = nullptr;
  BufferId buffer;
  bool isCertain = false; // where all statements of the nest run; else it is not shown to be none
};

// In program order, of each nest and buffer the first, one that is certain before others. Of shared
// memory, global memory and fragments; of the first two not what one statement alone does, which is
// asked of the threads that run it (`statement_races.h`).
std::vector<NestDependence> findNestDependences(Context &context, const Function &function);

} // namespace tilescope
