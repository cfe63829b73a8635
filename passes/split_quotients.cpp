#include "passes/split_quotients.h"

#include "core/analysis/vector_access.h"
#include "core/ir/build.h"

#include <numeric>

namespace tilescope {

namespace {

class QuotientSplitter {
public:
  QuotientSplitter(Context &context, const StoreLoop &loop, const BoundValues &bound)
      : context_(context), builder_(context), loop_(loop), bound_(bound) {
    first_[loop.var()] = builder_.integer(0, loop.var()->dtype());
  }

  const Expr *split(const Expr *expr) {
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (!binary || (binary->op != BinaryOp::FloorDiv && binary->op != BinaryOp::FloorMod))
      return expr;
    std::optional<int64_t> divisor = constantValue(binary->rhs);
    const Expr *value = substitute(context_, binary->lhs, loop_.inlined);
    std::optional<int64_t> stride = strideOf(value, loop_.var());
    if (!divisor || *divisor <= 0 || !stride || *stride <= 0 ||
        value->dtype() != loop_.var()->dtype())
      return expr;
    const Expr *start = substitute(context_, value, first_);
    if (*stride * (loop_.extent - 1) >= std::gcd(knownDivisor(start, bound_), *divisor))
      return expr;
    const Expr *result = builder_.binary(binary->op, start, binary->rhs);
    if (binary->op == BinaryOp::FloorDiv)
      return result;
    const Expr *step = builder_.integer(*stride, value->dtype());
    return builder_.add(result, builder_.mul(loop_.var(), step));
  }

private:
  Context &context_;
  Builder builder_;
  const StoreLoop &loop_;
  const BoundValues &bound_;
  Substitution first_;
};

} // namespace

const For *withSplitQuotients(Context &context, const For &loop, const BoundValues &bound) {
  std::optional<StoreLoop> stores = storeLoopOf(context, loop);
  if (!stores)
    return &loop;
  QuotientSplitter splitter(context, *stores, bound);
  const Stmt *body = rewriteStmt(context, loop.body, [&](const Stmt *stmt) {
    return mapExprs(context, stmt, [&](const Expr *root) {
      return rewriteExpr(context, root, [&](const Expr *expr) { return splitter.split(expr); });
    });
  });
  if (body == loop.body)
    return &loop;
  return context.make<For>(loop.info(), loop.var, loop.min, loop.extent, loop.forKind, body,
                           loop.pipeline);
}

} // namespace tilescope
