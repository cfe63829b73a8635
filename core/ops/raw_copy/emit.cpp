#include "core/analysis/layout_access.h"
#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

// There is no instruction for 32 bytes before Blackwell: two of 16. A run of registers that starts
// within a word is moved in narrower ones.
void emitRawCopy(const OpStmt &op, CudaWriter &writer) {
  WidthLimit width;
  for (const BufferRegion &region : op.regions)
    if (const Buffer &buffer = writer.buffer(region.buffer); !isMemory(buffer.scope))
      limitByStarts(buffer, region, BoundValues(), width);
  std::string src = writer.address(op.regions[0]);
  std::string dst = writer.address(op.regions[1]);
  int64_t bytes = op.attr(Attr::Bytes);
  for (int64_t first = 0; first < bytes; first += width.bytes) {
    auto at = [&](const std::string &address, BufferId buffer,
                  llvm::StringRef byte) -> std::string {
      int64_t bits = writer.buffer(buffer).dtype.bits;
      if (first * 8 % bits != 0)
        return llvm::formatv("reinterpret_cast<{0} *>({1}) + {2}", byte, address, first);
      return first == 0 ? address : address + " + " + std::to_string(first * 8 / bits);
    };
    writer.line(llvm::formatv("{0}<{1}>({2}, {3});", writer.call(Helper::CopyVector),
                              std::min(bytes, width.bytes), at(dst, op.regions[1].buffer, "u8"),
                              at(src, op.regions[0].buffer, "const u8")));
  }
}

} // namespace tilescope
