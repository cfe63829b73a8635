// Compiling emitted CUDA: NVRTC, or nvcc where there is none.
#pragma once

#include "core/codegen/cuda_source.h"
#include "core/toolkit/programs.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

enum class BinaryKind { Ptx, Cubin };

struct DeviceCompileRequest {
  std::string source;       // emitted CUDA
  std::string name;         // of the file, for messages
  std::string architecture; // "sm_80"
  BinaryKind kind = BinaryKind::Cubin;
  bool fastMath = false;
  bool logsUsage = false; // what ptxas says of registers and spills
  std::string cudaPath;   // --cuda-path; "": CUDA_HOME, beside NVRTC, the usual folders
  std::vector<ForeignLines> foreign = {}; // of the source
};

struct DeviceBinary {
  std::vector<char> bytes; // PTX is text and ends with a zero byte
  std::string log;         // warnings, usage
  std::string compiler;    // "NVRTC 13.0", "nvcc"
};

// NVRTC if it loads, else nvcc. The error holds the compiler's log, or what is missing.
llvm::Expected<DeviceBinary> compileForDevice(const DeviceCompileRequest &request);

// NVRTC alone: what `run` needs.
llvm::Expected<DeviceBinary> compileWithNvrtc(const DeviceCompileRequest &request);
llvm::Expected<DeviceBinary> compileWithNvcc(const DeviceCompileRequest &request);

// What a compiler refuses, in one line, and its log: "nvcc does not accept line 3 of the CUDA that
// the kernel imports: ...".
std::string refusalText(llvm::StringRef compiler, const DeviceCompileRequest &request,
                        llvm::StringRef log);

} // namespace tilescope
