// Imports: modules that builtins.def has, other files of the kernel's package, and what is neither,
// which is an error only where a kernel needs it.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// An import at statement `position` of the top level.
void bindImports(Evaluation &evaluation, const ast::Stmt *stmt, size_t position);
// An import inside a function.
bool execImport(Evaluation &evaluation, const ast::Stmt *stmt);
// What an import binds; reads the file that it names.
Value followImport(Evaluation &evaluation, const ImportedName &imported);
// `module.name`: what the file binds, or a submodule.
Value memberOfModule(Evaluation &evaluation, const ModuleObject &module, llvm::StringRef name,
                     Span span);

// Of the module of own_modules.def for this space; invalid, without a report, if there is none.
Value memberOfOwn(Evaluation &evaluation, llvm::StringRef space, llvm::StringRef name);

} // namespace tilescope::frontend
