// T.vote(result, value, mask=..., kind=...): what the lanes of a warp find out about each
// other's values: whether it holds of any, or of all of them; of which it holds, as a bit a lane;
// which lanes have the value that this one has; all of them, if they have one value, else none.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

VoteKind kindOf(const OpStmt &op) { return static_cast<VoteKind>(op.attr(Attr::Kind)); }

DType resultOf(VoteKind kind) {
  if (kind == VoteKind::Any || kind == VoteKind::All)
    return DType::int32();
  bool isMatch = kind == VoteKind::MatchAny || kind == VoteKind::MatchAll;
  return isMatch ? DType::uint32() : DType::uint64();
}

bool verifyVote(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegister(0);
  VoteKind kind = kindOf(op);
  check.requireBufferType(0, resultOf(kind));
  bool isMatch = kind == VoteKind::MatchAny || kind == VoteKind::MatchAll;
  if (!isMatch)
    check.requireArgType(0, DType::boolean());
  check.requireArgType(1, DType::uint32());
  return check.passed();
}

bool isCommonVote(const OpStmt &op) { return kindOf(op) != VoteKind::MatchAny; }

} // namespace

const OpInfo &infoOfVote() {
  static const OperandInfo Operands[] = {{"result", Effect::Write}};
  static const ArgInfo Args[] = {{"value"}, {"mask", /*optional=*/true}};
  // In the order of VoteKind.
  static const llvm::StringRef Kinds[] = {"any", "all", "ballot", "match_any", "match_all"};
  static const AttrInfo Attrs[] = {{Attr::Kind, AttrType::Name, /*defaultValue=*/0, Kinds}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Warp,
                           .isExchange = true,
                           .lanes = 1,
                           .isCommon = isCommonVote,
                           .verify = verifyVote};
  return Info;
}

} // namespace tilescope
