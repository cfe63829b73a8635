// What an index can be, from the constant extents of loops and launches.
#pragma once

#include "core/ir/visit.h"

namespace tilescope {

class ViewIndexBounds {
public:
  using Bounds = std::optional<std::pair<int64_t, int64_t>>; // least and greatest value

  explicit ViewIndexBounds(const Stmt *body);

  Bounds of(const Expr *expr) const;
  // Whether all of [min, min + extent) lies in [0, size).
  bool isInside(const Range &range, const Expr *size) const;
  // A variable over [min, min + extent); `min` null: from 0.
  void learn(const Var *var, const Expr *min, const Expr *extent);

private:
  llvm::DenseMap<const Var *, std::pair<int64_t, int64_t>> bounds_;
};

} // namespace tilescope
