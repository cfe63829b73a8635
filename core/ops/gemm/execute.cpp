#include "core/exec/matrix_product.h"

namespace tilescope {

void executeGemm(const OpStmt &op, BlockFrame &frame) { multiplyMatrices(op, frame); }

} // namespace tilescope
