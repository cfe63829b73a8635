// The top level of a file: definitions, thunks, what is not run, and the lookup of names that
// starts anywhere and may end here.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// Binds what the file binds whose scope is `names.globals`.
void loadModule(Evaluation &evaluation, const ast::Module &module);
// The function with this name at the top level; null, without a report, if there is none.
FunctionObject *findFunction(Evaluation &evaluation, llvm::StringRef name);
// What a name stands for; runs the thunk of the top level that binds it.
Value lookUp(Evaluation &evaluation, llvm::StringRef name, Span span);
// What a name of a top level stands for; nullopt, without a report, if no visible binding has it.
std::optional<Value> readTopLevel(Evaluation &evaluation, ModuleScope &scope, llvm::StringRef name);

} // namespace tilescope::frontend
