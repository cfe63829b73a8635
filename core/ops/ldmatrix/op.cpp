// T.ldmatrix(src, dst, matrices=4): a warp loads 8x8 matrices of 16-bit elements from shared
// memory. src is the 16-byte row that this lane names, dst what it receives: 32 bits a matrix.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyLdmatrix(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  constexpr int64_t RowBits = 128;
  constexpr int64_t BitsOfLane = 32;
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Shared, Scope::SharedStatic});
  check.requireScope(1, {Scope::Local});
  check.requireSameType(0, 1);
  check.requireAttr(Attr::Matrices, {1, 2, 4});
  check.requireRun(0, RowBits);
  check.requireRun(1, op.attr(Attr::Matrices) * BitsOfLane);
  return check.passed();
}

} // namespace

const OpInfo &infoOfLdmatrix() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const AttrInfo Attrs[] = {{Attr::Matrices, AttrType::Int, /*defaultValue=*/4},
                                   {Attr::Transposed, AttrType::Bool}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Warp, .verify = verifyLdmatrix};
  return Info;
}

} // namespace tilescope
