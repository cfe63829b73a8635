// T.cp_async(src, dst, bytes=16): one thread starts an asynchronous copy of contiguous elements
// from global to shared memory, as part of the open commit group.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyCpAsync(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Global});
  check.requireScope(1, {Scope::Shared, Scope::SharedStatic});
  check.requireSameType(0, 1);
  check.requireAttr(Attr::Bytes, {4, 8, 16});
  check.requireRun(0, op.attr(Attr::Bytes) * 8);
  check.requireRun(1, op.attr(Attr::Bytes) * 8);
  check.requireArgType(0, DType::boolean());
  return check.passed();
}

} // namespace

const OpInfo &infoOfCpAsync() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const ArgInfo Args[] = {{"predicate", /*optional=*/true}};
  static const AttrInfo Attrs[] = {{Attr::Bytes, AttrType::Int, /*defaultValue=*/16}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Thread,
                           .work = OpWork::Move,
                           .async = AsyncWhen::Always,
                           .predicate = 0,
                           .verify = verifyCpAsync};
  return Info;
}

} // namespace tilescope
