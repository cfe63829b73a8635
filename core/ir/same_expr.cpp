#include "core/ir/same_expr.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool sameList(ExprList a, ExprList b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return sameExpr(std::get<0>(pair), std::get<1>(pair));
         });
}

// Of one kind and one type; compares what the kind adds.
template <typename Node> bool sameNode(const Node *a, const Node *b);

template <> bool sameNode(const IntImm *a, const IntImm *b) { return a->value == b->value; }
template <> bool sameNode(const FloatImm *a, const FloatImm *b) { return a->value == b->value; }
template <> bool sameNode(const Var *a, const Var *b) { return a == b; }
template <> bool sameNode(const Unary *a, const Unary *b) {
  return a->op == b->op && sameExpr(a->operand, b->operand);
}
template <> bool sameNode(const Binary *a, const Binary *b) {
  return a->op == b->op && sameExpr(a->lhs, b->lhs) && sameExpr(a->rhs, b->rhs);
}
template <> bool sameNode(const Cast *a, const Cast *b) { return sameExpr(a->operand, b->operand); }
template <> bool sameNode(const Select *a, const Select *b) {
  return sameExpr(a->condition, b->condition) && sameExpr(a->whenTrue, b->whenTrue) &&
         sameExpr(a->whenFalse, b->whenFalse);
}
template <> bool sameNode(const Load *a, const Load *b) {
  return a->buffer == b->buffer && sameExpr(a->slot, b->slot) && sameList(a->indices, b->indices);
}
template <> bool sameNode(const Math *a, const Math *b) {
  return a->fn == b->fn && sameList(a->args, b->args);
}

template <typename Node> bool sameAs(const Expr *a, const Expr *b) {
  return sameNode(llvm::cast<Node>(a), llvm::cast<Node>(b));
}

} // namespace

bool sameExpr(const Expr *a, const Expr *b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind() != b->kind() || a->dtype() != b->dtype())
    return false;
  switch (a->kind()) {
  case ExprKind::IntImm:
    return sameAs<IntImm>(a, b);
  case ExprKind::FloatImm:
    return sameAs<FloatImm>(a, b);
  case ExprKind::Var:
    return sameAs<Var>(a, b);
  case ExprKind::Unary:
    return sameAs<Unary>(a, b);
  case ExprKind::Binary:
    return sameAs<Binary>(a, b);
  case ExprKind::Cast:
    return sameAs<Cast>(a, b);
  case ExprKind::Select:
    return sameAs<Select>(a, b);
  case ExprKind::Load:
    return sameAs<Load>(a, b);
  case ExprKind::Math:
    return sameAs<Math>(a, b);
  }
  return false;
}

} // namespace tilescope
