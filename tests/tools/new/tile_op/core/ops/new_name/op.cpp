// T.new_name(tile): ONE LINE OF HELP. As long as nothing else is written here, every element
// becomes twice what it was.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyNewName(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Fragment, Scope::Shared, Scope::SharedStatic});
  return check.passed();
}

} // namespace

const OpInfo &infoOfNewName() {
  static const OperandInfo Operands[] = {{"tile", Effect::ReadWrite}};
  static const OpInfo Info{.operands = Operands, .verify = verifyNewName};
  return Info;
}

} // namespace tilescope
