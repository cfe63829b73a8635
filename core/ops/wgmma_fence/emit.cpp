#include "core/codegen/cuda_writer.h"

#include "core/ir/build.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitWgmmaFence(const OpStmt &op, CudaWriter &writer) {
  const BufferRegion &registers = op.regions[0];
  int64_t elements = constantValue(registers.ranges.back().extent).value_or(0);
  int64_t words = elements * writer.buffer(registers.buffer).dtype.bits / 32;
  writer.line(llvm::formatv("{0}<{1}>({2});", writer.call(Helper::WgmmaFence), words,
                            writer.address(registers)));
}

} // namespace tilescope
