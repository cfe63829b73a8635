// NVRTC, the run-time compiler of the CUDA Toolkit.
#include "core/cuda/toolkit.h"
#include "core/support/shared_library.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <memory>
#include <nvrtc.h>

namespace tilescope {

namespace {

struct Nvrtc {
  std::string includeFolder;
  decltype(nvrtcVersion) *version = nullptr;
  decltype(nvrtcCreateProgram) *createProgram = nullptr;
  decltype(nvrtcDestroyProgram) *destroyProgram = nullptr;
  decltype(nvrtcCompileProgram) *compileProgram = nullptr;
  decltype(nvrtcGetErrorString) *errorString = nullptr;
  decltype(nvrtcGetProgramLogSize) *logSize = nullptr;
  decltype(nvrtcGetProgramLog) *log = nullptr;
  decltype(nvrtcGetPTXSize) *ptxSize = nullptr;
  decltype(nvrtcGetPTX) *ptx = nullptr;
  decltype(nvrtcGetCUBINSize) *cubinSize = nullptr;
  decltype(nvrtcGetCUBIN) *cubin = nullptr;
};

std::vector<std::string> libraryCandidates(llvm::StringRef cudaPath) {
  std::vector<std::string> candidates;
  for (const std::string &folder : toolkitFolders(cudaPath))
    for (const char *place : {"/lib64", "/lib", "/targets/x86_64-linux/lib"})
      for (const char *name : {"/libnvrtc.so.13", "/libnvrtc.so.12", "/libnvrtc.so"})
        if (llvm::sys::fs::exists(folder + place + name))
          candidates.push_back(folder + place + name);
  for (const char *name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"})
    if (cudaPath.empty())
      candidates.push_back(name);
  return candidates;
}

// The folder with cuda_fp16.h: of the toolkit asked for, or beside the loaded library.
std::string findIncludeFolder(llvm::StringRef cudaPath, llvm::StringRef libraryFolder) {
  std::vector<std::string> folders;
  for (const std::string &folder : toolkitFolders(cudaPath))
    folders.push_back(folder + "/include");
  if (!libraryFolder.empty()) {
    folders.push_back(libraryFolder.str() + "/../include");
    folders.push_back(libraryFolder.str() + "/../../../include");
    folders.push_back(libraryFolder.str() + "/../../cuda_runtime/include");
  }
  for (const std::string &folder : folders)
    if (llvm::sys::fs::exists(folder + "/cuda_fp16.h"))
      return folder;
  return "";
}

llvm::Error loadFunctions(const SharedLibrary &library, Nvrtc &nvrtc) {
  llvm::Error error = llvm::Error::success();
  auto find = [&](llvm::StringRef symbol, auto *&function) {
    if (!error)
      error = library.find(symbol, function);
  };
  find("nvrtcVersion", nvrtc.version);
  find("nvrtcCreateProgram", nvrtc.createProgram);
  find("nvrtcDestroyProgram", nvrtc.destroyProgram);
  find("nvrtcCompileProgram", nvrtc.compileProgram);
  find("nvrtcGetErrorString", nvrtc.errorString);
  find("nvrtcGetProgramLogSize", nvrtc.logSize);
  find("nvrtcGetProgramLog", nvrtc.log);
  find("nvrtcGetPTXSize", nvrtc.ptxSize);
  find("nvrtcGetPTX", nvrtc.ptx);
  find("nvrtcGetCUBINSize", nvrtc.cubinSize);
  find("nvrtcGetCUBIN", nvrtc.cubin);
  return error;
}

llvm::Expected<Nvrtc> loadNvrtc(llvm::StringRef cudaPath) {
  std::vector<std::string> candidates = libraryCandidates(cudaPath);
  if (candidates.empty())
    return llvm::createStringError("no NVRTC under '" + cudaPath + "', which --cuda-path names");
  llvm::Expected<SharedLibrary> library = SharedLibrary::open("NVRTC", candidates);
  if (!library)
    return library.takeError();
  Nvrtc nvrtc;
  if (llvm::Error error = loadFunctions(*library, nvrtc))
    return error;
  nvrtc.includeFolder = findIncludeFolder(cudaPath, library->folderOf("nvrtcVersion"));
  if (nvrtc.includeFolder.empty())
    return llvm::createStringError(
        "no CUDA headers on this machine: cuda_fp16.h is neither under --cuda-path or "
        "CUDA_HOME nor beside NVRTC");
  return nvrtc;
}

std::vector<std::string> compileOptions(const Nvrtc &nvrtc, const DeviceCompileRequest &request) {
  std::string architecture = request.architecture;
  // PTX is made for a virtual architecture.
  if (request.kind == BinaryKind::Ptx)
    architecture = "compute_" + architecture.substr(architecture.find('_') + 1);
  std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--std=c++17",
                                      "--include-path=" + nvrtc.includeFolder};
  // What cooperative_groups.h includes.
  options.push_back("--include-path=" + nvrtc.includeFolder + "/cccl");
  if (request.fastMath)
    options.push_back("--use_fast_math");
  if (request.logsUsage)
    options.push_back("--ptxas-options=-v");
  return options;
}

std::string readLog(const Nvrtc &nvrtc, nvrtcProgram program) {
  size_t size = 0;
  if (nvrtc.logSize(program, &size) != NVRTC_SUCCESS || size <= 1)
    return "";
  std::string log(size, '\0');
  nvrtc.log(program, log.data());
  log.resize(size - 1);
  return log;
}

} // namespace

llvm::Expected<DeviceBinary> compileWithNvrtc(const DeviceCompileRequest &request) {
  if (llvm::Error error = checkCudaPath(request.cudaPath))
    return error;
  llvm::Expected<Nvrtc> nvrtc = loadNvrtc(request.cudaPath);
  if (!nvrtc)
    return nvrtc.takeError();
  nvrtcProgram program = nullptr;
  nvrtcResult result = nvrtc->createProgram(&program, request.source.c_str(), request.name.c_str(),
                                            0, nullptr, nullptr);
  if (result != NVRTC_SUCCESS)
    return llvm::createStringError(std::string("NVRTC: ") + nvrtc->errorString(result));
  auto destroy = [&](nvrtcProgram made) { nvrtc->destroyProgram(&made); };
  std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, decltype(destroy)> owner(program, destroy);

  std::vector<std::string> options = compileOptions(*nvrtc, request);
  std::vector<const char *> pointers;
  pointers.reserve(options.size());
  for (const std::string &option : options)
    pointers.push_back(option.c_str());
  result = nvrtc->compileProgram(program, static_cast<int>(pointers.size()), pointers.data());
  DeviceBinary binary;
  binary.log = readLog(*nvrtc, program);
  if (result == NVRTC_ERROR_COMPILATION)
    return llvm::createStringError(refusalText("NVRTC", request, binary.log));
  if (result != NVRTC_SUCCESS)
    return llvm::createStringError(std::string("NVRTC: ") + nvrtc->errorString(result) + "\n" +
                                   binary.log);
  bool isPtx = request.kind == BinaryKind::Ptx;
  size_t size = 0;
  result = isPtx ? nvrtc->ptxSize(program, &size) : nvrtc->cubinSize(program, &size);
  binary.bytes.resize(size);
  if (result == NVRTC_SUCCESS)
    result = isPtx ? nvrtc->ptx(program, binary.bytes.data())
                   : nvrtc->cubin(program, binary.bytes.data());
  if (result != NVRTC_SUCCESS)
    return llvm::createStringError(std::string("NVRTC: ") + nvrtc->errorString(result));
  int major = 0;
  int minor = 0;
  nvrtc->version(&major, &minor);
  binary.compiler = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
  return binary;
}

} // namespace tilescope
