#include "core/analysis/select_gemm.h"

#include "core/analysis/layout_access.h"
#include "core/ir/build.h"
#include "core/ir/op_facts.h"
#include "core/ir/product_check.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

std::string whyNoMma(const Buffer &a, const Buffer &b, const Buffer &c, bool isSparse) {
  if (isSparse && !isSparseProduct(a.dtype, c.dtype))
    return llvm::formatv("there is no mma.sp for {0} into {1}", a.dtype.name(), c.dtype.name());
  if (!hasMma(a.dtype, b.dtype, c.dtype))
    return llvm::formatv("there is no mma.sync for {0} x {1} into {2}", a.dtype.name(),
                         b.dtype.name(), c.dtype.name());
  if (c.scope != Scope::Fragment)
    return llvm::formatv("the accumulator '{0}' must be a fragment", c.name);
  return "";
}

// Empty: ldmatrix can load the operand.
std::string whyNotLdmatrix(const Buffer &buffer, const BufferRegion &region,
                           const BoundValues &bound, bool kIsRow) {
  if (kIsRow && buffer.dtype.bits != 16)
    return llvm::formatv("ldmatrix transposes elements of 16 bits, and these have {0}",
                         buffer.dtype.bits);
  constexpr int64_t WordBits = 32;
  if (buffer.dtype.bits > WordBits)
    return llvm::formatv("ldmatrix spreads words of {0} bits, and these elements have {1}",
                         WordBits, buffer.dtype.bits);
  WidthLimit rows;
  limitByStarts(buffer, region, bound, rows);
  limitByLayout(buffer, rows);
  if (rows.bytes < WidestAccessBytes)
    return llvm::formatv("ldmatrix reads rows of {0} bytes, and {1}", WidestAccessBytes,
                         rows.reason);
  return "";
}

GemmOperand operandOf(const BufferRegion &region, const Function &function, bool kIsRow) {
  const Buffer &buffer = function.buffer(region.buffer);
  GemmOperand operand;
  operand.kIsRow = kIsRow;
  if (buffer.scope == Scope::Fragment)
    return operand;
  operand.reason = whyNotLdmatrix(buffer, region, boundValuesOf(function), kIsRow);
  operand.source = operand.reason.empty() ? OperandSource::Ldmatrix : OperandSource::Elements;
  return operand;
}

void selectOperands(GemmChoice &choice, const OpStmt &gemm, const Function &function) {
  choice.a = operandOf(gemm.regions[0], function, /*kIsRow=*/gemm.attr(Attr::TransposeA));
  choice.a.tileElements = MmaRows * choice.keptOf(choice.depth) / WarpThreads;
  choice.b = operandOf(gemm.regions[1], function, /*kIsRow=*/!gemm.attr(Attr::TransposeB));
  choice.b.tileElements = MmaColumns * choice.depth / WarpThreads;
  // A deep tile alone is four matrices.
  if (choice.b.source == OperandSource::Ldmatrix && choice.tileColumns() % 2 == 0 &&
      !choice.isSparse)
    choice.b.tilesAtOnce = 2;
}

} // namespace

MatrixExtents extentsOfGemm(const OpStmt &gemm) {
  llvm::ArrayRef<Range> a = gemm.regions[0].ranges;
  llvm::ArrayRef<Range> b = gemm.regions[1].ranges;
  llvm::ArrayRef<Range> c = gemm.regions[2].ranges;
  const Expr *k = a[a.size() - (gemm.attr(Attr::TransposeA) ? 2 : 1)].extent;
  if (keepsHalves(gemm))
    k = b[b.size() - (gemm.attr(Attr::TransposeB) ? 1 : 2)].extent;
  return {c[c.size() - 2].extent, c.back().extent, k};
}

GemmChoice selectGemm(const OpStmt &gemm, const Function &function, int64_t threads) {
  GemmChoice choice;
  MatrixExtents extents = extentsOfGemm(gemm);
  std::optional<int64_t> m = constantValue(extents.m);
  std::optional<int64_t> n = constantValue(extents.n);
  std::optional<int64_t> k = constantValue(extents.k);
  if (!m || !n || !k) {
    choice.reason = "its operands must be matrices of constant size";
    return choice;
  }
  const Buffer &a = function.buffer(gemm.regions[0].buffer);
  choice.isSparse = keepsHalves(gemm);
  choice.reason = whyNoMma(a, function.buffer(gemm.regions[1].buffer),
                           function.buffer(gemm.regions[2].buffer), choice.isSparse);
  if (!choice.reason.empty())
    return choice;
  choice.m = *m;
  choice.n = *n;
  choice.k = *k;
  choice.operandType = a.dtype;
  choice.depth = mmaDepth(a.dtype) * (choice.isSparse ? 2 : 1);
  if (choice.k % choice.depth != 0) {
    choice.reason = llvm::formatv("its depth {0} is not a multiple of {1}", choice.k, choice.depth);
    return choice;
  }
  auto policy = static_cast<WarpPolicy>(gemm.attr(Attr::Policy));
  std::optional<WarpGrid> grid = partitionWarps(choice.m, choice.n, threads / WarpThreads, policy);
  if (!grid || threads % WarpThreads != 0) {
    choice.reason = llvm::formatv("{0} threads cannot share {1} x {2} in warp tiles of 16 x 8",
                                  threads, choice.m, choice.n);
    return choice;
  }
  choice.instruction = GemmInstruction::MmaSync;
  choice.grid = *grid;
  selectOperands(choice, gemm, function);
  return choice;
}

} // namespace tilescope
