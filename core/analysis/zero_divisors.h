// Integer divisions by zero that some thread or iteration surely does, or whoever gets there.
//
//     x // (bx - bx)                                    always
//     if i == 0: x // i                                 always
//     for i in T.Parallel(128): x // (i - 5)            where i is 5
//     for i in T.Parallel(128): if i > 7: x // (i - 5)  no
//     for i in T.serial(n): x // (i - 5)                no: who knows whether n is more than 5
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct ZeroDivisor {
  const Stmt *stmt = nullptr;
  const Expr *divisor = nullptr;
  // Values of variables with which the division is done and divides by zero; empty: with all.
  llvm::SmallVector<std::pair<const Var *, int64_t>, 2> where;
};

// In program order. That a kernel is launched with blocks is taken for granted.
std::vector<ZeroDivisor> findZeroDivisors(Context &context, const Function &function);

} // namespace tilescope
