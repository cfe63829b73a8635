// T.mbarrier_init(barrier, arrivals=1): the first phase of an mbarrier begins; so many arrivals end
// each. Other threads may use it behind a barrier of the block. PTX ISA, "mbarrier.init".
#include "core/hopper/mbarrier.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyMbarrierInit(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireMbarrier(0);
  if (int64_t arrivals = op.attr(Attr::Arrivals); arrivals < 1 || arrivals > MbarrierMaxCount)
    check.fail(DiagId::AttributeValue, nameOf(Attr::Arrivals), check.opName(), arrivals,
               "1 to 2^20 - 1");
  return check.passed();
}

} // namespace

const OpInfo &infoOfMbarrierInit() {
  static const OperandInfo Operands[] = {
      {.name = "barrier", .effect = Effect::Write, .isMbarrier = true}};
  static const AttrInfo Attrs[] = {{Attr::Arrivals, AttrType::Int, /*defaultValue=*/1}};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Elected,
                           .verify = verifyMbarrierInit};
  return Info;
}

} // namespace tilescope
