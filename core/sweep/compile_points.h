// Compiles points of a sweep in parallel. Compiles share nothing.
#pragma once

#include "core/driver/compile.h"
#include "core/sweep/grid.h"
#include "core/sweep/ptxas_usage.h"
#include "core/sweep/sweep_row.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace tilescope {

struct PointsRequest {
  // Arguments, options of passes and target are those of the point.
  CompileRequest compile;
  SweepGrid grid;
  std::vector<uint64_t> points;
  unsigned threads = 1;
  // Asks ptxas about a compile that succeeded; called by several threads at once. The error is that
  // of the point. Empty: ptxas is not asked.
  std::function<llvm::Expected<PtxasUsage>(const CompileResult &)> askPtxas;
  // Times a compile of the point that succeeded on the GPU, into its figures; as above.
  std::function<llvm::Error(const CompileResult &, uint64_t point, SweepFigures &)> time;
};

// Whether the passes of each target take every value of their options.
llvm::Error checkPassOptions(const SweepGrid &grid);

// `take` gets each row as it is finished, in any order, from one thread at a time. An error of it
// ends everything, and is returned.
llvm::Error compilePoints(const PointsRequest &request,
                          llvm::function_ref<llvm::Error(SweepRow)> take);

// The same of points that `next` gives, until it gives none, instead of those of the request; it is
// called by several threads at once.
llvm::Error compilePoints(const PointsRequest &request,
                          llvm::function_ref<std::optional<uint64_t>()> next,
                          llvm::function_ref<llvm::Error(SweepRow)> take);

} // namespace tilescope
