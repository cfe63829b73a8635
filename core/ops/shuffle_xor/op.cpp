// T.shuffle_xor(src, dst, lane_mask=1): dst becomes what the lane whose number differs in the bits
// of the mask has in src. One register each.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyShuffleXor(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegisterCopy();
  check.requireAttr(Attr::LaneMask, {1, 2, 4, 8, 16});
  return check.passed();
}

} // namespace

const OpInfo &infoOfShuffleXor() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const AttrInfo Attrs[] = {{Attr::LaneMask, AttrType::Int, /*defaultValue=*/1}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Warp, .verify = verifyShuffleXor};
  return Info;
}

} // namespace tilescope
