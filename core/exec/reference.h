// Runs a kernel as written on the CPU: the witness of `run --check`.
#pragma once

#include "core/exec/block_queue.h"
#include "core/exec/footprint.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Values of the scalar parameters, each in the member of Number that its type says.
using ScalarArguments = llvm::ArrayRef<std::pair<const Var *, Number>>;

struct ReferenceOptions {
  uint64_t seed = 0;
  // Above this much work (core/exec/footprint.h) only a sample of output tiles is computed: the
  // first, the last, those at ragged edges and some more, with all blocks that write them.
  double sampleAboveWork = 2e9;
  size_t sampleTiles = 16;
  BlockOptions blocks;
  // The same comes out for any number of threads, for kernels too that depend on the order of their
  // blocks: of those one thread runs them all.
  bool isRepeatable = false;
  // Elements that several blocks write are told, and the same comes out for any number of threads.
  bool findOverwrites = false;
};

struct ReferenceReport {
  int64_t blocks = 0;
  int64_t executedBlocks = 0;
  // Where results count; empty: everywhere.
  std::vector<TensorBox> sample;
  // Of accesses to tiles (core/exec/tile_shadow.h).
  Findings findings;
  // Where that was asked for.
  Overwrites overwrites;
};

// Why the reference has no answer. `fault`: what the kernel does wrong, so that it must not be run
// on a GPU; nullopt: it is something the reference does not know. The text has the kernel's line.
class ReferenceError : public llvm::ErrorInfo<ReferenceError> {
public:
  static char ID; // NOLINT: LLVM's name
  explicit ReferenceError(std::string text, std::optional<ExecutionFinding> fault = std::nullopt)
      : text_(std::move(text)), fault_(std::move(fault)) {}

  const std::optional<ExecutionFinding> &fault() const { return fault_; }
  void log(llvm::raw_ostream &out) const override { out << text_; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string text_;
  std::optional<ExecutionFinding> fault_;
};

// `memory` holds the parameters' tensors, which are changed as the kernel does. The function is as
// elaborated: no pass has run. Errors are ReferenceError.
llvm::Expected<ReferenceReport> runReference(const Function &function, GlobalMemory &memory,
                                             ScalarArguments scalars,
                                             const ReferenceOptions &options = {});

// What there is to compute in all blocks of all launches, and what the reference does of it.
struct ReferenceEstimate {
  double flop = 0; // of gemms; 0: it depends on data
  double work = 0; // of the blocks that the reference runs (core/exec/footprint.h)
  int64_t blocks = 0;
};
ReferenceEstimate estimateReference(const Function &function, ScalarArguments scalars,
                                    const ReferenceOptions &options = {});

} // namespace tilescope
