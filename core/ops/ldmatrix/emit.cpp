#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitLdmatrix(const OpStmt &op, CudaWriter &writer) {
  bool transposed = op.attr(Attr::Transposed) != 0;
  Helper helper = transposed ? Helper::LdmatrixX4Trans : Helper::LdmatrixX4;
  if (op.attr(Attr::Matrices) == 2)
    helper = transposed ? Helper::LdmatrixX2Trans : Helper::LdmatrixX2;
  else if (op.attr(Attr::Matrices) == 1)
    helper = transposed ? Helper::LdmatrixX1Trans : Helper::LdmatrixX1;
  writer.line(writer.call(helper) + "(" + writer.address(op.regions[1]) + ", " +
              writer.address(op.regions[0]) + ");");
}

} // namespace tilescope
