#include "core/cuda/toolkit.h"

#include "llvm/Support/Regex.h"

namespace tilescope {

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
