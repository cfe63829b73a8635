// Files of a git repository as they were at a revision. Reads blobs with git and never touches the
// work tree or the index.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

// Whether the current folder lies in a repository that knows the revision; also false without git.
bool isGitRevision(llvm::StringRef revision);

// The commit that it stands for, so that a branch which moves meanwhile is no trouble.
llvm::Expected<std::string> gitCommit(llvm::StringRef revision);

// Paths are relative to the root of the repository, as in `git show REV:path`, or to the current
// folder if they begin with "./".
llvm::Expected<std::string> readGitFile(llvm::StringRef revision, llvm::StringRef path);

// The files at and below the paths, which are relative to the current folder, and so are the
// results. Sorted. A path that the revision lacks has none.
llvm::Expected<std::vector<std::string>> listGitFiles(llvm::StringRef revision,
                                                      const std::vector<std::string> &paths);

} // namespace tilescope
