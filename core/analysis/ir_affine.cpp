// Conversion to affine form, and proofs. Declarations, ranges and facts: ir_affine_scope.cpp; back
// to IR: ir_affine_emit.cpp.
#include "core/analysis/ir_affine.h"

#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/Support/MathExtras.h"

namespace tilescope {

namespace {

// Variables have the low symbol ids.
constexpr uint32_t FirstOpaque = 1U << 31;

} // namespace

bool isAffineType(DType dtype) {
  return dtype.kind == DTypeKind::Int && (dtype.bits == 32 || dtype.bits == 64);
}

Affine IrAffine::symbolOf(const Expr *expr) {
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    bool isFirst = symbolExprs_.try_emplace(var->id.value, var).second;
    // Most bound values are never asked for.
    if (const Expr *value = isFirst ? bindValues_.lookup(var->id.value) : nullptr)
      setBoundRange(var, value);
    return arithmetic_.symbol(SymbolId(var->id.value));
  }
  llvm::SmallVector<SymbolId, 1> &alike = opaqueByHash_[hashOfExpr(expr)];
  for (SymbolId symbol : alike)
    if (isSameExpr(exprOf(symbol), expr))
      return arithmetic_.symbol(symbol);
  SymbolId symbol(FirstOpaque + opaqueCount_++);
  alike.push_back(symbol);
  symbolExprs_[symbol.value] = expr;
  return arithmetic_.symbol(symbol);
}

Affine IrAffine::opaque(const Expr *expr) {
  uint32_t known = opaqueCount_;
  Affine symbol = symbolOf(expr);
  if (opaqueCount_ != known) {
    AffineBounds found = opaqueBounds(expr);
    Affine lower = found.lower ? arithmetic_.constant(*found.lower) : Affine();
    Affine upper = found.upper ? arithmetic_.add(arithmetic_.constant(*found.upper), 1) : Affine();
    ranges_.set(symbol.asAtom()->symbol, lower, upper);
  }
  return symbol;
}

AffineBounds IrAffine::typeBounds(DType dtype) const {
  if (dtype.isBool())
    return {0, 1};
  if (!dtype.isInteger() || dtype.bits > 32)
    return {dtype.isUnsigned() ? std::optional<int64_t>(0) : std::nullopt, std::nullopt};
  int64_t values = int64_t{1} << dtype.bits;
  return dtype.isUnsigned() ? AffineBounds{0, values - 1}
                            : AffineBounds{-values / 2, values / 2 - 1};
}

// Of bit operations on values that are not negative; of casts the bounds of the operand's type.
AffineBounds IrAffine::opaqueBounds(const Expr *expr) {
  if (const auto *cast = llvm::dyn_cast<Cast>(expr);
      cast && (cast->operand->dtype().isInteger() || cast->operand->dtype().isBool()) &&
      cast->operand->dtype().bits < cast->dtype().bits)
    return typeBounds(cast->operand->dtype());
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  bool isBits = binary && (binary->op == BinaryOp::BitAnd || binary->op == BinaryOp::BitOr ||
                           binary->op == BinaryOp::BitXor);
  if (!isBits || !isAffineType(expr->dtype()))
    return typeBounds(expr->dtype());
  AffineBounds lhs = lastingBounds(binary->lhs);
  AffineBounds rhs = lastingBounds(binary->rhs);
  if (!lhs.upper || !rhs.upper || lhs.lower.value_or(-1) < 0 || rhs.lower.value_or(-1) < 0)
    return typeBounds(expr->dtype());
  if (binary->op == BinaryOp::BitAnd)
    return {0, std::min(*lhs.upper, *rhs.upper)};
  uint64_t larger = uint64_t(std::max(*lhs.upper, *rhs.upper));
  return {0, int64_t(llvm::NextPowerOf2(larger) - 1)};
}

Affine IrAffine::convert(const Expr *expr) {
  auto found = converted_.find(expr);
  if (found != converted_.end())
    return found->second;
  Affine value = isAffineType(expr->dtype()) ? convertUncached(expr) : Affine();
  if (!value.isKnown())
    value = opaque(expr);
  converted_[expr] = value;
  return value;
}

Affine IrAffine::convertUncached(const Expr *expr) {
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
    return arithmetic_.constant(imm->value);
  if (llvm::isa<Var>(expr))
    return symbolOf(expr);
  if (const auto *binary = llvm::dyn_cast<Binary>(expr))
    return convertBinary(*binary);
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    return convertCast(*cast);
  if (const auto *unary = llvm::dyn_cast<Unary>(expr); unary && unary->op == UnaryOp::Negate)
    return arithmetic_.scale(convert(unary->operand), -1);
  if (const auto *select = llvm::dyn_cast<Select>(expr))
    if (std::optional<Comparison> comparison = convertComparison(select->condition)) {
      Affine whenTrue = convert(select->whenTrue);
      Affine whenFalse = convert(select->whenFalse);
      if (comparison->isNegated)
        std::swap(whenTrue, whenFalse);
      return arithmetic_.select(comparison->condition, whenTrue, whenFalse);
    }
  return {};
}

Affine IrAffine::convertBinary(const Binary &binary) {
  Affine lhs = convert(binary.lhs);
  Affine rhs = convert(binary.rhs);
  switch (binary.op) {
  case BinaryOp::Add:
    return arithmetic_.add(lhs, rhs);
  case BinaryOp::Sub:
    return arithmetic_.subtract(lhs, rhs);
  case BinaryOp::Mul:
    return arithmetic_.multiply(lhs, rhs);
  case BinaryOp::FloorDiv:
    return arithmetic_.floorDiv(lhs, rhs);
  case BinaryOp::FloorMod:
    return arithmetic_.mod(lhs, rhs);
  case BinaryOp::Min:
    return arithmetic_.min(lhs, rhs);
  case BinaryOp::Max:
    return arithmetic_.max(lhs, rhs);
  default:
    return convertBits(binary);
  }
}

// x >> 3 is x // 8 and x & 7 is x % 8, in two's complement for negative x too. x << 3 is x * 8 only
// where no bit gets lost: unlike a product, which is taken not to overflow, a shift drops bits, and
// (x << 28) >> 28 is how four bits become a signed number.
Affine IrAffine::convertBits(const Binary &binary) {
  std::optional<int64_t> rhs = convert(binary.rhs).asConstant();
  if (!rhs || *rhs < 0)
    return {};
  Affine lhs = convert(binary.lhs);
  bool isShift = binary.op == BinaryOp::ShiftLeft || binary.op == BinaryOp::ShiftRight;
  if (isShift && *rhs == 0)
    return lhs;
  if (isShift && *rhs < binary.dtype().bits - 1) {
    int64_t power = int64_t{1} << *rhs;
    if (binary.op == BinaryOp::ShiftRight)
      return arithmetic_.floorDiv(lhs, arithmetic_.constant(power));
    int64_t most = (int64_t{1} << (binary.dtype().bits - 1 - *rhs)) - 1;
    bool keepsBits = lastingBounds(binary.lhs).within(-most - 1, most);
    return keepsBits ? arithmetic_.scale(lhs, power) : Affine();
  }
  if (binary.op == BinaryOp::BitAnd && *rhs < INT64_MAX && llvm::isPowerOf2_64(*rhs + 1))
    return arithmetic_.mod(lhs, arithmetic_.constant(*rhs + 1));
  // The last bit turned.
  if (binary.op == BinaryOp::BitXor && *rhs == 1 && lastingBounds(binary.lhs).within(0, 1))
    return arithmetic_.subtract(arithmetic_.constant(1), lhs);
  return {};
}

Affine IrAffine::convertCast(const Cast &cast) {
  if (!isAffineType(cast.operand->dtype()))
    return {};
  if (cast.dtype().bits >= cast.operand->dtype().bits)
    return convert(cast.operand);
  AffineBounds fits = typeBounds(cast.dtype());
  return lastingBounds(cast.operand).within(*fits.lower, *fits.upper) ? convert(cast.operand)
                                                                      : Affine();
}

std::optional<IrAffine::Comparison> IrAffine::convertComparison(const Expr *expr) {
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (!binary || !isPredicate(binary->op) || !isAffineType(binary->lhs->dtype()))
    return std::nullopt;
  Affine difference = arithmetic_.subtract(convert(binary->rhs), convert(binary->lhs));
  Affine negated = arithmetic_.scale(difference, -1);
  using enum AffineRelation;
  switch (binary->op) {
  case BinaryOp::Less:
    return Comparison{{NonNegative, arithmetic_.add(difference, -1)}};
  case BinaryOp::LessEqual:
    return Comparison{{NonNegative, difference}};
  case BinaryOp::Greater:
    return Comparison{{NonNegative, arithmetic_.add(negated, -1)}};
  case BinaryOp::GreaterEqual:
    return Comparison{{NonNegative, negated}};
  case BinaryOp::Equal:
    return Comparison{{Zero, difference}};
  case BinaryOp::NotEqual:
    return Comparison{{Zero, difference}, true};
  default:
    return std::nullopt;
  }
}

AffineBounds IrAffine::bounds(const Expr *expr) {
  Affine value = convert(expr);
  return arithmetic_.bounds(arithmetic_.simplify(value, ranges_), ranges_);
}

// What is converted is kept, so it may not rest on facts that hold only where it was first met.
AffineBounds IrAffine::lastingBounds(const Expr *expr) {
  std::vector<Affine> facts = ranges_.takeFacts();
  AffineBounds found = bounds(expr);
  ranges_.restoreFacts(std::move(facts));
  return found;
}

namespace {

Proof negate(Proof proof) {
  if (proof == Proof::Unknown)
    return proof;
  return proof == Proof::True ? Proof::False : Proof::True;
}

} // namespace

Proof IrAffine::proveLogical(const Binary &binary) {
  Proof lhs = prove(binary.lhs);
  Proof rhs = prove(binary.rhs);
  Proof decisive = binary.op == BinaryOp::And ? Proof::False : Proof::True;
  if (lhs == decisive || rhs == decisive)
    return decisive;
  return lhs == Proof::Unknown ? lhs : rhs;
}

Proof IrAffine::prove(const Expr *condition) {
  if (const auto *imm = llvm::dyn_cast<IntImm>(condition))
    return imm->value ? Proof::True : Proof::False;
  if (const auto *unary = llvm::dyn_cast<Unary>(condition); unary && unary->op == UnaryOp::Not)
    return negate(prove(unary->operand));
  const auto *binary = llvm::dyn_cast<Binary>(condition);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))
    return proveLogical(*binary);
  std::optional<Comparison> comparison = convertComparison(condition);
  if (!comparison)
    return Proof::Unknown;
  AffineCondition simplified = comparison->condition;
  simplified.value = arithmetic_.simplify(simplified.value, ranges_);
  Proof proof = arithmetic_.prove(simplified, ranges_);
  return comparison->isNegated ? negate(proof) : proof;
}

} // namespace tilescope
