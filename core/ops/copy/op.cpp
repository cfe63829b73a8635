// T.copy(src, dst): moves a tile, converting elements if the types differ. Axes of extent 1 may be
// added or left out on either side. Asynchronous, it is part of the open commit group.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyCopy(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  if (op.attr(Attr::Async)) {
    check.requireScope(0, {Scope::Global});
    check.requireScope(1, {Scope::Shared, Scope::SharedStatic});
    check.requireSameType(0, 1);
  }
  return check.passed();
}

} // namespace

const OpInfo &infoOfCopy() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  // In the order of CopyInstruction.
  static const llvm::StringRef Instructions[] = {"auto", "cp_async", "sync", "tma"};
  static const AttrInfo Attrs[] = {
      {Attr::Async, AttrType::Bool},
      {Attr::CoalescedWidth, AttrType::Int},
      {Attr::Prefer, AttrType::Name, static_cast<int64_t>(CopyInstruction::Automatic),
       Instructions},
  };
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .work = OpWork::Move,
                           .async = AsyncWhen::ByAttribute,
                           .verify = verifyCopy};
  return Info;
}

} // namespace tilescope
