#include "core/codegen/cuda_writer.h"
#include "core/ir/build.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitAtomicVector(const OpStmt &op, CudaWriter &writer) {
  DType dtype = writer.buffer(op.regions[0].buffer).dtype;
  int64_t count = constantValue(op.regions[0].ranges.back().extent).value_or(1);
  std::string dst = writer.address(op.regions[0]);
  std::string src = writer.address(op.regions[1]);
  // CUDA has no sum of signed 64-bit integers; in two's complement the bits are the same.
  if (dtype == DType::int64()) {
    dst = "reinterpret_cast<u64 *>(" + dst + ")";
    src = "reinterpret_cast<const u64 *>(" + src + ")";
  }
  if (dtype.isFloat() && dtype.bits == 16) {
    bool isHalf = dtype == DType::float16();
    std::string pair = writer.call(isHalf ? Helper::AtomicAddHalf2 : Helper::AtomicAddBf162);
    for (int64_t first = 0; first != count; first += 2) {
      std::string offset = first == 0 ? "" : " + " + std::to_string(first);
      writer.line(llvm::formatv("{0}({1}{3}, {2}{3});", pair, dst, src, offset));
    }
    return;
  }
  writer.line(
      llvm::formatv("{0}<{1}>({2}, {3});", writer.call(Helper::AtomicAddEach), count, dst, src));
}

} // namespace tilescope
