// The sizes of one tile gemm and how warps share it.
#pragma once

#include "core/analysis/mma_layouts.h"
#include "core/ir/module.h"

#include <string>

namespace tilescope {

struct GemmShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  DType operandType;
  WarpGrid grid;
  std::string problem; // why mma.sync cannot do it; empty if it can
};

GemmShape gemmShapeOf(const OpStmt &gemm, const Function &function, int64_t threads);

} // namespace tilescope
