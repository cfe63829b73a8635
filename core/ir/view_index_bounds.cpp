#include "core/ir/view_index_bounds.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

using Bounds = ViewIndexBounds::Bounds;

static constexpr int64_t Most = int64_t{1} << 31; // products of two fit 64 bits

static Bounds ofBinary(BinaryOp op, std::pair<int64_t, int64_t> a, std::pair<int64_t, int64_t> b) {
  for (int64_t bound : {a.first, a.second, b.first, b.second})
    if (bound <= -Most || bound >= Most)
      return std::nullopt;
  bool isCount = b.first == b.second && b.first > 0 && a.first >= 0;
  switch (op) {
  case BinaryOp::Add:
    return {{a.first + b.first, a.second + b.second}};
  case BinaryOp::Sub:
    return {{a.first - b.second, a.second - b.first}};
  case BinaryOp::Mul:
    if (a.first < 0 || b.first < 0)
      return std::nullopt;
    return {{a.first * b.first, a.second * b.second}};
  case BinaryOp::FloorDiv:
    return isCount ? Bounds({a.first / b.first, a.second / b.first}) : std::nullopt;
  case BinaryOp::FloorMod:
    return isCount ? Bounds({0, std::min(a.second, b.first - 1)}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

ViewIndexBounds::ViewIndexBounds(const Stmt *body) {
  walk(body, [&](const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      learn(loop->var, loop->min, loop->extent);
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      for (auto [var, extent] : llvm::zip_equal(parallel->vars, parallel->extents))
        learn(var, nullptr, extent);
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
      for (auto [var, extent] : llvm::zip_equal(launch->blockVars, launch->gridExtents))
        learn(var, nullptr, extent);
      bounds_[launch->threadVar] = {0, launch->threads - 1};
    }
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      if (Bounds value = of(bind->value))
        bounds_[bind->var] = *value;
    return true;
  });
}

Bounds ViewIndexBounds::of(const Expr *expr) const {
  if (std::optional<int64_t> value = constantValue(expr))
    return std::pair(*value, *value);
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    auto found = bounds_.find(var);
    return found == bounds_.end() ? Bounds() : found->second;
  }
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  Bounds a = binary ? of(binary->lhs) : Bounds(), b = binary ? of(binary->rhs) : Bounds();
  return a && b ? ofBinary(binary->op, *a, *b)
         : b && b->first == b->second && b->first > 0 && binary->op == BinaryOp::FloorMod
             ? Bounds({0, b->first - 1})
             : std::nullopt;
}

bool ViewIndexBounds::isInside(const Range &range, const Expr *size) const {
  Bounds first = of(range.min), count = of(range.extent), room = of(size);
  return first && count && room && first->first >= 0 &&
         first->second + count->second <= room->first;
}

void ViewIndexBounds::learn(const Var *var, const Expr *min, const Expr *extent) {
  Bounds first = min ? of(min) : Bounds({0, 0}), count = of(extent);
  // Of what never runs, the first.
  if (first && count && count->second < Most)
    bounds_[var] = {first->first, first->second + std::max<int64_t>(count->second, 1) - 1};
}

} // namespace tilescope
