// The kernel that is open, as it was at a revision of the git repository that it lies in.
#pragma once

#include "core/driver/compile.h"
#include "core/driver/git_files.h"

namespace tilescope {

// What made a trace, as far as its header says.
CompileRequest requestOf(const TraceHeader &header);

// The same for other commits of the file: an argument that has its default has that of the commit.
CompileRequest requestOfCommits(const TraceHeader &header);

// Of a kernel's file, which lies in a git repository: the last commits that changed it, oldest
// first.
llvm::Expected<std::vector<GitCommit>> commitsOf(const CompileRequest &request, size_t most);

// Compiles `request` with the text that its file, and what it imports, had then. `name` is a
// revision ("HEAD~1", of the same file) or REV:PATH as in `git show`. The trace has at least one
// pass; an error says why there is none.
llvm::Expected<Trace> compileAtRevision(CompileRequest request, llvm::StringRef name);

} // namespace tilescope
