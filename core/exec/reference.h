// Runs a kernel as written on the CPU: the witness of `run --check`.
#pragma once

#include "core/exec/footprint.h"

#include "llvm/Support/Error.h"

namespace tilescope {

struct ReferenceOptions {
  uint64_t seed = 0;
  // Above this many floating-point operations of gemms only a sample of output tiles is computed:
  // the first, the last, those at ragged edges and some more, with all blocks that write them.
  double sampleAboveFlop = 2e9;
  size_t sampleTiles = 16;
  unsigned threads = 0; // 0: as many as the machine has cores
};

struct ReferenceReport {
  int64_t blocks = 0;
  int64_t executedBlocks = 0;
  // Where results count; empty: everywhere.
  std::vector<Box> sample;
};

// `memory` holds the parameters' tensors, which are changed as the kernel does; `scalars` the
// values of scalar parameters. The function is as elaborated: no pass has run. Errors: what the
// kernel does is out of bounds, or not something the reference knows; with the kernel's line.
llvm::Expected<ReferenceReport>
runReference(const Function &function, GlobalMemory &memory,
             llvm::ArrayRef<std::pair<const Var *, int64_t>> scalars,
             const ReferenceOptions &options = {});

// Floating-point operations of all gemms of all launches; nothing if that depends on data.
std::optional<double> countGemmFlop(const Function &function,
                                    llvm::ArrayRef<std::pair<const Var *, int64_t>> scalars);

} // namespace tilescope
