// T.barrier_vote(result, predicate, kind=...): a barrier of the block, behind which each thread
// knows of how many of them the predicate holds, or whether of all, or of any.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyBarrierVote(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegister(0);
  check.requireBufferType(0, DType::int32());
  check.requireArgType(0, DType::boolean());
  return check.passed();
}

} // namespace

const OpInfo &infoOfBarrierVote() {
  static const OperandInfo Operands[] = {{"result", Effect::Write}};
  static const ArgInfo Args[] = {{"predicate"}};
  // In the order of BarrierVoteKind.
  static const llvm::StringRef Kinds[] = {"count", "and", "or"};
  static const AttrInfo Attrs[] = {{Attr::Kind, AttrType::Name, /*defaultValue=*/0, Kinds}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .sync = OpSync::Barrier,
                           .isExchange = true,
                           .isCommon = [](const OpStmt &) { return true; },
                           .verify = verifyBarrierVote};
  return Info;
}

} // namespace tilescope
