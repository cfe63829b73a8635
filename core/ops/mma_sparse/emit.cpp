#include "core/codegen/cuda_writer.h"

namespace tilescope {

namespace {

Helper sparseMmaOf(DType operand, DType accumulator) {
  if (operand == DType::float16())
    return accumulator == DType::float16() ? Helper::SparseMmaF16F16 : Helper::SparseMmaF16F32;
  if (operand == DType::bfloat16())
    return Helper::SparseMmaBf16F32;
  if (operand.isInteger())
    return operand.isUnsigned() ? Helper::SparseMmaU8S32 : Helper::SparseMmaS8S32;
  return Helper::SparseMmaTf32F32;
}

} // namespace

void emitMmaSparse(const OpStmt &op, CudaWriter &writer) {
  DType operand = writer.buffer(op.regions[0].buffer).dtype;
  DType accumulator = writer.buffer(op.regions[2].buffer).dtype;
  writer.line(writer.call(sparseMmaOf(operand, accumulator)) + "<" +
              std::to_string(op.attr(Attr::Selector)) + ">(" + writer.address(op.regions[2]) +
              ", " + writer.address(op.regions[0]) + ", " + writer.address(op.regions[1]) + ", " +
              writer.address(op.regions[3]) + ");");
}

} // namespace tilescope
