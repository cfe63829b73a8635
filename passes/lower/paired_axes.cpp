#include "core/analysis/layouts/wide_axes.h"
#include "core/ir/build.h"
#include "passes/lower/parallel.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

llvm::StringRef axisName(size_t fromLast) {
  constexpr llvm::StringLiteral Names[] = {"col", "row", "plane", "block"};
  return Names[std::min(fromLast, std::size(Names) - 1)];
}

// Start of the region plus the variable of each wide axis.
llvm::SmallVector<const Expr *> indicesOf(LowerContext &lower, const BufferRegion &region,
                                          llvm::ArrayRef<const Var *> vars) {
  llvm::SmallVector<const Expr *> indices;
  for (const Range &range : region.ranges) {
    if (!isWide(range)) {
      indices.push_back(range.min);
      continue;
    }
    indices.push_back(constantValue(range.min) == 0 ? vars.front()
                                                    : lower.add(range.min, vars.front()));
    vars = vars.drop_front();
  }
  return indices;
}

} // namespace

std::optional<PairedAxes> pairAxes(LowerContext &lower, const BufferRegion &source,
                                   const BufferRegion &destination) {
  PairedAxes axes;
  for (const Range &range : destination.ranges) {
    if (!isWide(range))
      continue;
    std::optional<int64_t> extent = constantValue(range.extent);
    if (!extent || *extent < 1)
      return std::nullopt;
    axes.extents.push_back(*extent);
  }
  size_t rank = axes.extents.size();
  if (llvm::count_if(source.ranges, isWide) != static_cast<std::ptrdiff_t>(rank))
    return std::nullopt;
  for (size_t axis = 0; axis < rank; ++axis)
    axes.vars.push_back(lower.indexVar(axisName(rank - 1 - axis)));
  axes.source = indicesOf(lower, source, axes.vars);
  axes.destination = indicesOf(lower, destination, axes.vars);
  return axes;
}

const Layout *layoutOfMove(LowerContext &lower, const BufferRegion &fragment) {
  return layoutOfMove(lower.context(), fragment, *lower.buffer(fragment.buffer).layout);
}

} // namespace tilescope
