// The kernel that is open, as it was at a revision of the git repository that it lies in.
#pragma once

#include "core/driver/compile.h"

namespace tilescope {

// Compiles `request` with the text that its file, and what it imports, had then. `name` is a
// revision ("HEAD~1", of the same file) or REV:PATH as in `git show`. The trace has at least one
// pass; an error says why there is none.
llvm::Expected<Trace> compileAtRevision(CompileRequest request, llvm::StringRef name);

} // namespace tilescope
