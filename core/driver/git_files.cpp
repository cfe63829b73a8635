#include "core/driver/git_files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace tilescope {

namespace {

llvm::Error gitError(const std::vector<llvm::StringRef> &arguments, llvm::StringRef said) {
  return llvm::createStringError("git " + arguments.front() + ": " +
                                 (said.empty() ? "failed" : said.split('\n').first));
}

llvm::Expected<std::string> readPrinted(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

// What git prints in a folder.
llvm::Expected<std::string> runGit(const std::vector<llvm::StringRef> &arguments,
                                   llvm::StringRef folder = ".") {
  if (llvm::Error error = checkGit())
    return error;
  llvm::ErrorOr<std::string> git = llvm::sys::findProgramByName("git");
  llvm::SmallString<128> outPath, errorPath;
  for (llvm::SmallString<128> *path : {&outPath, &errorPath})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("tilescope-git", "txt", *path))
      return llvm::createStringError("cannot make a temporary file: " + code.message());
  llvm::FileRemover removeOut(outPath), removeError(errorPath);
  std::vector<llvm::StringRef> command{*git, "-C", folder};
  command.insert(command.end(), arguments.begin(), arguments.end());
  int exitCode = llvm::sys::ExecuteAndWait(*git, command, /*Env=*/std::nullopt,
                                           {llvm::StringRef(), outPath.str(), errorPath.str()});
  llvm::Expected<std::string> out = readPrinted(outPath);
  llvm::Expected<std::string> said = readPrinted(errorPath);
  if (!out || !said)
    return llvm::joinErrors(out.takeError(), said.takeError());
  if (exitCode != 0)
    return gitError(arguments, *said);
  return std::move(*out);
}

constexpr llvm::StringLiteral CommitFormat = "--format=%H %s";

// Of lines in that format.
std::vector<GitCommit> commitsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<GitCommit> commits;
  for (llvm::StringRef line : lines)
    commits.push_back({line.split(' ').first.str(), line.split(' ').second.str()});
  return commits;
}

} // namespace

llvm::Error folderError(llvm::StringRef name, llvm::StringRef folder) {
  return llvm::createStringError("'" + name +
                                 "' is a folder; all kernels in it are compared between revisions: "
                                 "--git REV1 [REV2] -- " +
                                 folder);
}

llvm::Error checkGit() {
  if (llvm::sys::findProgramByName("git"))
    return llvm::Error::success();
  return llvm::createStringError("there is no git in PATH, and revisions are read with it");
}

llvm::Expected<std::string> gitCommit(llvm::StringRef revision, llvm::StringRef folder) {
  if (llvm::Error error = checkGit())
    return error;
  std::string commit = revision.str() + "^{commit}";
  llvm::Expected<std::string> out =
      runGit({"rev-parse", "--verify", "--quiet", "--end-of-options", commit}, folder);
  if (!out) {
    llvm::consumeError(out.takeError());
    if (llvm::Expected<std::string> repository = runGit({"rev-parse", "--git-dir"}, folder);
        !repository)
      return repository.takeError();
    return llvm::createStringError("'" + revision + "' is no revision of a git repository here");
  }
  return llvm::StringRef(*out).trim().str();
}

llvm::Expected<std::vector<GitCommit>> listGitCommits(llvm::StringRef from, llvm::StringRef to,
                                                      llvm::StringRef path) {
  llvm::Expected<std::string> first = gitCommit(from);
  if (!first)
    return first.takeError();
  llvm::Expected<std::string> last = gitCommit(to);
  if (!last)
    return last.takeError();
  llvm::Expected<std::string> head = runGit({"log", "-1", CommitFormat, *first});
  if (!head)
    return head.takeError();
  std::string range = *first + ".." + *last;
  llvm::Expected<std::string> rest =
      runGit({"log", "--first-parent", "--reverse", CommitFormat, range, "--", path});
  if (!rest)
    return rest.takeError();
  return commitsOf(*head + *rest);
}

llvm::Expected<std::vector<GitCommit>> recentGitCommits(llvm::StringRef path, size_t most,
                                                        llvm::StringRef folder) {
  std::string count = "--max-count=" + std::to_string(most);
  llvm::Expected<std::string> text =
      runGit({"log", "--first-parent", count, CommitFormat, "--", path}, folder);
  if (!text)
    return text.takeError();
  std::vector<GitCommit> commits = commitsOf(*text);
  std::reverse(commits.begin(), commits.end());
  return commits;
}

llvm::Expected<std::string> readGitFile(llvm::StringRef revision, llvm::StringRef path,
                                        llvm::StringRef folder) {
  std::string name = (revision + ":" + path).str();
  llvm::Expected<std::string> kind = runGit({"cat-file", "-t", name}, folder);
  if (!kind)
    return kind.takeError();
  if (llvm::StringRef(*kind).trim() == "tree")
    return folderError(name, path.str());
  return runGit({"cat-file", "blob", name}, folder);
}

std::optional<std::string> findGitFile(llvm::StringRef revision, llvm::StringRef path,
                                       llvm::StringRef folder) {
  llvm::Expected<std::string> text = readGitFile(revision, path, folder);
  if (text)
    return std::move(*text);
  llvm::consumeError(text.takeError());
  return std::nullopt;
}

llvm::Expected<std::string> readGitBlob(llvm::StringRef blob) {
  return runGit({"cat-file", "blob", blob});
}

llvm::Expected<std::vector<GitFile>> listGitFiles(llvm::StringRef revision,
                                                  const std::vector<std::string> &paths) {
  std::vector<llvm::StringRef> arguments{"ls-tree", "-r", "-z", revision, "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  llvm::Expected<std::string> out = runGit(arguments);
  if (!out)
    return out.takeError();
  llvm::SmallVector<llvm::StringRef> entries;
  llvm::StringRef(*out).split(entries, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<GitFile> files;
  for (llvm::StringRef entry : entries) {
    // "100644 blob 83baae61804e65cc73a7201a7252750c76066a30\tkernels/gemm.py"
    auto [what, path] = entry.split('\t');
    llvm::SmallVector<llvm::StringRef> words;
    what.split(words, ' ');
    bool isLink = words[0] == "120000";
    if (words.size() == 3 && words[1] == "blob" && !isLink)
      files.push_back({path.str(), words[2].str()});
  }
  llvm::sort(files, [](const GitFile &a, const GitFile &b) { return a.path < b.path; });
  return files;
}

llvm::Expected<std::vector<GitFile>> listWorkTreeFiles(const std::vector<std::string> &paths) {
  std::vector<llvm::StringRef> arguments{"ls-files",           "-z", "--cached", "--others",
                                         "--exclude-standard", "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  llvm::Expected<std::string> out = runGit(arguments);
  if (!out)
    return out.takeError();
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(*out).split(names, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  std::vector<GitFile> files;
  for (llvm::StringRef name : names) {
    llvm::sys::fs::file_status status;
    bool isThere = !llvm::sys::fs::status(name, status, /*follow=*/false);
    if (isThere && llvm::sys::fs::is_regular_file(status))
      files.push_back({name.str(), ""});
  }
  return files;
}

} // namespace tilescope
