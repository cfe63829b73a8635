#include "core/codegen/cuda_writer.h"

#include "core/hopper/wgmma_descriptor.h"
#include "core/ir/build.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// By the type of the operands and the columns.
Helper wgmmaOf(DType operand, int64_t columns) {
  bool isBfloat = operand == DType::bfloat16();
  switch (columns) {
  case 64:
    return isBfloat ? Helper::WgmmaN64Bf16 : Helper::WgmmaN64F16;
  case 128:
    return isBfloat ? Helper::WgmmaN128Bf16 : Helper::WgmmaN128F16;
  default:
    return isBfloat ? Helper::WgmmaN256Bf16 : Helper::WgmmaN256F16;
  }
}

// "wgmma_operand<128, 16, 1024>(&A_shared[...])"
std::string operandText(const BufferRegion &region, bool kIsRow, CudaWriter &writer) {
  const Buffer &buffer = writer.buffer(region.buffer);
  WgmmaTile tile{.major = kIsRow ? OperandMajor::MN : OperandMajor::K,
                 .swizzle = *swizzleOfSpan(buffer.layout->spanBytes),
                 .elementBytes = buffer.dtype.bits / 8,
                 .rows = constantValue(buffer.shape[buffer.shape.size() - 2]).value_or(0)};
  WgmmaDescriptor descriptor = wgmmaTileDescriptor(tile, 0);
  return llvm::formatv("{0}<{1}, {2}, {3}>({4})", writer.call(Helper::WgmmaOperand),
                       buffer.layout->spanBytes, descriptor.leading, descriptor.stride,
                       writer.address(region));
}

} // namespace

void emitWgmma(const OpStmt &op, CudaWriter &writer) {
  bool transposesA = op.attr(Attr::TransposeA) != 0, transposesB = op.attr(Attr::TransposeB) != 0;
  int64_t columns = 2 * constantValue(op.regions[2].ranges.back().extent).value_or(0);
  Helper helper = wgmmaOf(writer.buffer(op.regions[0].buffer).dtype, columns);
  std::string a = operandText(op.regions[0], transposesA, writer);
  std::string b = operandText(op.regions[1], !transposesB, writer);
  writer.line(llvm::formatv("{0}<{1}, {2}>({3}, {4}, {5});", writer.call(helper), int{transposesA},
                            int{!transposesB}, writer.address(op.regions[2]), a, b));
}

} // namespace tilescope
