// Accesses to buffers: elements, regions, stores.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value subscriptBuffer(Evaluation &evaluation, BufferObject &buffer, Value index, Span span);
std::optional<std::vector<Axis>> toAxes(Evaluation &evaluation, BufferObject &buffer, Value index,
                                        Span span);
// False after reporting that the buffer is a tensor of a table, and where its row was settled is
// over.
bool isRowVisible(Evaluation &evaluation, const BufferObject &buffer, Span span);
bool storeElement(Evaluation &evaluation, BufferObject &buffer, llvm::ArrayRef<Axis> axes,
                  Value value, Span span);
// The element, for a mutable variable of the kernel; anything else as it is.
Value loadVariable(Evaluation &evaluation, Value value);
// `stop - start`, a constant where that can be seen.
const Expr *distance(Builder &ir, const Expr *start, const Expr *stop);

} // namespace tilescope::frontend
