#include "core/analysis/layouts/gemm_shape.h"

#include "core/ir/build.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Rows and columns of an operand: the last two ranges.
std::optional<std::pair<int64_t, int64_t>> matrixOf(const BufferRegion &region) {
  if (region.ranges.size() < 2)
    return std::nullopt;
  std::optional<int64_t> rows = constantValue(region.ranges[region.ranges.size() - 2].extent);
  std::optional<int64_t> columns = constantValue(region.ranges.back().extent);
  if (!rows || !columns)
    return std::nullopt;
  return std::pair(*rows, *columns);
}

std::string whyNoMma(const OpStmt &gemm, const Function &function) {
  const Buffer &a = function.buffer(gemm.regions[0].buffer);
  const Buffer &b = function.buffer(gemm.regions[1].buffer);
  const Buffer &c = function.buffer(gemm.regions[2].buffer);
  if (!hasMma(a.dtype, b.dtype, c.dtype))
    return llvm::formatv("there is no mma.sync for {0} x {1} into {2}", a.dtype.name(),
                         b.dtype.name(), c.dtype.name());
  if (c.scope != Scope::Fragment)
    return llvm::formatv("the accumulator '{0}' must be a fragment", c.name);
  return "";
}

} // namespace

GemmShape gemmShapeOf(const OpStmt &gemm, const Function &function, int64_t threads) {
  GemmShape shape;
  auto a = matrixOf(gemm.regions[0]);
  auto c = matrixOf(gemm.regions[2]);
  if (!a || !c) {
    shape.problem = "its operands must be matrices of constant size";
    return shape;
  }
  shape.m = c->first;
  shape.n = c->second;
  shape.k = gemm.attr(Attr::TransposeA) ? a->first : a->second;
  shape.operandType = function.buffer(gemm.regions[0].buffer).dtype;
  shape.problem = whyNoMma(gemm, function);
  if (!shape.problem.empty())
    return shape;
  int64_t depth = mmaDepth(shape.operandType);
  if (shape.k % depth != 0) {
    shape.problem = llvm::formatv("its depth {0} is not a multiple of {1}", shape.k, depth);
    return shape;
  }
  auto policy = static_cast<WarpPolicy>(gemm.attr(Attr::Policy));
  std::optional<WarpGrid> grid = partitionWarps(shape.m, shape.n, threads / WarpThreads, policy);
  if (!grid || threads % WarpThreads != 0)
    shape.problem = llvm::formatv("{0} threads cannot share {1} x {2} in warp tiles of 16 x 8",
                                  threads, shape.m, shape.n);
  else
    shape.grid = *grid;
  return shape;
}

} // namespace tilescope
