// T.new_name(src, dst): ONE LINE OF HELP. One register each; as long as nothing else is written
// here, dst becomes what src is.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verify(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Local, Scope::LocalVar});
  check.requireScope(1, {Scope::Local, Scope::LocalVar});
  check.requireSameType(0, 1);
  check.requireRun(0, check.buffer(0).dtype.bits);
  check.requireRun(1, check.buffer(1).dtype.bits);
  return check.passed();
}

} // namespace

const OpInfo &infoOfNewName() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const OpInfo Info{.operands = Operands, .scope = OpScope::Thread, .verify = verify};
  return Info;
}

} // namespace tilescope
