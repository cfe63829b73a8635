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
// --pass-option PASS.NAME=VALUE gives an option of a pass. Words are split as a shell does. Without
// --target the instance is for any target.
#pragma once

#include "core/driver/compile.h"

#include "llvm/Support/Error.h"

namespace tilescope {

struct KernelInstance {
  std::string path;     // of the kernel file
  std::string function; // "": the only one
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string target; // "": any
  std::vector<std::pair<std::string, std::string>> passOptions = {};
  size_t line = 0; // of the text, from 1
};

// Of the text of the kernel file `path`. The error names file, line and cause.
llvm::Expected<std::vector<KernelInstance>> instancesOfKernel(llvm::StringRef text,
                                                              const std::string &path);

// Of the text of the list file `path`; kernel files are relative to its folder.
llvm::Expected<std::vector<KernelInstance>> instancesOfList(llvm::StringRef text,
                                                            const std::string &path);

// "matmul --set K=64 --set M=1024 --target sm_80": arguments sorted by name, without the file.
std::string labelOf(const KernelInstance &instance);

// As a kernel file lists it, without a line break: "# tilescope: matmul --set M=1024".
std::string lineOf(const KernelInstance &instance);

// The text of a kernel file with this line in place of line `replaced` (from 1), or where it is 0
// behind the last line of an instance, else behind the comment that the file begins with.
std::string withLine(llvm::StringRef text, llvm::StringRef line, size_t replaced);

// The text without its instances.
std::string withoutInstances(llvm::StringRef text);

} // namespace tilescope
