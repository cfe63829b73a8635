// Calls: arguments, parameters, bodies.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value evalCall(Evaluation &evaluation, const ast::CallExpr &expr);
Value call(Evaluation &evaluation, Value callee, llvm::ArrayRef<Argument> arguments, Span span);
Value callBuiltin(Evaluation &evaluation, BuiltinObject &builtin,
                  llvm::ArrayRef<Argument> arguments, Span span);
// With a new scope inside that in which the function was defined.
Value callWithOwnScope(Evaluation &evaluation, FunctionObject &function,
                       llvm::ArrayRef<Argument> arguments, Span span);
// `env` gets the parameters and is left with the names that the call bound.
Value callFunction(Evaluation &evaluation, FunctionObject &function,
                   llvm::ArrayRef<Argument> arguments, Env &env, Span span);

// --- the steps of a call ---
Env *newEnv(Evaluation &evaluation, Env *parent);
bool bindKeywords(Evaluation &evaluation, FunctionObject &function,
                  llvm::ArrayRef<Argument> arguments, Env &env);
bool bindDefaults(Evaluation &evaluation, FunctionObject &function, Env &env, Span span);
// Records speak of one file, the kernel's: where what code of other files builds stands, which is
// where the kernel called it.
Span standInOf(const Evaluation &evaluation, const FunctionObject &function, Span span);
Value runBody(Evaluation &evaluation, FunctionObject &function, Env &env, Span span);

} // namespace tilescope::frontend
