// T.mma(a, b, c, k=16): a warp computes c += a @ b on a 16 x 8 x k tile held in registers. Of it
// one lane holds k/2 elements of a, k/4 of b and 4 of c.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyMma(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  constexpr int64_t Rows = 16;
  constexpr int64_t Columns = 8;
  constexpr int64_t Lanes = 32;
  OpCheck check(op, function, diagnostics);
  int64_t k = op.attr(Attr::K);
  const int64_t elements[] = {Rows * k / Lanes, Columns * k / Lanes, Rows * Columns / Lanes};
  check.requireAttr(Attr::K, {4, 8, 16, 32, 64});
  for (size_t operand = 0; operand < 3; ++operand) {
    check.requireScope(operand, {Scope::Local});
    check.requireRun(operand, elements[operand] * check.buffer(operand).dtype.bits);
  }
  return check.passed();
}

} // namespace

const OpInfo &infoOfMma() {
  static const OperandInfo Operands[] = {
      {"a", Effect::Read}, {"b", Effect::Read}, {"c", Effect::ReadWrite}};
  static const AttrInfo Attrs[] = {{Attr::K, AttrType::Int, /*defaultValue=*/16}};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Warp,
                           .work = OpWork::MatrixMultiply,
                           .verify = verifyMma};
  return Info;
}

} // namespace tilescope
