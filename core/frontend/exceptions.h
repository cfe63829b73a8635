// `raise`, `try`, and which exception of Python an error of the evaluator is.
//
// An error that Python would not raise (something not supported, a limit) is no exception: no
// handler takes it, so that a kernel never silently goes the way of its `except`.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Flow execRaise(Evaluation &evaluation, const ast::RaiseStmt &stmt);
Flow execTry(Evaluation &evaluation, const ast::TryStmt &stmt);
// The error just reported is `exception`: outside `try` nothing more is evaluated.
void raiseException(Evaluation &evaluation, Value exception);
// What Python raises where this is reported; invalid: nothing.
Value exceptionOf(Heap &heap, DiagId id, llvm::StringRef text);
// Whether the exception type `name` is `base` or derives from it; both are Python's own.
bool isExceptionSubtype(llvm::StringRef name, llvm::StringRef base);
bool isExceptionName(llvm::StringRef name);

} // namespace tilescope::frontend
