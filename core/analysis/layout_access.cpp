#include "core/analysis/layout_access.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace tilescope {

namespace {

constexpr int64_t LargestDivisor = 1 << 16;

bool mentions(const Expr *expr, const Var *var) {
  bool found = false;
  walk(expr, [&](const Expr *node) { found |= node == var; });
  return found;
}

std::optional<int64_t> strideOfBinary(const Binary &binary, const Var *var) {
  std::optional<int64_t> lhs = strideOf(binary.lhs, var);
  std::optional<int64_t> rhs = strideOf(binary.rhs, var);
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.op == BinaryOp::Add)
    return *lhs + *rhs;
  if (binary.op == BinaryOp::Sub)
    return *lhs - *rhs;
  if (binary.op != BinaryOp::Mul)
    return std::nullopt;
  if (std::optional<int64_t> factor = constantValue(binary.rhs))
    return *lhs * *factor;
  if (std::optional<int64_t> factor = constantValue(binary.lhs))
    return *rhs * *factor;
  return std::nullopt;
}

// Elements that the start of the access is a multiple of, with `var` at 0; 0: the very start.
int64_t startDivisor(Context &context, const Buffer &buffer, ExprList indices, const Var *var,
                     const BoundValues &bound) {
  Substitution atZero;
  atZero[var] = Builder(context).integer(0, var->dtype());
  int64_t divisor = 0;
  for (size_t dim = 0; dim < indices.size(); ++dim) {
    const Expr *index = substitute(context, indices[dim], atZero);
    int64_t known = std::min(knownDivisor(index, bound), LargestDivisor);
    int64_t pitch = dim + 1 == indices.size() ? 1 : pitchDivisor(buffer, dim);
    divisor = std::gcd(divisor, known * pitch);
  }
  return divisor;
}

bool stepsAlongRow(const Buffer &buffer, ExprList indices, const Var *var) {
  for (const Expr *index : indices.drop_back())
    if (strideOf(index, var) != 0)
      return false;
  bool isDense = buffer.strides.empty() || constantValue(buffer.strides.back()) == 1;
  return isDense && strideOf(indices.back(), var) == 1;
}

} // namespace

std::optional<int64_t> strideOf(const Expr *index, const Var *var) {
  if (index == var)
    return 1;
  if (!mentions(index, var))
    return 0;
  if (const auto *binary = llvm::dyn_cast<Binary>(index))
    return strideOfBinary(*binary, var);
  if (const auto *cast = llvm::dyn_cast<Cast>(index); cast && cast->dtype().isInteger())
    return strideOf(cast->operand, var);
  return std::nullopt;
}

int64_t pitchDivisor(const Buffer &buffer, size_t dim) {
  auto known = [](const Expr *expr) {
    int64_t divisor = knownDivisor(expr);
    return divisor == 0 ? LargestDivisor : std::min(divisor, LargestDivisor);
  };
  if (!buffer.strides.empty())
    return known(buffer.strides[dim]);
  if (buffer.layout && buffer.layout->kind == LayoutKind::Permuted)
    return adjacentElements(*buffer.layout);
  int64_t divisor = 1;
  for (size_t inner = dim + 1; inner < buffer.shape.size(); ++inner) {
    int64_t extent = known(buffer.shape[inner]);
    if (inner + 1 == buffer.shape.size() && buffer.layout && buffer.layout->padElements)
      extent = std::gcd(extent, buffer.layout->padElements);
    divisor = std::min(divisor * extent, LargestDivisor);
  }
  return divisor;
}

int64_t contiguousElements(Context &context, const Buffer &buffer, ExprList indices, const Var *var,
                           int64_t limit, const BoundValues &bound) {
  if (indices.empty() || !stepsAlongRow(buffer, indices, var))
    return 1;
  int64_t start = startDivisor(context, buffer, indices, var, bound);
  if (buffer.layout && buffer.layout->kind == LayoutKind::Permuted)
    start = std::gcd(start, adjacentElements(*buffer.layout));
  int64_t width = 1;
  while (2 * width <= limit && buffer.dtype.bytes(2 * width) <= WidestAccessBytes &&
         start % (2 * width) == 0)
    width *= 2;
  return width;
}

void WidthLimit::atMost(int64_t divisorBytes, llvm::StringRef what) {
  if (divisorBytes == 0)
    return;
  int64_t power = divisorBytes & -divisorBytes;
  if (power >= bytes)
    return;
  bytes = power;
  reason = llvm::formatv("{0} is a multiple of only {1} bytes", what, power).str();
}

void limitByStarts(const Buffer &buffer, const BufferRegion &region, const BoundValues &bound,
                   WidthLimit &limit) {
  size_t last = buffer.shape.size() - 1;
  for (size_t dim = 0; dim <= last; ++dim) {
    const Range &range = region.ranges[dim];
    int64_t first = knownDivisor(range.min, bound);
    if (dim == last)
      limit.atMost(bytesOf(buffer, first),
                   llvm::formatv("the first column in '{0}'", buffer.name).str());
    // A stride counts where more than one of its multiples is touched, or another than the first.
    else if (constantValue(range.extent) != 1 || first != 0)
      limit.atMost(bytesOf(buffer, pitchDivisor(buffer, dim)),
                   llvm::formatv("the row pitch of '{0}'", buffer.name).str());
  }
}

void limitByLayout(const Buffer &buffer, WidthLimit &limit) {
  if (buffer.layout && buffer.layout->kind == LayoutKind::Permuted)
    limit.atMost(bytesOf(buffer, adjacentElements(*buffer.layout)),
                 llvm::formatv("a run of adjacent elements of '{0}'", buffer.name).str());
}

} // namespace tilescope
