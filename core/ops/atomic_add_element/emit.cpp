#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitAtomicAddElement(const OpStmt &op, CudaWriter &writer) {
  std::string place = writer.address(op.regions[0]);
  std::string value = writer.value(op.args[0]);
  // CUDA has it for unsigned 64-bit integers only; in two's complement the sums are the same.
  if (writer.buffer(op.regions[0].buffer).dtype == DType::int64()) {
    place = "reinterpret_cast<u64 *>(" + place + ")";
    value = "u64(" + value + ")";
  }
  writer.line("atomicAdd(" + place + ", " + value + ");");
}

} // namespace tilescope
