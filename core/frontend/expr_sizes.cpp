#include "core/frontend/expr_sizes.h"

#include "core/frontend/limits.h"
#include "core/ir/visit.h"

namespace tilescope::frontend {

ExprSizes::Size ExprSizes::sizeOf(const Expr *expr) {
  auto found = measured_.find(expr);
  if (found != measured_.end())
    return found->second;
  Size size{0, 1};
  forEachChild(expr, [&](const Expr *child) {
    Size inner = sizeOf(child);
    size.depth = std::max(size.depth, inner.depth);
    size.nodes = std::min(size.nodes + inner.nodes, 2 * MaxIrExprNodes);
  });
  ++size.depth;
  measured_[expr] = size;
  return size;
}

} // namespace tilescope::frontend
