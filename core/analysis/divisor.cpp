#include "core/analysis/divisor.h"

#include "core/ir/visit.h"

#include <numeric>

namespace tilescope {

namespace {

int64_t divisorOfQuotient(int64_t dividend, const Expr *divisor) {
  const auto *constant = llvm::dyn_cast<IntImm>(divisor);
  if (!constant || constant->value <= 0 || dividend % constant->value != 0)
    return 1;
  return dividend / constant->value;
}

int64_t divisorOfProduct(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::max(a, b) : product;
}

int64_t divisorOfBinary(const Binary &binary, const BoundValues &bound) {
  int64_t lhs = knownDivisor(binary.lhs, bound);
  int64_t rhs = knownDivisor(binary.rhs, bound);
  switch (binary.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::FloorMod:
    return std::gcd(lhs, rhs);
  case BinaryOp::Mul:
    return divisorOfProduct(lhs, rhs);
  case BinaryOp::FloorDiv:
    return divisorOfQuotient(lhs, binary.rhs);
  case BinaryOp::ShiftLeft: {
    const auto *bits = llvm::dyn_cast<IntImm>(binary.rhs);
    bool isKnown = bits && bits->value >= 0 && bits->value < 32;
    return isKnown ? divisorOfProduct(lhs, int64_t{1} << bits->value) : lhs;
  }
  default:
    return 1;
  }
}

} // namespace

BoundValues boundValuesOf(const Function &function) {
  BoundValues bound;
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      bound[bind->var] = bind->value;
    return true;
  });
  return bound;
}

int64_t knownDivisor(const Expr *expr, const BoundValues &bound) {
  if (const auto *constant = llvm::dyn_cast<IntImm>(expr))
    return std::abs(constant->value);
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    const Expr *value = bound.lookup(var);
    return value ? knownDivisor(value, bound) : 1;
  }
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    return cast->dtype().isInteger() && cast->operand->dtype().isInteger()
               ? knownDivisor(cast->operand, bound)
               : 1;
  if (const auto *select = llvm::dyn_cast<Select>(expr))
    return std::gcd(knownDivisor(select->whenTrue, bound), knownDivisor(select->whenFalse, bound));
  if (const auto *binary = llvm::dyn_cast<Binary>(expr))
    return divisorOfBinary(*binary, bound);
  return 1;
}

} // namespace tilescope
