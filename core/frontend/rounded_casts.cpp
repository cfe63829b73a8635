#include "core/frontend/rounded_casts.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

std::optional<CastRounding> castRoundingOf(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<CastRounding>>(word)
      .Case("rn", CastRounding::Nearest)
      .Case("rz", CastRounding::TowardsZero)
      .Case("rp", CastRounding::Upwards)
      .Case("rm", CastRounding::Downwards)
      .Default(std::nullopt);
}

// What C rounds towards zero is a whole number before.
static const Expr *wholeNumber(Builder &ir, const Expr *x, CastRounding rounding) {
  switch (rounding) {
  case CastRounding::Nearest:
    return ir.math(MathFn::RoundEven, x);
  case CastRounding::Upwards:
    return ir.math(MathFn::Ceil, x);
  case CastRounding::Downwards:
    return ir.math(MathFn::Floor, x);
  case CastRounding::TowardsZero:
    break;
  }
  return x;
}

// The nearest number, or its neighbour where that is too far: bits of numbers of one sign are
// ordered as the numbers are, so the neighbour away from zero is one more, the other one less.
//
//        0   near            x        away
//     ---+---|---------------.---------|--->     too near to zero for "rp"
static const Expr *neighbour(Builder &ir, DType dtype, const Expr *x, CastRounding rounding) {
  const Expr *nearest = ir.cast(dtype, x), *back = ir.cast(x->dtype(), nearest);
  DType number{DTypeKind::UInt, dtype.bits};
  const Expr *bits = ir.cast(DType::uint32(), ir.reinterpret(number, nearest));
  const Expr *one = ir.integer(1, DType::uint32());
  auto stepped = [&](BinaryOp op) {
    return ir.reinterpret(dtype, ir.cast(number, ir.binary(op, bits, one)));
  };
  const Expr *away = stepped(BinaryOp::Add), *towards = stepped(BinaryOp::Sub);
  const Expr *sign =
      ir.binary(BinaryOp::ShiftRight, bits, ir.integer(dtype.bits - 1, DType::uint32()));
  const Expr *isNegative = ir.binary(BinaryOp::NotEqual, sign, ir.integer(0, DType::uint32()));
  if (rounding == CastRounding::TowardsZero)
    return ir.select(ir.less(ir.math(MathFn::Abs, x), ir.math(MathFn::Abs, back)), towards,
                     nearest);
  if (rounding == CastRounding::Upwards)
    return ir.select(ir.less(back, x), ir.select(isNegative, towards, away), nearest);
  return ir.select(ir.less(x, back), ir.select(isNegative, away, towards), nearest);
}

const Expr *castRounded(Evaluation &evaluation, DType dtype, const Expr *x, CastRounding rounding,
                        Span span) {
  Builder &ir = evaluation.ir;
  DType from = x->dtype();
  bool isReal = from.isFloat() && from.bits >= 16;
  bool isExact = isReal && dtype.isFloat() && dtype.bits > from.bits;
  if (from == dtype || isExact || (rounding == CastRounding::Nearest && isReal && dtype.isFloat()))
    return ir.cast(dtype, x);
  bool isWhole = dtype.isInteger();
  bool isShorter = dtype.isFloat() && dtype.bits >= 16 && from.bits >= 32 && dtype.bits < from.bits;
  if (!isReal || (!isWhole && !isShorter)) {
    evaluation.fail(DiagId::NotSupportedYet, span,
                    "'round' of T.cast from " + from.name() + " to " + dtype.name());
    return nullptr;
  }
  // Several parts ask for it.
  if (evaluation.kernel && !llvm::isa<Var, FloatImm>(x))
    x = evaluation.kernel->bind("unrounded", x, span);
  return isWhole ? ir.cast(dtype, wholeNumber(ir, x, rounding)) : neighbour(ir, dtype, x, rounding);
}

} // namespace tilescope::frontend
