// T.new_name(src, dst): ONE LINE OF HELP. One register each; as long as nothing else is written
// here, dst becomes what src is.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyNewName(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegister(0);
  check.requireRegister(1);
  check.requireSameType(0, 1);
  return check.passed();
}

} // namespace

const OpInfo &infoOfNewName() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const OpInfo Info{.operands = Operands, .scope = OpScope::Thread, .verify = verifyNewName};
  return Info;
}

} // namespace tilescope
