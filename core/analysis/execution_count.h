// How often a place in a launch is executed, by all threads of all blocks together.
//
//     with T.Kernel(8, threads=128) as (by, tx):
//       for k in serial(32):
//         if k + 2 < 32:                     30 of 32 iterations
//           row = tx // 4
//           for i in unroll(4):
//             copy if by * 128 + row + i * 32 < 1000
//
// Values are tried for what a condition depends on; what shares no condition is multiplied. Here k
// alone is run for the first condition; by and i, for 128 threads at once, for the second.
#pragma once

#include "core/analysis/stmt_places.h"

namespace tilescope {

// A variable that runs over [min, min + extent); min null: from 0. Both may depend on outer loops.
struct LoopRange {
  const Var *var = nullptr;
  const Expr *min = nullptr;
  const Expr *extent = nullptr;
  bool mayEndEarly = false; // how many iterations there are is not known then
};

struct PlaceCondition {
  const Expr *expr = nullptr;
  bool holds = true;
};

// The grid and the loops around a place, outermost first, and all conditions on the way to it.
struct ExecutionPlace {
  const Launch *launch = nullptr;
  std::optional<int64_t> onlyThread; // that gets there; nullopt: each does
  llvm::SmallVector<LoopRange> loops;
  llvm::SmallVector<PlaceCondition> conditions;
};

// nullopt: a range or a condition depends on data or on what only the launch knows, or there are
// too many values to try.
std::optional<int64_t> countExecutions(const ExecutionPlace &place, const StmtPlaces &places);

} // namespace tilescope
