// Files of a git repository as they were at a revision, or as they are. Reads blobs with git and
// never writes to the work tree or the index. The repository is the one that the current folder
// lies in, or the folder that is given.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// `folder` was named where one file is wanted.
llvm::Error folderError(llvm::StringRef name, llvm::StringRef folder);

struct GitFile {
  std::string path; // relative to the current folder
  std::string blob; // its content, for readGitBlob
};

// An error if there is no git.
llvm::Error checkGit();

// The commit that it stands for, so that a branch which moves meanwhile is no trouble.
llvm::Expected<std::string> gitCommit(llvm::StringRef revision, llvm::StringRef folder = ".");

struct GitCommit {
  std::string hash;
  std::string subject;
};

// The first commit, then those after it up to the second, along first parents, that changed the
// file; oldest first. The path is relative to the current folder.
llvm::Expected<std::vector<GitCommit>> listGitCommits(llvm::StringRef from, llvm::StringRef to,
                                                      llvm::StringRef path);

// The last `most` commits up to HEAD, along first parents, that changed the file; oldest first. The
// path is relative to the folder.
llvm::Expected<std::vector<GitCommit>> recentGitCommits(llvm::StringRef path, size_t most,
                                                        llvm::StringRef folder = ".");

// The path is relative to the root of the repository, as in `git show REV:path`, or to the folder
// if it begins with "./".
llvm::Expected<std::string> readGitFile(llvm::StringRef revision, llvm::StringRef path,
                                        llvm::StringRef folder = ".");
// The same; nullopt if the revision lacks the file.
std::optional<std::string> findGitFile(llvm::StringRef revision, llvm::StringRef path,
                                       llvm::StringRef folder = ".");
llvm::Expected<std::string> readGitBlob(llvm::StringRef blob);

// The files at and below the paths, which are relative to the current folder (in a bare repository
// to its root). Sorted by path; no links and no other repositories. A path that the revision lacks
// has none.
llvm::Expected<std::vector<GitFile>> listGitFiles(llvm::StringRef revision,
                                                  const std::vector<std::string> &paths);

// The same of the work tree: files that git knows, changed or not, and new ones that it does not
// ignore. Their `blob` is empty: the disk has them.
llvm::Expected<std::vector<GitFile>> listWorkTreeFiles(const std::vector<std::string> &paths);

} // namespace tilescope
