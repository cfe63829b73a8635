// The host function that launches a kernel: checks the arguments, computes grid and shared bytes.
#pragma once

#include "core/codegen/cuda_buffers.h"
#include "core/codegen/cuda_exprs.h"
#include "core/codegen/cuda_state.h"

namespace tilescope {

// Requires that the parameters have names.
void printLauncher(CudaFunctionState &state, const LaunchRecord &record, CudaExprs &exprs,
                   const CudaBuffers &buffers);

// The parameters of the kernel: those of the function, then the workspaces that it allocates in
// global memory.
llvm::SmallVector<Param> kernelParams(const Function &function);
// The launch at the top of a device function.
const Launch &launchOf(const Function &function);

} // namespace tilescope
