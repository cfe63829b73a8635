#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitShuffle(const OpStmt &op, CudaWriter &writer) {
  // In the order of ShuffleKind.
  static constexpr llvm::StringRef Functions[] = {"__shfl_sync", "__shfl_up_sync",
                                                  "__shfl_down_sync", "__shfl_xor_sync"};
  // Lanes exchange numbers that CUDA computes with; of a byte float they exchange the byte.
  std::string byte = writer.buffer(op.regions[0].buffer).dtype.isFloat8() ? ".__x" : "";
  int64_t width = op.attr(Attr::Width);
  std::string received = llvm::formatv("{0}({1}, {2}{3}, {4}{5})", Functions[op.attr(Attr::Kind)],
                                       op.args[2] ? writer.value(op.args[2]) : "0xffffffffu",
                                       writer.value(op.args[0]), byte, writer.value(op.args[1]),
                                       width == 32 ? "" : ", " + std::to_string(width));
  if (byte.empty())
    return writer.line(writer.assignment(op.regions[0], received));
  writer.line(writer.element(op.regions[0]) + byte + " = " + received + ";");
}

} // namespace tilescope
