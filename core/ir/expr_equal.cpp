#include "core/ir/expr_equal.h"

#include "core/ir/visit.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

namespace tilescope {

namespace {

// What distinguishes a node, less its children.
uint64_t hashOfNode(const Expr *expr) {
  uint64_t hash = llvm::hash_combine(unsigned(expr->kind()), unsigned(expr->dtype().kind),
                                     unsigned(expr->dtype().bits));
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
    return llvm::hash_combine(hash, imm->value);
  if (const auto *var = llvm::dyn_cast<Var>(expr))
    return llvm::hash_combine(hash, var->id.value);
  if (const auto *unary = llvm::dyn_cast<Unary>(expr))
    return llvm::hash_combine(hash, unsigned(unary->op));
  if (const auto *binary = llvm::dyn_cast<Binary>(expr))
    return llvm::hash_combine(hash, unsigned(binary->op));
  if (const auto *load = llvm::dyn_cast<Load>(expr))
    return llvm::hash_combine(hash, load->buffer.value);
  if (const auto *math = llvm::dyn_cast<Math>(expr))
    return llvm::hash_combine(hash, unsigned(math->fn));
  return hash;
}

} // namespace

uint64_t hashOfExpr(const Expr *expr) {
  uint64_t hash = hashOfNode(expr);
  forEachChild(expr,
               [&](const Expr *child) { hash = llvm::hash_combine(hash, hashOfExpr(child)); });
  return hash;
}

namespace {

bool isSameFloat(double a, double b) {
  return llvm::bit_cast<uint64_t>(a) == llvm::bit_cast<uint64_t>(b) || (a != a && b != b);
}

// Nodes alike, not counting their children.
bool isSameNode(const Expr *a, const Expr *b) {
  if (a->kind() != b->kind() || a->dtype() != b->dtype())
    return false;
  switch (a->kind()) {
  case ExprKind::IntImm:
    return llvm::cast<IntImm>(a)->value == llvm::cast<IntImm>(b)->value;
  case ExprKind::FloatImm:
    return isSameFloat(llvm::cast<FloatImm>(a)->value, llvm::cast<FloatImm>(b)->value);
  case ExprKind::Var:
    return llvm::cast<Var>(a)->id == llvm::cast<Var>(b)->id;
  case ExprKind::Unary:
    return llvm::cast<Unary>(a)->op == llvm::cast<Unary>(b)->op;
  case ExprKind::Binary:
    return llvm::cast<Binary>(a)->op == llvm::cast<Binary>(b)->op;
  case ExprKind::Load:
    return llvm::cast<Load>(a)->buffer == llvm::cast<Load>(b)->buffer &&
           !llvm::cast<Load>(a)->slot == !llvm::cast<Load>(b)->slot;
  case ExprKind::Math:
    return llvm::cast<Math>(a)->fn == llvm::cast<Math>(b)->fn;
  case ExprKind::Cast:
  case ExprKind::Select:
    return true;
  }
  return false;
}

llvm::SmallVector<const Expr *, 4> childrenOf(const Expr *expr) {
  llvm::SmallVector<const Expr *, 4> children;
  forEachChild(expr, [&](const Expr *child) { children.push_back(child); });
  return children;
}

} // namespace

bool isSameExpr(const Expr *a, const Expr *b) {
  if (a == b)
    return true;
  if (!a || !b || !isSameNode(a, b))
    return false;
  auto left = childrenOf(a);
  auto right = childrenOf(b);
  return left.size() == right.size() && llvm::all_of(llvm::zip(left, right), [](auto pair) {
           return isSameExpr(std::get<0>(pair), std::get<1>(pair));
         });
}

} // namespace tilescope
