#include "core/codegen/cuda_writer.h"
#include "core/ir/build.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// A function of two pointers that adds so many elements at a time.
struct Adder {
  std::string function;
  int64_t elements = 0;
};

// By one instruction, which needs an aligned address of global memory.
Adder wideAdder(DType dtype, int64_t bytes, CudaWriter &writer) {
  Helper helper = dtype == DType::float32()   ? Helper::RedAddF32
                  : dtype == DType::float16() ? Helper::RedAddF16
                                              : Helper::RedAddBf16;
  int64_t elements = bytes * 8 / dtype.bits;
  return {writer.call(helper) + "<" + std::to_string(elements) + ">", elements};
}

Adder adderOf(const OpStmt &op, DType dtype, int64_t count, CudaWriter &writer) {
  int64_t bytes = op.attr(Attr::Bytes);
  // PTX ISA, "red": pairs of f16 are older than the other forms.
  bool isOldPair = dtype == DType::float16() && bytes == 4;
  if (bytes != 0 && (isOldPair || writer.target().hasVectorSums()))
    return wideAdder(dtype, bytes, writer);
  if (dtype.isFloat() && dtype.bits == 16) {
    bool isHalf = dtype == DType::float16();
    return {writer.call(isHalf ? Helper::AtomicAddHalf2 : Helper::AtomicAddBf162), 2};
  }
  return {writer.call(Helper::AtomicAddEach) + "<" + std::to_string(count) + ">", count};
}

} // namespace

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
  Adder adder = adderOf(op, dtype, count, writer);
  for (int64_t first = 0; first != count; first += adder.elements) {
    std::string offset = first == 0 ? "" : " + " + std::to_string(first);
    writer.line(llvm::formatv("{0}({1}{3}, {2}{3});", adder.function, dst, src, offset));
  }
}

} // namespace tilescope
