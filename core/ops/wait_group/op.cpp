// T.wait_group(pending=n): waits until at most the n newest groups of this thread are in flight.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyWaitGroup(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  if (int64_t pending = op.attr(Attr::Pending); pending < 0)
    check.fail(DiagId::AttributeValue, nameOf(Attr::Pending), check.opName(), pending, "0 or more");
  return check.passed();
}

} // namespace

const OpInfo &infoOfWaitGroup() {
  static const AttrInfo Attrs[] = {{Attr::Pending, AttrType::Int}};
  static const OpInfo Info{
      .attrs = Attrs, .scope = OpScope::Thread, .sync = OpSync::Wait, .verify = verifyWaitGroup};
  return Info;
}

} // namespace tilescope
