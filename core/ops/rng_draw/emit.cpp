#include "core/codegen/cuda_writer.h"

namespace tilescope {

static Helper helperFor(RngKind kind, bool isDouble) {
  if (kind == RngKind::Bits)
    return Helper::RngBits;
  if (kind == RngKind::Uniform)
    return isDouble ? Helper::RngUniformF64 : Helper::RngUniform;
  return isDouble ? Helper::RngNormalF64 : Helper::RngNormal;
}

void emitRngDraw(const OpStmt &op, CudaWriter &writer) {
  bool isDouble = writer.buffer(op.regions[1].buffer).dtype.bits == 64;
  Helper helper = helperFor(static_cast<RngKind>(op.attr(Attr::Kind)), isDouble);
  writer.line(writer.assignment(op.regions[1],
                                writer.call(helper) + "(" + writer.address(op.regions[0]) + ")"));
}

} // namespace tilescope
