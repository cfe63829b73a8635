// Points of a sweep on the GPUs of this machine: a process a GPU.
#pragma once

#include "core/sweep/compile_points.h"

#include <chrono>

namespace tilescope {

// Those of CUDA_VISIBLE_DEVICES. They are of one kind: times of two are not compared.
struct MachineGpus {
  std::string name;
  size_t count = 0;
  std::string noState; // why clocks are not known; "": they are
};

// The error: there is none, one cannot be used, or they are of several kinds.
llvm::Expected<MachineGpus> findGpus();

struct GpuPointsOptions {
  MachineGpus gpus;
  std::string cudaPath;
  std::chrono::seconds limit; // for a point on its GPU
};

// As compilePoints, and each compile that succeeds is timed, with tensors as `run` makes them. As
// many compiles run at a time as the request has threads, at least one for each GPU. What a point
// does to its GPU or its process is the error of its row.
llvm::Error timePoints(const PointsRequest &request, const GpuPointsOptions &options,
                       llvm::function_ref<llvm::Error(SweepRow)> take);

} // namespace tilescope
