// From a kernel function and its arguments to the IR of one function.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// Builds the IR of a kernel: `function` is one, or returns one when it is called. Arguments are
// taken by the functions that have parameters of their names.
const Function *elaborateKernel(Evaluation &evaluation, FunctionObject &function,
                                llvm::ArrayRef<Argument> arguments);
// The function `name` inside `outer`, which is called for that.
FunctionObject *nestedFunction(Evaluation &evaluation, FunctionObject &outer, llvm::StringRef name,
                               llvm::ArrayRef<Argument> arguments);

} // namespace tilescope::frontend
