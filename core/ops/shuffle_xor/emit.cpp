#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitShuffleXor(const OpStmt &op, CudaWriter &writer) {
  DType dtype = writer.buffer(op.regions[0].buffer).dtype;
  // Lanes exchange numbers that CUDA computes with; of a byte float they exchange the byte.
  std::string byte = dtype.isFloat8() ? ".__x" : "";
  std::string source = writer.element(op.regions[0]) + byte;
  std::string received =
      llvm::formatv("__shfl_xor_sync(0xffffffffu, {0}, {1})", source, op.attr(Attr::LaneMask));
  if (byte.empty())
    return writer.line(writer.assignment(op.regions[1], received));
  writer.line(writer.element(op.regions[1]) + byte + " = " + received + ";");
}

} // namespace tilescope
