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

// What a function returns of coordinates that stand for themselves, one expression a result.
struct CoordinateResults {
  llvm::SmallVector<const Var *> vars;
  llvm::SmallVector<const Expr *> results;
};
// Nothing (an error was reported) if the call failed.
std::optional<CoordinateResults>
coordinateResultsOf(Evaluation &evaluation, FunctionObject &function, size_t rank, Span span);
// The permuted layout in which an element lies at the sum of what the tables, one a coordinate, say
// of its coordinates; null: they split none into digits, or leave places free.
const Layout *permutedFrom(Context &context, std::vector<std::vector<int64_t>> tables,
                           llvm::ArrayRef<int64_t> shape);

struct FragmentOrder {
  FunctionObject *thread = nullptr; // of the coordinates and, of copies, their number
  FunctionObject *place = nullptr;  // of the coordinates; null: `thread` returns both
  int64_t copies = 1;
};
// The same for a fragment.
std::optional<const Layout *> fragmentLayoutOf(Evaluation &evaluation, const FragmentOrder &order,
                                               llvm::ArrayRef<int64_t> shape, Span span);

} // namespace tilescope::frontend
