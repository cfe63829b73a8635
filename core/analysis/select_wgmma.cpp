#include "core/analysis/select_wgmma.h"

#include "core/analysis/select_gemm.h"
#include "core/ir/build.h"
#include "core/ir/matrix_part.h"
#include "core/ir/op_facts.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

int64_t spanOfRow(const Buffer &buffer) {
  int64_t rowBytes = buffer.dtype.bytes(*constantValue(buffer.shape.back()));
  return rowBytes % 128 == 0 ? 128 : rowBytes % 64 == 0 ? 64 : 32;
}

namespace {

constexpr int64_t RowsOfPattern = 8;

// All of it but a version.
bool isWholeTile(const BufferRegion &region, const Buffer &buffer) {
  for (auto [range, extent] : llvm::zip_equal(region.ranges, buffer.shape))
    if (constantValue(range.min) != 0 || !constantValue(extent) ||
        constantValue(range.extent) != constantValue(extent))
      return false;
  return true;
}

// Of a part that starts where a pattern does, every instruction does.
bool isOfPatterns(const MatrixPart &part, const Buffer &buffer) {
  return part.firstRow % RowsOfPattern == 0 &&
         buffer.dtype.bytes(part.firstColumn) % spanOfRow(buffer) == 0;
}

std::string whyNotOperand(const BufferRegion &region, const Function &function) {
  const Buffer &buffer = function.buffer(region.buffer);
  if (buffer.scope != Scope::Shared)
    return llvm::formatv("'{0}' is not in dynamic shared memory", buffer.name);
  if (buffer.layoutPinned)
    return llvm::formatv("the kernel says how '{0}' lies", buffer.name);
  std::optional<MatrixPart> matrix = matrixPartOf(region, buffer);
  if (!matrix || !isOfPatterns(*matrix, buffer))
    return llvm::formatv(
        "what it takes of '{0}' does not start where a pattern of the swizzle does", buffer.name);
  ExprList extents = buffer.shape.take_back(2);
  if (buffer.dtype.bytes(*constantValue(extents[1])) % 32 != 0 ||
      *constantValue(extents[0]) % RowsOfPattern != 0)
    return llvm::formatv("'{0}' has no whole rows of 32 bytes, eight at a time", buffer.name);
  return "";
}

bool isFromRegisters(const OpStmt &gemm, const Function &function) {
  return function.buffer(gemm.regions[0].buffer).scope == Scope::Fragment;
}

std::string whyNotRegisters(const OpStmt &gemm, const Buffer &a) {
  if (a.shape.size() != 2 || !isWholeTile(gemm.regions[0], a))
    return llvm::formatv("it takes only a part of '{0}'", a.name);
  if (gemm.attr(Attr::TransposeA))
    return llvm::formatv("'{0}' is in registers, and transposed", a.name);
  return "";
}

// Along K only, if its elements have 8 bits.
std::string whyNotMajor(const BufferRegion &region, const Function &function, bool kIsRow) {
  const Buffer &buffer = function.buffer(region.buffer);
  if (!kIsRow || buffer.dtype.bits == 16)
    return "";
  return llvm::formatv("'{0}' is of {1} and has k as its rows, not side by side", buffer.name,
                       buffer.dtype.name());
}

std::string whyNotTypes(const OpStmt &gemm, const Function &function) {
  const Buffer &a = function.buffer(gemm.regions[0].buffer);
  const Buffer &b = function.buffer(gemm.regions[1].buffer);
  const Buffer &c = function.buffer(gemm.regions[2].buffer);
  if (keepsHalves(gemm))
    return "one operand is kept by halves";
  if (!hasWgmma(a.dtype, b.dtype, c.dtype))
    return llvm::formatv("it multiplies {0} by {1} into {2}", a.dtype.name(), b.dtype.name(),
                         c.dtype.name());
  if (c.scope != Scope::Fragment || !isWholeTile(gemm.regions[2], c) || c.shape.size() != 2)
    return llvm::formatv("'{0}' is not a whole fragment", c.name);
  std::string reason = isFromRegisters(gemm, function) ? whyNotRegisters(gemm, a)
                                                       : whyNotOperand(gemm.regions[0], function);
  if (reason.empty())
    reason = whyNotMajor(gemm.regions[0], function, gemm.attr(Attr::TransposeA) != 0);
  if (reason.empty())
    reason = whyNotOperand(gemm.regions[1], function);
  return reason.empty() ? whyNotMajor(gemm.regions[1], function, !gemm.attr(Attr::TransposeB))
                        : reason;
}

// What the columns of an instruction are a multiple of: it begins where a pattern does.
int64_t unitOfColumns(const WgmmaChoice &choice, const Buffer &b) {
  if (!choice.kIsRowOfB)
    return b.dtype.isInteger() ? WgmmaIntegerColumnUnit : WgmmaColumnUnit;
  return spanOfRow(b) * 8 / b.dtype.bits;
}

// Along M as far as that goes: each warp group then reads rows of its own.
std::optional<WarpGroupGrid> gridOf(int64_t m, int64_t n, int64_t groups, int64_t unit) {
  for (int64_t rows = groups; rows >= 1; --rows) {
    WarpGroupGrid grid{rows, groups / rows};
    if (groups % rows == 0 && m % (WgmmaRows * rows) == 0 && n % (unit * grid.columns) == 0)
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
  choice.isFromRegisters = isFromRegisters(gemm, function);
  int64_t unit = unitOfColumns(choice, function.buffer(gemm.regions[1].buffer));
  std::optional<WarpGroupGrid> grid;
  if (threads % WarpGroupThreads == 0)
    grid = gridOf(choice.m, choice.n, threads / WarpGroupThreads, unit);
  if (!grid || choice.k % choice.depth != 0) {
    choice.reason = llvm::formatv("{0} threads do not share {1} x {2} x {3} in tiles of 64 x {4} x "
                                  "{5} of warp groups",
                                  threads, choice.m, choice.n, choice.k, unit, choice.depth);
    return choice;
  }
  choice.grid = *grid;
  choice.columns = *wgmmaColumns(choice.n / grid->columns, unit);
  return choice;
}

const Layout *wgmmaOperandLayout(Context &context, const Buffer &buffer) {
  return makeSwizzle(context, spanOfRow(buffer), /*isAligned=*/true);
}

} // namespace tilescope
