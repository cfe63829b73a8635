#include "core/toolkit/programs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace tilescope {

std::vector<std::string> toolkitFolders(llvm::StringRef cudaPath) {
  std::vector<std::string> folders;
  auto add = [&](llvm::StringRef folder) {
    if (!folder.empty() && llvm::sys::fs::is_directory(folder))
      folders.push_back(folder.str());
  };
  add(cudaPath);
  if (!cudaPath.empty())
    return folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    add(llvm::sys::Process::GetEnv(variable).value_or(""));
  add(".cuda");
  add("/usr/local/cuda");
  return folders;
}

llvm::Error checkCudaPath(llvm::StringRef cudaPath) {
  if (cudaPath.empty() || llvm::sys::fs::is_directory(cudaPath))
    return llvm::Error::success();
  return llvm::createStringError("no folder '" + cudaPath + "', which --cuda-path names");
}

llvm::Expected<std::string> findToolkitProgram(llvm::StringRef name, llvm::StringRef cudaPath) {
  for (const std::string &folder : toolkitFolders(cudaPath)) {
    std::string path = folder + "/bin/" + name.str();
    if (llvm::sys::fs::can_execute(path))
      return path;
  }
  if (!cudaPath.empty())
    return llvm::createStringError("no bin/" + name + " under '" + cudaPath +
                                   "', which --cuda-path names");
  llvm::ErrorOr<std::string> inPath = llvm::sys::findProgramByName(name);
  if (inPath)
    return *inPath;
  return llvm::createStringError("no " + name +
                                 " on this machine: not under --cuda-path, CUDA_HOME or PATH");
}

namespace {

// How long a child that is to end may go on.
constexpr std::chrono::milliseconds StopInterval(10);

llvm::Error waitFor(const llvm::sys::ProcessInfo &child, const std::atomic<bool> *stop,
                    int &status) {
  while (true) {
    llvm::sys::ProcessInfo ended =
        llvm::sys::Wait(child, stop ? std::optional(0U) : std::nullopt, nullptr, nullptr,
                        /*Polling=*/true);
    if (ended.Pid == child.Pid) {
      status = ended.ReturnCode;
      return llvm::Error::success();
    }
    if (stop && *stop) {
      // A child that has just started may not have its group yet.
      if (kill(-child.Pid, SIGKILL) != 0)
        kill(child.Pid, SIGKILL);
      llvm::sys::Wait(child, std::nullopt);
      return llvm::createStringError("stopped");
    }
    std::this_thread::sleep_for(StopInterval);
  }
}

} // namespace

llvm::Expected<ChildRun> runChild(const std::string &program, llvm::ArrayRef<std::string> arguments,
                                  const std::string &scratch, const std::atomic<bool> *stop,
                                  const std::string &input) {
  std::vector<llvm::StringRef> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(input), llvm::StringRef(scratch),
                                                llvm::StringRef(scratch)};
  std::string why;
  bool hasFailed = false;
  // What is to be stopped gets a process group of its own: nvcc starts others.
  llvm::sys::ProcessInfo child =
      llvm::sys::ExecuteNoWait(program, words, std::nullopt, redirects, 0, &why, &hasFailed,
                               nullptr, /*DetachProcess=*/stop != nullptr);
  if (hasFailed)
    return llvm::createStringError("cannot run '" + program + "': " + why);
  ChildRun run;
  if (llvm::Error error = waitFor(child, stop, run.status))
    return error;
  if (auto buffer = llvm::MemoryBuffer::getFile(scratch))
    run.log = (*buffer)->getBuffer().str();
  return run;
}

} // namespace tilescope
