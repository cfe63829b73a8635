// What the CUDA Toolkit makes of emitted CUDA, as text, and what ptxas says of each kernel:
//
//     ptxas info    : Function properties for matmul_kernel
//         0 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
//     ptxas info    : Used 223 registers, used 1 barriers, 1024 bytes smem, 384 bytes cmem[0]
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope {

// The name by which line information calls the text of the CUDA.
inline constexpr llvm::StringLiteral ListedCudaFile = "kernel.cu";
// And by which `nvdisasm -gp` calls the text of the PTX that ptxas was given.
inline constexpr llvm::StringLiteral ListedPtxFile = ".nv_debug_ptx_txt";

// Registers and bytes of one thread, shared bytes of a block.
struct KernelResources {
  std::string kernel;
  int64_t registers = 0;
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  int64_t staticSharedBytes = 0;
  int64_t barriers = 0;

  int64_t spillBytes() const { return spillStoreBytes + spillLoadBytes; }
  friend bool operator==(const KernelResources &, const KernelResources &) = default;
};

struct DeviceListing {
  std::string refusal; // why there is nothing at all: nvcc is missing, or does not accept the CUDA
  std::string ptx;
  std::string sass;   // as `nvdisasm -c -gi` prints it; of PTX that a trace records, `-gp`
  std::string noSass; // why there is none; "": there is
  std::string cubin;  // in base64, of PTX that a trace records without its SASS
  std::string log;    // of nvcc, with what `ptxas -v` says
  std::vector<KernelResources> kernels; // where there is no log

  friend bool operator==(const DeviceListing &, const DeviceListing &) = default;
};

// Of the kernels that the log speaks of, in its order.
std::vector<KernelResources> readPtxasLog(llvm::StringRef log);

} // namespace tilescope
