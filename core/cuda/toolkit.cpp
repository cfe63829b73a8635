#include "core/cuda/toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

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
