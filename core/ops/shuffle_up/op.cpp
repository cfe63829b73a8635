// T.shuffle_up(src, dst, lanes=1): dst becomes what the lane that comes `lanes` before has in src;
// where there is none, what the lane itself has. One register each.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyShuffleUp(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegisterCopy();
  check.requireAttr(Attr::Lanes, {1, 2, 4, 8, 16});
  return check.passed();
}

} // namespace

const OpInfo &infoOfShuffleUp() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const AttrInfo Attrs[] = {{Attr::Lanes, AttrType::Int, /*defaultValue=*/1}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Warp, .verify = verifyShuffleUp};
  return Info;
}

} // namespace tilescope
