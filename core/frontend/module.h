// The top level of a kernel file: imports, definitions, thunks, what is not run, and the lookup of
// names that starts anywhere and may end here.
#pragma once

#include "core/frontend/evaluation.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope::frontend {

void loadModule(Evaluation &evaluation, const ast::Module &module);
// The function with this name at the top level; null, without a report, if there is none.
FunctionObject *findFunction(Evaluation &evaluation, llvm::StringRef name);
// What a name stands for; runs the thunk of the top level that binds it.
Value lookUp(Evaluation &evaluation, llvm::StringRef name, Span span);
// Calls `bind` with each name that an import binds.
void bindImport(Evaluation &evaluation, const ast::Stmt *stmt,
                llvm::function_ref<void(llvm::StringRef, Value)> bind);

} // namespace tilescope::frontend
