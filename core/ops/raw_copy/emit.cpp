#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

// There is no instruction for 32 bytes before Blackwell: two of 16.
void emitRawCopy(const OpStmt &op, CudaWriter &writer) {
  constexpr int64_t MostBytes = 16;
  std::string src = writer.address(op.regions[0]);
  std::string dst = writer.address(op.regions[1]);
  int64_t bytes = op.attr(Attr::Bytes);
  for (int64_t first = 0; first < bytes; first += MostBytes) {
    auto at = [&](const std::string &address, BufferId buffer) {
      int64_t elements = first * 8 / writer.buffer(buffer).dtype.bits;
      return first == 0 ? address : address + " + " + std::to_string(elements);
    };
    writer.line(llvm::formatv("{0}<{1}>({2}, {3});", writer.call(Helper::CopyVector),
                              std::min(bytes, MostBytes), at(dst, op.regions[1].buffer),
                              at(src, op.regions[0].buffer)));
  }
}

} // namespace tilescope
