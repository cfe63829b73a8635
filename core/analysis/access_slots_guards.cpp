// The guards of pipelined loops, and what their prologues say of their lengths.
#include "core/analysis/access_slots.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// `value >= 0` is what the condition says, for a comparison of affine integers.
Affine marginOf(IrAffine &affine, const Expr *condition) {
  const auto *comparison = llvm::dyn_cast<Binary>(condition);
  if (!comparison || !isAffineType(comparison->lhs->dtype()))
    return {};
  AffineContext &math = affine.arithmetic();
  Affine left = affine.convert(comparison->lhs);
  Affine right = affine.convert(comparison->rhs);
  switch (comparison->op) {
  case BinaryOp::Less:
    return math.add(math.subtract(right, left), -1);
  case BinaryOp::LessEqual:
    return math.subtract(right, left);
  case BinaryOp::Greater:
    return math.add(math.subtract(left, right), -1);
  case BinaryOp::GreaterEqual:
    return math.subtract(left, right);
  default:
    return {};
  }
}

// The loop's own margin: trips - 1 - iteration >= 0. Their difference is the distance.
std::optional<int64_t> distanceFrom(IrAffine &affine, Affine margin, const For &loop,
                                    bool isInside) {
  AffineContext &math = affine.arithmetic();
  Affine own = math.add(affine.convert(loop.extent), -1);
  if (isInside)
    own = math.subtract(own, math.subtract(affine.convert(loop.var), affine.convert(loop.min)));
  std::optional<int64_t> distance = math.subtract(own, margin).asConstant();
  return distance && *distance >= 0 ? distance : std::nullopt;
}

} // namespace

std::optional<LoopGuard> recogniseGuard(IrAffine &affine, const Expr *condition,
                                        llvm::ArrayRef<const For *> inside,
                                        llvm::ArrayRef<const For *> ahead) {
  Affine margin = marginOf(affine, condition);
  if (!margin.isKnown() || margin.isConstant())
    return std::nullopt;
  // Where a loop may end early, its length does not say which iterations there are.
  for (const For *loop : llvm::reverse(inside))
    if (std::optional<int64_t> distance = distanceFrom(affine, margin, *loop, true);
        distance && !mayEndEarly(*loop))
      return LoopGuard{loop, *distance};
  for (const For *loop : ahead)
    if (std::optional<int64_t> distance = distanceFrom(affine, margin, *loop, false);
        distance && !mayEndEarly(*loop))
      return LoopGuard{loop, *distance};
  return std::nullopt;
}

llvm::SmallVector<const For *> loopsIn(llvm::ArrayRef<StmtList> ahead) {
  llvm::SmallVector<const For *> found;
  for (StmtList later : llvm::reverse(ahead))
    for (const Stmt *stmt : later)
      if (const auto *loop = llvm::dyn_cast<For>(stmt))
        found.push_back(loop);
  return found;
}

int64_t leastTrips(Context &context, IrAffine &affine, const For &loop) {
  int64_t tried = 1;
  if (loop.pipeline && loop.pipeline->injected) {
    tried = std::max(tried, loop.pipeline->numStages);
    for (const VersionCount &count : loop.pipeline->versions)
      tried = std::max(tried, count.versions);
  }
  int64_t trips = std::max<int64_t>(affine.bounds(loop.extent).lower.value_or(0), 0);
  Builder builder(context);
  auto isOneMore = [&] {
    const Expr *known = builder.integer(trips, loop.extent->dtype());
    return affine.prove(builder.less(known, loop.extent)) == Proof::True;
  };
  while (trips < tried && isOneMore())
    ++trips;
  return trips;
}

} // namespace tilescope
