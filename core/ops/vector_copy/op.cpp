// T.vector_copy(src, dst, bytes=16): one thread moves contiguous elements as one access, between
// any of global memory, shared memory and its registers.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyVectorCopy(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  const Scope places[] = {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Local,
                          Scope::LocalVar};
  check.requireScope(0, places);
  check.requireScope(1, places);
  check.requireSameType(0, 1);
  check.requireAttr(Attr::Bytes, {1, 2, 4, 8, 16});
  check.requireRun(0, op.attr(Attr::Bytes) * 8);
  check.requireRun(1, op.attr(Attr::Bytes) * 8);
  check.requireArgType(0, DType::boolean());
  return check.passed();
}

} // namespace

const OpInfo &infoOfVectorCopy() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const ArgInfo Args[] = {{"predicate", /*optional=*/true}};
  static const AttrInfo Attrs[] = {{Attr::Bytes, AttrType::Int, /*defaultValue=*/16}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Thread,
                           .work = OpWork::Move,
                           .predicate = 0,
                           .verify = verifyVectorCopy};
  return Info;
}

} // namespace tilescope
