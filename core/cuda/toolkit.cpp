#include "core/cuda/toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"

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

std::string refusalText(llvm::StringRef compiler, const DeviceCompileRequest &request,
                        llvm::StringRef log) {
  llvm::Regex firstError("\\(([0-9]+)\\): (catastrophic )?error:? ([^\n]*)");
  llvm::SmallVector<llvm::StringRef, 4> parts;
  uint32_t line = 0;
  std::string refused = (compiler + " does not accept ").str();
  if (!firstError.match(log, &parts) || parts[1].getAsInteger(10, line))
    return (refused + "the kernel\n" + log).str();
  std::string what = "the kernel";
  for (const ForeignLines &lines : request.foreign)
    if (line >= lines.first && line - lines.first < lines.count)
      what =
          "line " + std::to_string(line - lines.first + 1) + " of the CUDA that the kernel imports";
  return (refused + what + ": " + parts[3] + "\n" + log).str();
}

llvm::Expected<DeviceBinary> compileForDevice(const DeviceCompileRequest &request) {
  if (llvm::Error error = checkCudaPath(request.cudaPath))
    return error;
  llvm::Expected<DeviceBinary> binary = compileWithNvrtc(request);
  if (binary)
    return binary;
  std::string first = llvm::toString(binary.takeError());
  // A kernel that NVRTC refuses is refused; nvcc is asked only where NVRTC is missing.
  bool isMissing = llvm::StringRef(first).starts_with("no ");
  if (!isMissing)
    return llvm::createStringError(first);
  llvm::Expected<DeviceBinary> other = compileWithNvcc(request);
  if (other)
    return other;
  return llvm::createStringError(first + "; " + llvm::toString(other.takeError()));
}

} // namespace tilescope
