#include "cli/watch.h"

#include "cli/command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tilescope {

namespace {

std::FILE *notes = nullptr; // to the process that waits; null: nobody watches

struct FileState {
  bool isThere = false;
  llvm::sys::TimePoint<> modified;
  uint64_t sizeBytes = 0;
  llvm::sys::fs::UniqueID file;

  friend bool operator==(const FileState &, const FileState &) = default;
};

FileState stateOfFile(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return {};
  return {true, status.getLastModificationTime(), status.getSize(), status.getUniqueID()};
}

using FileStates = std::map<std::string, FileState>;

struct WatchedRun {
  int exitCode = Trouble;
  FileStates files;
};

// Paths are noted with a NUL behind each. The state is taken when a file is named, so that a change
// after that is seen.
FileStates statesOfNamed(int input) {
  FileStates files;
  std::string path;
  std::array<char, 4096> bytes;
  for (;;) {
    ssize_t count = read(input, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return files;
    for (char c : llvm::ArrayRef(bytes.data(), static_cast<size_t>(count))) {
      if (c != '\0') {
        path += c;
        continue;
      }
      files.try_emplace(path, stateOfFile(path));
      path.clear();
    }
  }
}

llvm::Expected<WatchedRun> runOnce(llvm::function_ref<int()> verb) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return llvm::errorCodeToError(std::error_code(errno, std::generic_category()));
  pid_t child = fork();
  if (child < 0)
    return llvm::errorCodeToError(std::error_code(errno, std::generic_category()));
  if (child == 0) {
    close(ends[0]);
    notes = fdopen(ends[1], "w");
    std::exit(verb()); // with its handlers: output is flushed
  }
  close(ends[1]);
  WatchedRun run;
  run.files = statesOfNamed(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

bool hasChanged(const FileStates &files) {
  return llvm::any_of(files,
                      [](const auto &file) { return !(stateOfFile(file.first) == file.second); });
}

} // namespace

int watch(llvm::function_ref<int()> verb) {
  constexpr std::chrono::milliseconds Pause(100);
  for (;;) {
    if (llvm::outs().is_displayed())
      llvm::outs() << "\033[2J\033[H";
    llvm::outs().flush();
    llvm::Expected<WatchedRun> run = runOnce(verb);
    if (!run)
      return report(run.takeError());
    if (run->files.empty())
      return run->exitCode;
    llvm::errs() << llvm::formatv("exit code {0}; watching {1} {2}, Ctrl-C ends it\n",
                                  run->exitCode, run->files.size(),
                                  run->files.size() == 1 ? "file" : "files");
    while (!hasChanged(run->files))
      std::this_thread::sleep_for(Pause);
  }
}

void noteRead(llvm::StringRef path) {
  if (!notes || path == "-")
    return;
  std::string text = path.str();
  std::fwrite(text.c_str(), 1, text.size() + 1, notes);
  std::fflush(notes);
}

SourceReader watchedImports() {
  if (!notes)
    return nullptr;
  return [](llvm::StringRef path) -> std::optional<std::string> {
    if (!llvm::sys::fs::is_regular_file(path))
      return std::nullopt;
    llvm::Expected<std::string> text = readFile(path.str());
    if (text)
      return std::move(*text);
    llvm::consumeError(text.takeError());
    return std::nullopt;
  };
}

} // namespace tilescope
