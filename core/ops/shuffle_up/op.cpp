// T.shuffle_up(src, dst, lanes=1): dst becomes what the lane that comes `lanes` before has in src;
// where there is none, what the lane itself has. One register each.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verify(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Local, Scope::LocalVar});
  check.requireScope(1, {Scope::Local, Scope::LocalVar});
  check.requireSameType(0, 1);
  check.requireAttr(Attr::Lanes, {1, 2, 4, 8, 16});
  check.requireRun(0, check.buffer(0).dtype.bits);
  check.requireRun(1, check.buffer(1).dtype.bits);
  return check.passed();
}

} // namespace

const OpInfo &infoOfShuffleUp() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const AttrInfo Attrs[] = {{Attr::Lanes, AttrType::Int, /*defaultValue=*/1}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Warp, .verify = verify};
  return Info;
}

} // namespace tilescope
