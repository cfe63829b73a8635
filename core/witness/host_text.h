// The C++ program that runs emitted CUDA on this machine.
#pragma once

#include "core/codegen/cuda_source.h"
#include "core/exec/problem.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilescope {

// A header of core/witness/host, which the program includes under this path.
struct HostHeader {
  llvm::StringRef path;
  llvm::StringRef text;
};
llvm::ArrayRef<HostHeader> hostHeaders();

// The file that a tensor comes from and goes back to.
std::string tensorFileName(BufferId tensor);

// The text with what C++ has no words for replaced, its lines numbered as in kernel.cu, and behind
// it a main program that makes the launches with the problem's values. Error: an asm statement that
// is not understood, or a launch whose size is not known.
llvm::Expected<std::string> makeHostText(const CudaSource &cuda, const Problem &problem);

} // namespace tilescope
