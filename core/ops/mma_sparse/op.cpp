// T.mma_sparse(a, b, c, e, k=32, selector=0): a warp computes c += a @ b on a 16 x 8 x k tile held
// in registers, of whose a a half of the columns of each group is kept: two of four, of 32 bits one
// of two. e, a word, says which (core/exec/mma_product.h). Of it one lane holds k/4 elements of a,
// k/4 of b and 4 of c.
#include "core/ir/product_check.h"

namespace tilescope {

namespace {

// Bits of an operand times k: of every type a row of a has as many.
constexpr int64_t BitsOfRow = 512;

bool verifyMmaSparse(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  constexpr int64_t Columns = 8;
  constexpr int64_t Lanes = 32;
  OpCheck check(op, function, diagnostics);
  DType operand = check.buffer(0).dtype, accumulator = check.buffer(2).dtype;
  if (!isSparseProduct(operand, accumulator) || check.buffer(3).dtype.isFloat())
    check.fail(DiagId::OperatorType, check.opName(), operand.name());
  check.requireSameType(0, 1);
  const int64_t bits[] = {Columns * BitsOfRow / Lanes, Columns * BitsOfRow / Lanes,
                          int64_t(4) * accumulator.bits, 32};
  for (size_t index = 0; index < 4; ++index) {
    check.requireScope(index, {Scope::Local});
    check.requireRun(index, bits[index]);
  }
  check.requireAttr(Attr::K, {BitsOfRow / operand.bits});
  // Of bytes all four lanes have a word.
  check.requireAttr(Attr::Selector,
                    operand.bits == 8 ? llvm::ArrayRef<int64_t>{0} : llvm::ArrayRef<int64_t>{0, 1});
  return check.passed();
}

} // namespace

const OpInfo &infoOfMmaSparse() {
  static const OperandInfo Operands[] = {
      {"a", Effect::Read}, {"b", Effect::Read}, {"c", Effect::ReadWrite}, {"e", Effect::Read}};
  static const AttrInfo Attrs[] = {{Attr::K, AttrType::Int, /*defaultValue=*/32},
                                   {Attr::Selector, AttrType::Int, /*defaultValue=*/0}};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Warp,
                           .work = OpWork::MatrixMultiply,
                           .verify = verifyMmaSparse};
  return Info;
}

} // namespace tilescope
