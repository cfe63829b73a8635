#include "core/codegen/cuda_atomics.h"

namespace tilescope {

std::string atomicAddress(CudaWriter &writer, const BufferRegion &place, DType dtype) {
  std::string address = writer.address(place);
  return writer.buffer(place.buffer).dtype == dtype
             ? address
             : "reinterpret_cast<" + cudaTypeName(dtype) + " *>(" + address + ")";
}

std::string atomicCall(CudaWriter &writer, const BufferRegion &place, AtomicKind kind,
                       const Expr *value) {
  static constexpr llvm::StringRef Functions[] = {"atomicAdd", "atomicMax", "atomicMin",
                                                  "atomicOr",  "atomicAnd", "atomicXor"};
  DType dtype = value->dtype();
  std::string address = atomicAddress(writer, place, dtype);
  std::string operand = writer.value(value);
  bool isExtremum = kind == AtomicKind::Max || kind == AtomicKind::Min;
  std::string function = Functions[static_cast<size_t>(kind)].str();
  if (isExtremum && dtype.isFloat())
    function = writer.call(kind == AtomicKind::Max ? Helper::AtomicMax : Helper::AtomicMin);
  // CUDA has these for unsigned 64-bit integers only; in two's complement the bits are the same.
  if (dtype == DType::int64() && !isExtremum)
    return function + "(reinterpret_cast<u64 *>(" + address + "), u64(" + operand + "))";
  // Where the operand's C++ type may be wider or narrower than the element.
  if (isExtremum || kind != AtomicKind::Add)
    operand = cudaValueType(dtype) + "(" + operand + ")";
  return function + "(" + address + ", " + operand + ")";
}

void fenceBefore(CudaWriter &writer, int64_t order) {
  auto wanted = static_cast<MemoryOrder>(order);
  if (wanted >= MemoryOrder::Release)
    writer.line("__threadfence();");
}

void fenceBehind(CudaWriter &writer, int64_t order) {
  auto wanted = static_cast<MemoryOrder>(order);
  if (wanted != MemoryOrder::Relaxed && wanted != MemoryOrder::Release)
    writer.line("__threadfence();");
}

} // namespace tilescope
