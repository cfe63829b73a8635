#include "core/codegen/cuda_writer.h"

namespace tilescope {

namespace {

Helper mmaOf(DType operand, DType accumulator) {
  if (operand == DType::float16())
    return accumulator == DType::float16() ? Helper::MmaF16F16 : Helper::MmaF16F32;
  if (operand == DType::bfloat16())
    return Helper::MmaBf16F32;
  if (operand.kind == DTypeKind::Float8E4M3)
    return Helper::MmaE4m3F32;
  if (operand.kind == DTypeKind::Float8E5M2)
    return Helper::MmaE5m2F32;
  if (operand.isInteger() && operand.bits == 4)
    return operand.isUnsigned() ? Helper::MmaU4S32 : Helper::MmaS4S32;
  if (operand.isInteger())
    return operand.isUnsigned() ? Helper::MmaU8S32 : Helper::MmaS8S32;
  return operand.bits == 64 ? Helper::MmaF64F64 : Helper::MmaTf32F32;
}

} // namespace

void emitMma(const OpStmt &op, CudaWriter &writer) {
  DType operand = writer.buffer(op.regions[0].buffer).dtype;
  DType accumulator = writer.buffer(op.regions[2].buffer).dtype;
  writer.line(writer.call(mmaOf(operand, accumulator)) + "(" + writer.address(op.regions[2]) +
              ", " + writer.address(op.regions[0]) + ", " + writer.address(op.regions[1]) + ");");
}

} // namespace tilescope
