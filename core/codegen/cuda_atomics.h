// Atomic operations as CUDA: which function there is for a type, and fences for an order.
#pragma once

#include "core/codegen/cuda_writer.h"

namespace tilescope {

// Of an element, as one of a type of as many bits.
std::string atomicAddress(CudaWriter &writer, const BufferRegion &place, DType dtype);
// The call, of the value's type; its value is what was there before, where 64 bits are signed as if
// they were not.
std::string atomicCall(CudaWriter &writer, const BufferRegion &place, AtomicKind kind,
                       const Expr *value);
// Lines that keep the thread's other accesses before, and behind, an access of the order.
void fenceBefore(CudaWriter &writer, int64_t order);
void fenceBehind(CudaWriter &writer, int64_t order);

} // namespace tilescope
