// Values that operations give: an operation writes a register of the thread, which the expression
// that called it reads.
//
//   old = T.atomic_add(C[0], 1, return_prev=True)
//
//   T.atomic_fetch(C[0], previous[0], 1)
//   old: T.int32 = previous[0]
#pragma once

#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

// One register of the thread, or an array of several, for a result.
BufferObject *newResult(Evaluation &evaluation, llvm::StringRef name, DType dtype, Span span);
BufferObject *newResults(Evaluation &evaluation, llvm::StringRef name, DType dtype, int64_t count,
                         Span span);
// All of a buffer of one axis, as an operand and as a value.
BufferRegion wholeOf(Evaluation &evaluation, const BufferObject &buffer);
Value sliceOf(Evaluation &evaluation, BufferObject &buffer);
// What the register holds.
Value resultOf(Evaluation &evaluation, const BufferObject &result, Span span);

// `count` adjacent elements from where an operand starts; nullopt after reporting.
std::optional<Operand> toRun(const Args &args, llvm::StringRef param, int64_t count);
// The same from `offset` elements behind a pointer to memory of one axis, or such memory, on.
std::optional<Operand> toRunBehind(const Args &args, llvm::StringRef pointer,
                                   llvm::StringRef offset, int64_t count);
// False after reporting that the run is not shown to start with a whole word of 32 bits.
bool requireWord(const Args &args, const Operand &run, llvm::StringRef param);
// As many adjacent elements as there are in so many bytes.
std::optional<Operand> toBytes(const Args &args, llvm::StringRef param, int64_t bytes);

// Copies the bits of a run of elements into new registers of another type; gives those.
Value reinterpretRun(Evaluation &evaluation, const Operand &source, DType dtype, Span span);
// Writes a run of registers to as many bits elsewhere.
bool storeRun(Evaluation &evaluation, const Operand &source, const Operand &destination, Span span);

} // namespace tilescope::frontend
