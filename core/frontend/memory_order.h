// `T.Layout(shape, lambda i, j: [...])` as a memory order: the coordinates of an element become
// those of a dense array, last one fastest.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// A permuted layout if each result of `order` is a sum of parts that depend on one coordinate each,
// and each part splits its coordinate into digits: `4 * (l % 8) + d // 2` does, `i ^ j` does not.
// Null, without a report, if it is of another form. Nothing (an error was reported) if the call
// failed. `order` must be a lambda; `shape` constant.
std::optional<const Layout *> memoryOrderOf(Evaluation &evaluation, FunctionObject &order,
                                            llvm::ArrayRef<int64_t> shape, Span span);

} // namespace tilescope::frontend
