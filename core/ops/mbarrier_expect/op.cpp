// T.mbarrier_expect(barrier, bytes=16384): the phase of an mbarrier ends only when copies that it
// counts have brought so many more bytes. PTX ISA, "mbarrier.expect_tx".
#include "core/hopper/mbarrier.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyMbarrierExpect(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireMbarrier(0);
  if (int64_t bytes = op.attr(Attr::Bytes); bytes < 1 || bytes > MbarrierMaxCount)
    check.fail(DiagId::AttributeValue, nameOf(Attr::Bytes), check.opName(), bytes, "1 to 2^20 - 1");
  return check.passed();
}

} // namespace

const OpInfo &infoOfMbarrierExpect() {
  static const OperandInfo Operands[] = {
      {.name = "barrier", .effect = Effect::Read, .isMbarrier = true}};
  static const AttrInfo Attrs[] = {{Attr::Bytes, AttrType::Int}};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Elected,
                           .sync = OpSync::Expect,
                           .verify = verifyMbarrierExpect};
  return Info;
}

} // namespace tilescope
