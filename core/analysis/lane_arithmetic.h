// Integer expressions evaluated for many threads (or iterations) at once.
//
//     tx                  0 1 2 3 ... 127
//     tx // 4 + 8         8 8 8 8 ... 39
//     k                   unknown, if nobody bound it
#pragma once

#include "core/ir/expr.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tilescope {

// One value a lane, or a single one that all lanes share; empty: unknown.
using Lanes = std::vector<int64_t>;

inline int64_t laneOf(const Lanes &lanes, size_t lane) {
  return lanes.size() == 1 ? lanes[0] : lanes[lane];
}

class LaneArithmetic {
public:
  void bind(const Var *var, Lanes value) { variables_[var] = std::move(value); }
  void unbind(const Var *var) { variables_.erase(var); }

  // For code that other lanes run: what lanes do not share is not known in there. Returns all that
  // was bound, for `restore`.
  using Variables = llvm::DenseMap<const Var *, Lanes>;
  Variables hideLanes();
  void restore(Variables variables) { variables_ = std::move(variables); }

  // Unknown for what is not integer arithmetic over constants and bound variables, and once the
  // work is spent.
  Lanes evaluate(const Expr *expr);
  Lanes combine(BinaryOp op, const Lanes &a, const Lanes &b);

  // A step is about a nanosecond.
  void spend(int64_t steps) { steps_ += steps; }
  bool isSpent() const { return steps_ > 1 << 22; }

private:
  Lanes evaluateSelect(const Select &select);

  Variables variables_;
  int64_t steps_ = 0;
};

} // namespace tilescope
