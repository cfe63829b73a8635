// T.gemm by wgmma: each warp group starts the products of its rows and columns, and waits.
//
//     wgmma_fence(c)
//     for k_step in T.unroll(4):
//       for i in T.unroll(2): wgmma 64 rows, 16 deep
//     wgmma_commit()
//     wgmma_wait(pending=0)
#pragma once

#include "passes/lower/lower_context.h"

namespace tilescope {

// Null: an error was reported.
const Stmt *lowerToWgmma(LowerContext &lower, const OpStmt &gemm);

} // namespace tilescope
