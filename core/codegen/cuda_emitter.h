// Prints a lowered module as one self-contained .cu file. Transforms nothing.
#pragma once

#include "core/codegen/cuda_source.h"
#include "core/ir/module.h"
#include "core/target/target.h"

namespace tilescope {

struct CudaOptions {
  bool aliases = true; // typed names for shared buffers; false: casts of the arena
};

// Requires split-host-device and an arena plan. `files` gives the kernel lines for comments.
CudaSource emitCuda(const Module &module, const Target &target, const SourceFiles &files,
                    const CudaOptions &options = {});

// Evaluated by `run`, printed by the launcher and kept in the trace: one source of truth.
LaunchRecord computeLaunchRecord(const Function &deviceFunction);

} // namespace tilescope
