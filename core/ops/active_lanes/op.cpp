// T.active_lanes(result): a bit for each lane of the warp that gets here together with this one.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyActiveLanes(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegister(0);
  check.requireBufferType(0, DType::uint64());
  return check.passed();
}

} // namespace

const OpInfo &infoOfActiveLanes() {
  static const OperandInfo Operands[] = {{"result", Effect::Write}};
  static const OpInfo Info{.operands = Operands,
                           .scope = OpScope::Warp,
                           .isExchange = true,
                           .takesWhoComes = true,
                           .isCommon = [](const OpStmt &) { return true; },
                           .verify = verifyActiveLanes};
  return Info;
}

} // namespace tilescope
