#include "core/ir/view_bits.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

static DType unsignedOf(uint8_t bits) { return {DTypeKind::UInt, bits}; }

static DType carrierOf(DType dtype) { return unsignedOf(dtype.bits > 32 ? 64 : 32); }

const Expr *bitsOf(Builder &ir, const Expr *value) {
  DType dtype = value->dtype();
  return ir.cast(carrierOf(dtype), ir.reinterpret(unsignedOf(dtype.bits), value));
}

const Expr *partOfBits(Builder &ir, const Expr *bits, const Expr *index, DType dtype) {
  const Expr *shift = ir.mul(ir.cast(bits->dtype(), index), ir.integer(dtype.bits, bits->dtype()));
  if (constantValue(shift) != 0)
    bits = ir.binary(BinaryOp::ShiftRight, bits, shift);
  return ir.reinterpret(dtype, ir.cast(unsignedOf(dtype.bits), bits));
}

const Expr *joinParts(Builder &ir, ExprList parts, DType dtype) {
  DType carrier = carrierOf(dtype);
  const Expr *bits = nullptr;
  for (auto [index, part] : llvm::enumerate(parts)) {
    const Expr *shifted = ir.cast(carrier, bitsOf(ir, part));
    if (index != 0)
      shifted = ir.binary(BinaryOp::ShiftLeft, shifted,
                          ir.integer(static_cast<int64_t>(index) * part->dtype().bits, carrier));
    bits = bits ? ir.binary(BinaryOp::BitOr, bits, shifted) : shifted;
  }
  return ir.reinterpret(dtype, ir.cast(unsignedOf(dtype.bits), bits));
}

} // namespace tilescope
