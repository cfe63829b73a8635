#include "passes/lower/thread_nest.h"

#include "core/analysis/dependences.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

ThreadNest::ThreadNest(LowerContext &lower, const Layout &layout, llvm::ArrayRef<NestDim> dims)
    : lower_(lower), layout_(layout), dims_(dims) {
  makeLoops();
}

void ThreadNest::makeLoops() {
  for (auto [dim, digits] : llvm::enumerate(layout_.dims))
    for (const WeightedDigit &weighted : weightsOf(digits))
      if (!weighted.digit.onThread)
        loops_.push_back({dim, weighted, nullptr});
  llvm::stable_sort(loops_, [](const RegisterLoop &a, const RegisterLoop &b) {
    return a.digit.digit.stride > b.digit.digit.stride;
  });
  for (RegisterLoop &loop : loops_)
    loop.value = isLoopVar(loop.dim) ? dims_[loop.dim].var
                                     : lower_.indexVar((dims_[loop.dim].var->name + "_step").str());
}

size_t ThreadNest::loopCount(size_t dim) const {
  return llvm::count_if(loops_, [&](const RegisterLoop &loop) { return loop.dim == dim; });
}

bool ThreadNest::isLoopVar(size_t dim) const {
  return !hasThreadDigit(layout_.dims[dim]) && loopCount(dim) == 1 && dims_[dim].unit == 1;
}

const Expr *ThreadNest::threadPart(size_t dim) const {
  const Expr *sum = lower_.index(0);
  for (const WeightedDigit &weighted : weightsOf(layout_.dims[dim]))
    if (weighted.digit.onThread)
      sum = lower_.add(
          sum, lower_.scale(lower_.threadDigit(weighted.digit), weighted.weight * dims_[dim].unit));
  return sum;
}

const Expr *ThreadNest::stepPart(size_t dim) const {
  const Expr *sum = lower_.index(0);
  for (const RegisterLoop &loop : loops_)
    if (loop.dim == dim)
      sum = lower_.add(sum, lower_.scale(loop.value, loop.digit.weight * dims_[dim].unit));
  return sum;
}

// The digit of a fragment, put together from what the loops over the same coordinate say of it.
// Both divide the coordinate at the same places or finer:
//
//     fragment     |----- 8 -----|
//     loops        |- 4 -|-- 2 --|       outer * 2 + inner
const Expr *ThreadNest::digitOfLoops(size_t dim, const WeightedDigit &digit) const {
  int64_t first = digit.weight;
  int64_t last = digit.weight * digit.digit.extent;
  const Expr *value = lower_.index(0);
  for (const RegisterLoop &loop : loops_) {
    if (loop.dim != dim)
      continue;
    int64_t low = std::max(first, loop.digit.weight);
    int64_t high = std::min(last, loop.digit.weight * loop.digit.digit.extent);
    if (low >= high)
      continue;
    const Expr *part =
        lower_.binary(BinaryOp::FloorDiv, loop.value, lower_.index(low / loop.digit.weight));
    if (high < loop.digit.weight * loop.digit.digit.extent)
      part = lower_.binary(BinaryOp::FloorMod, part, lower_.index(high / low));
    value = lower_.add(value, lower_.scale(part, low / first));
  }
  return value;
}

const Expr *ThreadNest::registerOfDim(llvm::ArrayRef<Digit> digits, const Expr *index) const {
  const auto *dim = llvm::find_if(dims_, [&](const NestDim &d) { return d.var == index; });
  size_t number = dim - dims_.begin();
  bool followsLoops = dim != dims_.end() && placesAlikeOnThreads(digits, layout_.dims[number]);
  const Expr *sum = lower_.index(0);
  for (auto [position, weighted] : llvm::enumerate(weightsOf(digits))) {
    if (weighted.digit.onThread)
      continue;
    const Expr *value = nullptr;
    if (followsLoops) {
      value = digitOfLoops(number, weighted);
    } else {
      value = lower_.binary(BinaryOp::FloorDiv, index, lower_.index(weighted.weight));
      if (position > 0)
        value = lower_.binary(BinaryOp::FloorMod, value, lower_.index(weighted.digit.extent));
    }
    sum = lower_.add(sum, lower_.scale(value, weighted.digit.stride));
  }
  return sum;
}

const Expr *ThreadNest::registerOf(const Layout &fragment, ExprList indices) const {
  const Expr *sum = lower_.index(0);
  for (auto [digits, index] : llvm::zip_equal(fragment.dims, indices))
    sum = lower_.add(sum, registerOfDim(digits, index));
  return sum;
}

const Expr *ThreadNest::isFirstCopy() const {
  const Expr *condition = nullptr;
  for (const Digit &digit : layout_.replicas)
    condition = lower_.builder().logicalAnd(
        condition, lower_.binary(BinaryOp::Equal, lower_.threadDigit(digit), lower_.index(0)));
  return condition;
}

// "lane_row" and "lane_col" are the last two dimensions, as in the layouts of matrices.
static std::string laneNameOf(size_t dim, size_t count) {
  size_t fromLast = count - 1 - dim;
  return fromLast == 0   ? "lane_col"
         : fromLast == 1 ? "lane_row"
                         : "lane_axis" + std::to_string(dim);
}

const Stmt *ThreadNest::wrap(const Stmt *body) const {
  Builder &builder = lower_.builder();
  llvm::SmallVector<const Stmt *> outside;
  llvm::SmallVector<const Stmt *> inside;
  const Expr *exists = nullptr;
  Substitution replaced;
  for (auto [number, dim] : llvm::enumerate(dims_)) {
    bool isPartial = extentOf(layout_.dims[number]) * dim.unit > dim.extent;
    if (isPartial)
      exists = builder.logicalAnd(exists,
                                  lower_.binary(BinaryOp::Less, dim.var, lower_.index(dim.extent)));
    if (isLoopVar(number) || !(isPartial || usesVar(body, dim.var)))
      continue;
    bool isLaneAlone = loopCount(number) == 0;
    if (isLaneAlone && dim.isOfKernel) {
      outside.push_back(lower_.bind(dim.var, threadPart(number)));
      continue;
    }
    const Expr *lane = lower_.laneCoordinate(laneNameOf(number, dims_.size()), threadPart(number));
    if (isLaneAlone)
      replaced[dim.var] = lane;
    else
      inside.push_back(lower_.bind(dim.var, lower_.add(lane, stepPart(number))));
  }
  if (exists)
    body = lower_.context().make<If>(lower_.info(), exists, body, nullptr);
  if (!replaced.empty())
    body = rewriteStmt(lower_.context(), body, [&](const Stmt *stmt) {
      return mapExprs(lower_.context(), stmt, [&](const Expr *expr) {
        return substitute(lower_.context(), expr, replaced);
      });
    });
  inside.push_back(body);
  const Stmt *nest = lower_.seq(inside);
  for (const RegisterLoop &loop : llvm::reverse(loops_))
    nest = lower_.unrolled(llvm::cast<Var>(loop.value), loop.digit.digit.extent, nest);
  if (layout_.threadCount() < lower_.threads())
    nest = lower_.context().make<If>(
        lower_.info(),
        lower_.binary(BinaryOp::Less, lower_.threadVar(), lower_.index(layout_.threadCount())),
        nest, nullptr);
  outside.push_back(nest);
  return lower_.seq(outside);
}

} // namespace tilescope
