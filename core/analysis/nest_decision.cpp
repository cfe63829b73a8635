#include "core/analysis/nest_decision.h"

#include "core/analysis/simplify_expr.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// How a value changes where a variable grows.
enum class Trend : uint8_t { Same, Grows, Shrinks, Unknown };

Trend reversedTrend(Trend trend) {
  if (trend == Trend::Grows)
    return Trend::Shrinks;
  return trend == Trend::Shrinks ? Trend::Grows : trend;
}

// Of a sum, a minimum or a maximum of both.
Trend trendOfBoth(Trend a, Trend b) {
  if (a == b || b == Trend::Same)
    return a;
  return a == Trend::Same ? b : Trend::Unknown;
}

Trend trendOf(const IrAffine &affine, Affine value, const Var *var);

Trend trendOf(const IrAffine &affine, const AffineAtom &atom, const Var *var) {
  auto dependsOnVar = [&](Affine operand) { return affine.dependsOn(operand, var); };
  switch (atom.kind) {
  case AffineKind::Symbol: {
    const Expr *expr = affine.exprOf(atom.symbol);
    if (expr == var)
      return Trend::Grows;
    return affine.dependsOn(expr, var) ? Trend::Unknown : Trend::Same;
  }
  case AffineKind::FloorDiv:
    if (atom.operands[1].asConstant().value_or(0) > 0)
      return trendOf(affine, atom.operands[0], var);
    break;
  case AffineKind::Min:
  case AffineKind::Max: {
    Trend trend = Trend::Same;
    for (Affine operand : atom.operands)
      trend = trendOfBoth(trend, trendOf(affine, operand, var));
    return trend;
  }
  case AffineKind::Product:
  case AffineKind::Mod:
  case AffineKind::Select:
    break;
  }
  return llvm::any_of(atom.operands, dependsOnVar) ? Trend::Unknown : Trend::Same;
}

Trend trendOf(const IrAffine &affine, Affine value, const Var *var) {
  if (!value.isKnown())
    return Trend::Unknown;
  Trend trend = Trend::Same;
  for (const AffineTerm &term : value.sum->terms) {
    Trend ofAtom = trendOf(affine, *term.atom, var);
    trend = trendOfBoth(trend, term.coefficient > 0 ? ofAtom : reversedTrend(ofAtom));
  }
  return trend;
}

} // namespace

NestDecision::NestDecision(IrAffine &affine, const Parallel &nest)
    : affine_(affine), builder_(affine.context()), nest_(nest) {
  walk(nest.body, [&](const Stmt *stmt) {
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      inlined_[bind->var] = substitute(affine.context(), bind->value, inlined_);
    return true;
  });
}

bool NestDecision::variesInNest(const Expr *expr) const {
  return llvm::any_of(nest_.vars, [&](const Var *var) { return affine_.dependsOn(expr, var); });
}

const Expr *NestDecision::everywhere(const Expr *condition, bool value) {
  if (const auto *unary = llvm::dyn_cast<Unary>(condition); unary && unary->op == UnaryOp::Not)
    return everywhere(unary->operand, !value);
  const auto *binary = llvm::dyn_cast<Binary>(condition);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))
    return anyOrBoth(*binary, value);
  return atWorst(substitute(affine_.context(), condition, inlined_), value);
}

// Both sides must be true for `and` to be, and false for `or` to be; else one is enough. The right
// side may need the left one to be evaluated at all, so it is not taken alone.
const Expr *NestDecision::anyOrBoth(const Binary &binary, bool value) {
  const Expr *lhs = everywhere(binary.lhs, value);
  const Expr *rhs = everywhere(binary.rhs, value);
  bool takesBoth = (binary.op == BinaryOp::And) == value;
  if (lhs && rhs)
    return simplifyExpr(affine_,
                        builder_.binary(takesBoth ? BinaryOp::And : BinaryOp::Or, lhs, rhs));
  return takesBoth ? nullptr : lhs;
}

const Expr *NestDecision::atWorst(const Expr *comparison, bool value) {
  auto as = [&](const Expr *condition) {
    return simplifyExpr(affine_, value ? condition : builder_.unary(UnaryOp::Not, condition));
  };
  if (!variesInNest(comparison))
    return as(comparison);
  std::optional<IrAffine::Comparison> affine = affine_.convertComparison(comparison);
  if (!affine || affine->condition.relation != AffineRelation::NonNegative)
    return nullptr;
  Substitution corner;
  for (auto [var, extent] : llvm::zip_equal(nest_.vars, nest_.extents)) {
    Trend trend = trendOf(affine_, affine->condition.value, var);
    if (trend == Trend::Unknown)
      return nullptr;
    bool failsAtFirst = (trend == Trend::Grows) == value;
    int64_t last = *constantValue(extent) - 1;
    corner[var] = builder_.integer(failsAtFirst ? 0 : last, var->dtype());
  }
  return as(substitute(affine_.context(), comparison, corner));
}

} // namespace tilescope
