// Where programs of the CUDA Toolkit are, and running one.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <string>
#include <vector>

namespace tilescope {

// Toolkit folders to look in, best first; existing ones only. With --cuda-path only that one.
std::vector<std::string> toolkitFolders(llvm::StringRef cudaPath);
// The error that `cudaPath`, unless it is empty, is no folder.
llvm::Error checkCudaPath(llvm::StringRef cudaPath);

// Path of "nvcc" or another; in PATH too, unless there is a --cuda-path.
llvm::Expected<std::string> findToolkitProgram(llvm::StringRef name, llvm::StringRef cudaPath);

struct ChildRun {
  int status = 0;  // as it exits; negative: it crashed
  std::string log; // standard output and error together
};

// Runs a program to its end, with all that it starts killed as soon as `stop` (may be null) is
// true; that is an error. `scratch` is a file for what it prints, `input` one that it reads ("": it
// reads nothing).
llvm::Expected<ChildRun> runChild(const std::string &program, llvm::ArrayRef<std::string> arguments,
                                  const std::string &scratch, const std::atomic<bool> *stop,
                                  const std::string &input = "");

} // namespace tilescope
