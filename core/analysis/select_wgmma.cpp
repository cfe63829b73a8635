#include "core/analysis/select_wgmma.h"

#include "core/analysis/mma_layouts.h"
#include "core/analysis/select_gemm.h"
#include "core/ir/build.h"
#include "core/ir/op_facts.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr int64_t RowsOfPattern = 8;

// All of it but a version: then every instruction starts where a pattern does.
bool isWholeTile(const BufferRegion &region, const Buffer &buffer) {
  for (auto [range, extent] : llvm::zip_equal(region.ranges, buffer.shape))
    if (constantValue(range.min) != 0 || !constantValue(extent) ||
        constantValue(range.extent) != constantValue(extent))
      return false;
  return true;
}

std::string whyNotOperand(const BufferRegion &region, const Function &function) {
  const Buffer &buffer = function.buffer(region.buffer);
  if (buffer.scope != Scope::Shared)
    return llvm::formatv("'{0}' is not in dynamic shared memory", buffer.name);
  if (buffer.layoutPinned)
    return llvm::formatv("the kernel says how '{0}' lies", buffer.name);
  if (buffer.shape.size() != 2 || !isWholeTile(region, buffer))
    return llvm::formatv("it takes only a part of '{0}'", buffer.name);
  int64_t rowBytes = buffer.dtype.bytes(*constantValue(buffer.shape.back()));
  if (rowBytes % 32 != 0 || *constantValue(buffer.shape.front()) % RowsOfPattern != 0)
    return llvm::formatv("'{0}' has no whole rows of 32 bytes, eight at a time", buffer.name);
  return "";
}

std::string whyNotTypes(const OpStmt &gemm, const Function &function) {
  const Buffer &a = function.buffer(gemm.regions[0].buffer);
  const Buffer &b = function.buffer(gemm.regions[1].buffer);
  const Buffer &c = function.buffer(gemm.regions[2].buffer);
  if (keepsHalves(gemm))
    return "one operand is kept by halves";
  if (!hasWgmma(a.dtype, b.dtype, c.dtype) || c.dtype != DType::float32())
    return llvm::formatv("it multiplies {0} by {1} into {2}", a.dtype.name(), b.dtype.name(),
                         c.dtype.name());
  if (c.scope != Scope::Fragment || !isWholeTile(gemm.regions[2], c) || c.shape.size() != 2)
    return llvm::formatv("'{0}' is not a whole fragment", c.name);
  for (size_t operand : {0, 1})
    if (std::string reason = whyNotOperand(gemm.regions[operand], function); !reason.empty())
      return reason;
  return "";
}

// Along M as far as that goes: each warp group then reads rows of its own.
std::optional<WarpGroupGrid> gridOf(int64_t m, int64_t n, int64_t groups) {
  for (int64_t rows = groups; rows >= 1; --rows) {
    WarpGroupGrid grid{rows, groups / rows};
    if (groups % rows == 0 && m % (WgmmaRows * rows) == 0 && n % (64 * grid.columns) == 0)
      return grid;
  }
  return std::nullopt;
}

} // namespace

WgmmaChoice selectWgmma(const OpStmt &gemm, const Function &function, const Target &target,
                        int64_t threads) {
  WgmmaChoice choice;
  if (!target.hasWgmma())
    choice.reason = llvm::formatv("{0} has none", target.name);
  else
    choice.reason = whyNotTypes(gemm, function);
  if (!choice.reason.empty())
    return choice;
  MatrixExtents extents = extentsOfGemm(gemm);
  choice.m = *constantValue(extents.m);
  choice.n = *constantValue(extents.n);
  choice.k = *constantValue(extents.k);
  choice.depth = WgmmaDepthBytes * 8 / function.buffer(gemm.regions[0].buffer).dtype.bits;
  choice.kIsRowOfA = gemm.attr(Attr::TransposeA) != 0;
  choice.kIsRowOfB = gemm.attr(Attr::TransposeB) == 0;
  std::optional<WarpGroupGrid> grid;
  if (threads % WarpGroupThreads == 0)
    grid = gridOf(choice.m, choice.n, threads / WarpGroupThreads);
  if (!grid || choice.k % choice.depth != 0) {
    choice.reason = llvm::formatv("{0} threads do not share {1} x {2} x {3} in tiles of 64 x 64 x "
                                  "{4} of warp groups",
                                  threads, choice.m, choice.n, choice.k, choice.depth);
    return choice;
  }
  choice.grid = *grid;
  choice.columns = *wgmmaColumns(choice.n / grid->columns);
  return choice;
}

const Layout *wgmmaOperandLayout(Context &context, const Buffer &buffer) {
  int64_t rowBytes = buffer.dtype.bytes(*constantValue(buffer.shape.back()));
  const Layout *swizzle = swizzleForRow(context, rowBytes);
  return swizzle->kind == LayoutKind::Swizzle
             ? makeSwizzle(context, swizzle->spanBytes, /*isAligned=*/true)
             : nullptr;
}

} // namespace tilescope
