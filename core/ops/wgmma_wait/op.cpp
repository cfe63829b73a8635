// T.wgmma_wait(pending=n): waits until at most the n newest groups of this warp group are in
// flight.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyWgmmaWait(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  constexpr int64_t Most = 7;
  OpCheck check(op, function, diagnostics);
  if (int64_t pending = op.attr(Attr::Pending); pending < 0 || pending > Most)
    check.fail(DiagId::AttributeValue, nameOf(Attr::Pending), check.opName(), pending, "0 to 7");
  return check.passed();
}

} // namespace

const OpInfo &infoOfWgmmaWait() {
  static const AttrInfo Attrs[] = {{Attr::Pending, AttrType::Int}};
  static const OpInfo Info{.attrs = Attrs,
                           .scope = OpScope::WarpGroup,
                           .sync = OpSync::Wait,
                           .queue = AsyncQueue::Wgmma,
                           .verify = verifyWgmmaWait};
  return Info;
}

} // namespace tilescope
