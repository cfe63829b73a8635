#include "core/codegen/narrow_parts.h"

#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

struct Kept {
  const Expr *expr;
  Interval values;
};

class KeptIntegers {
public:
  explicit KeptIntegers(const IndexBounds &bounds) : bounds_(bounds) {}

  void add(const Expr *condition) {
    const auto *binary = llvm::dyn_cast_or_null<Binary>(condition);
    if (!binary)
      return;
    if (binary->op == BinaryOp::And) {
      add(binary->lhs);
      add(binary->rhs);
    }
    if (!binary->lhs->dtype().isInteger())
      return;
    if (llvm::is_contained({BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Equal}, binary->op))
      addOrdered(binary->lhs, binary->rhs);
    if (llvm::is_contained({BinaryOp::Greater, BinaryOp::GreaterEqual, BinaryOp::Equal},
                           binary->op))
      addOrdered(binary->rhs, binary->lhs);
  }

  // A choice, as of an index by its sign, is left whole: cutting it was seen to cost registers.
  llvm::SmallVector<const Expr *> narrow() const {
    llvm::SmallVector<const Expr *> parts;
    for (const Kept &kept : kept_)
      if (kept.values.fitsInt32() && !bounds_.of(kept.expr).fitsInt32() &&
          !llvm::isa<Select>(kept.expr))
        parts.push_back(kept.expr);
    return parts;
  }

private:
  void addOrdered(const Expr *small, const Expr *large) {
    Interval below = bounds_.of(small);
    Interval above = bounds_.of(large);
    keep(small, {INT64_MIN, above.high});
    keep(large, {below.low, INT64_MAX});
  }

  void keep(const Expr *expr, Interval interval) {
    auto same = llvm::find_if(kept_, [&](const Kept &kept) { return isSameExpr(kept.expr, expr); });
    if (same == kept_.end())
      same = kept_.insert(kept_.end(), {expr, bounds_.of(expr)});
    same->values = {std::max(same->values.low, interval.low),
                    std::min(same->values.high, interval.high)};
  }

  const IndexBounds &bounds_;
  llvm::SmallVector<Kept> kept_;
};

} // namespace

llvm::SmallVector<const Expr *> narrowParts(const Expr *condition, const IndexBounds &bounds) {
  KeptIntegers kept(bounds);
  kept.add(condition);
  return kept.narrow();
}

} // namespace tilescope
