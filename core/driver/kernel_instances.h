// Kernel instances: which kernels of a file, with which arguments, verbs over many kernels compile.
//
// A kernel file lists its own in comment lines, from the first column:
//
//     # tilescope: matmul --set M=1024 --set "shape=(8, 128)" --target sm_80
//
// A list file has one a line, with the kernel file in front of the function; empty lines and lines
// that begin with # are skipped:
//
//     kernels/gemm.py:matmul --set M=1024
//
// Words are split as a shell does. Without --target the instance is for any target.
#pragma once

#include "core/driver/compile.h"

#include "llvm/Support/Error.h"

namespace tilescope {

struct KernelInstance {
  std::string path;     // of the kernel file
  std::string function; // "": the only one
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string target; // "": any
};

// Of the text of the kernel file `path`. The error names file, line and cause.
llvm::Expected<std::vector<KernelInstance>> instancesOfKernel(llvm::StringRef text,
                                                              const std::string &path);

// Of the text of the list file `path`; kernel files are relative to its folder.
llvm::Expected<std::vector<KernelInstance>> instancesOfList(llvm::StringRef text,
                                                            const std::string &path);

// "matmul --set K=64 --set M=1024 --target sm_80": arguments sorted by name, without the file.
std::string labelOf(const KernelInstance &instance);

} // namespace tilescope
