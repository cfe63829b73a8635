// Layouts that a kernel gives as functions of coordinates.
//
// `T.Layout(shape, lambda i, j: [...])` is a memory order: the coordinates of an element become
// those of a dense array, last one fastest. `T.Fragment(shape, lambda i, j: (thread, register))`
// says who holds an element and where.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// A permuted layout if each result of `order` is a sum of parts that depend on one coordinate each,
// and each part splits its coordinate into digits: `4 * (l % 8) + d // 2` does, `i ^ j` does not.
// Null, without a report, if it is of another form. Nothing (an error was reported) if the call
// failed. `order` must be a lambda; `shape` constant.
std::optional<const Layout *> memoryOrderOf(Evaluation &evaluation, FunctionObject &order,
                                            llvm::ArrayRef<int64_t> shape, Span span);

struct FragmentOrder {
  FunctionObject *thread = nullptr; // of the coordinates and, of copies, their number
  FunctionObject *place = nullptr;  // of the coordinates; null: `thread` returns both
  int64_t copies = 1;
};
// The same for a fragment.
std::optional<const Layout *> fragmentLayoutOf(Evaluation &evaluation, const FragmentOrder &order,
                                               llvm::ArrayRef<int64_t> shape, Span span);

} // namespace tilescope::frontend
