#include "core/exec/matrix_product.h"

namespace tilescope {

void executeGemmSparse(const OpStmt &op, BlockFrame &frame) { multiplyMatrices(op, frame); }

} // namespace tilescope
