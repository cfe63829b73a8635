#include "cli/commit_history.h"

#include "cli/command.h"
#include "core/driver/git_files.h"

namespace tilescope {

namespace {

// Paths in revisions begin at the root of the repository, unless with "./" at the current folder.
std::string nameAt(const GitCommit &commit, const std::string &kernel) {
  return commit.hash + ":./" + kernel;
}

void compileAt(const GitCommit &commit, const std::string &kernel, const SideOptions &options,
               std::vector<CommitCompile> &history) {
  std::string name = commit.hash.substr(0, 8) + " " + commit.subject;
  llvm::Expected<LoadedSide> side = loadSide(nameAt(commit, kernel), options);
  if (!side) {
    history.push_back({name, {.file = kernel, .error = llvm::toString(side.takeError())}});
    return;
  }
  for (ComparedCompile &compile : side->compiles)
    history.push_back({name, std::move(compile)});
}

} // namespace

llvm::Expected<std::vector<CommitCompile>>
compileHistory(llvm::StringRef range, const std::string &kernel, const SideOptions &options) {
  auto [from, to] = range.split("..");
  if (from.empty() || to.empty())
    return llvm::createStringError("--git wants REV1..REV2, not '" + range + "'");
  llvm::Expected<std::vector<GitCommit>> commits =
      listGitCommits(from, to, splitKernelName(kernel).first);
  if (!commits)
    return commits.takeError();
  std::vector<CommitCompile> history;
  for (const GitCommit &commit : *commits)
    compileAt(commit, kernel, options, history);
  return history;
}

} // namespace tilescope
