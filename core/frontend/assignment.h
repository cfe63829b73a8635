// Assignment. In kernel code the first name of a buffer becomes the buffer's name, an expression
// is bound to a variable of the device, and assigning to a mutable variable stores into it.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Flow execAssign(Evaluation &evaluation, const ast::AssignStmt &stmt);
Flow execAugAssign(Evaluation &evaluation, const ast::AugAssignStmt &stmt);
Flow execAnnAssign(Evaluation &evaluation, const ast::AnnAssignStmt &stmt);

bool assignName(Evaluation &evaluation, llvm::StringRef name, Value value, Span span);
// Binds loop variables and the like: names stand for the values themselves.
bool bindTarget(Evaluation &evaluation, const ast::Expr *target, Value value);
// The value that stands for `value` once it has a name in kernel code.
Value bindInKernel(Evaluation &evaluation, llvm::StringRef name, Value value, Span span);
// Where `global` and `nonlocal` say, or in the innermost scope.
void setName(Evaluation &evaluation, llvm::StringRef name, Value value);

} // namespace tilescope::frontend
