#include "core/analysis/simplify_expr.h"

#include "core/analysis/fold_expr.h"
#include "core/ir/visit.h"

namespace tilescope {

namespace {

// What a reader has to take in: operators, names and constants.
unsigned lengthOf(const Expr *expr) {
  unsigned length = 1;
  forEachChild(expr, [&](const Expr *child) { length += lengthOf(child); });
  return length;
}

class Simplifier {
public:
  explicit Simplifier(IrAffine &affine) : affine_(affine), builder_(affine.context()) {}

  const Expr *simplify(const Expr *expr) {
    if (llvm::isa<IntImm, FloatImm, Var>(expr))
      return expr;
    const Expr *inside =
        mapOperandsWithFacts(affine_, expr, [&](const Expr *operand) { return simplify(operand); });
    if (isAffineType(inside->dtype()))
      return foldExpr(builder_, shorten(inside));
    if (inside->dtype().isBool())
      if (Proof proof = affine_.prove(inside); proof != Proof::Unknown)
        return builder_.boolean(proof == Proof::True);
    return foldExpr(builder_, inside);
  }

private:
  const Expr *shorten(const Expr *expr) {
    Affine value = affine_.arithmetic().simplify(affine_.convert(expr), affine_.ranges());
    const Expr *candidate = affine_.emit(value, expr->dtype(), expr);
    return candidate && isPlainer(candidate, expr) ? candidate : expr;
  }

  // Shorter; or as long, but with a remainder of fewer terms: what is added to it is seen to step
  // along a row.
  static bool isPlainer(const Expr *candidate, const Expr *expr) {
    unsigned length = lengthOf(expr);
    return lengthOf(candidate) < length ||
           (lengthOf(candidate) == length && isRemainder(expr) && !isRemainder(candidate));
  }

  static bool isRemainder(const Expr *expr) {
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    return binary && binary->op == BinaryOp::FloorMod;
  }

  IrAffine &affine_;
  Builder builder_;
};

} // namespace

const Expr *simplifyExpr(IrAffine &affine, const Expr *expr) {
  return Simplifier(affine).simplify(expr);
}

} // namespace tilescope
