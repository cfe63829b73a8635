// T.fill(dst, value): every element of the region becomes `value`. T.clear is a fill with 0.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyFill(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireArgType(0, check.buffer(0).dtype);
  return check.passed();
}

} // namespace

const OpInfo &infoOfFill() {
  static const OperandInfo Operands[] = {{"dst", Effect::Write}};
  static const ArgInfo Args[] = {{"value"}};
  static const OpInfo Info{
      .operands = Operands, .args = Args, .work = OpWork::Fill, .verify = verifyFill};
  return Info;
}

} // namespace tilescope
