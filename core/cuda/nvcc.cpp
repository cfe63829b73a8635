// nvcc as a program, for machines without NVRTC.
#include "core/cuda/toolkit.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

std::string readText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

} // namespace

llvm::Expected<DeviceBinary> compileWithNvcc(const DeviceCompileRequest &request) {
  if (llvm::Error error = checkCudaPath(request.cudaPath))
    return error;
  llvm::Expected<std::string> nvcc = findToolkitProgram("nvcc", request.cudaPath);
  if (!nvcc)
    return nvcc.takeError();
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilescope", folder))
    return llvm::createStringError("cannot make a temporary folder: " + code.message());
  auto removeFolder =
      llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  std::string source = (folder + "/kernel.cu").str();
  std::string output = (folder + "/kernel.out").str();
  std::string log = (folder + "/kernel.log").str();
  std::error_code code;
  llvm::raw_fd_ostream(source, code) << request.source;
  std::string architecture = "-arch=" + request.architecture;
  std::vector<llvm::StringRef> arguments = {*nvcc,
                                            architecture,
                                            "-std=c++17",
                                            source,
                                            "-o",
                                            output,
                                            request.kind == BinaryKind::Ptx ? "-ptx" : "-cubin"};
  if (request.fastMath)
    arguments.push_back("--use_fast_math");
  if (request.logsUsage)
    arguments.insert(arguments.end(), {"-Xptxas", "-v"});
  int status = llvm::sys::ExecuteAndWait(*nvcc, arguments, std::nullopt,
                                         {"", llvm::StringRef(log), llvm::StringRef(log)});
  DeviceBinary binary;
  binary.log = readText(log);
  if (status != 0)
    return llvm::createStringError(refusalText("nvcc", request, binary.log));
  std::string bytes = readText(output);
  binary.bytes.assign(bytes.begin(), bytes.end());
  if (request.kind == BinaryKind::Ptx)
    binary.bytes.push_back('\0');
  binary.compiler = "nvcc";
  return binary;
}

} // namespace tilescope
