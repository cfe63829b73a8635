// T.atomic_fetch(dst[i], old[0], value): T.atomic_element that gives what was there before.
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicFetch(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  DType dtype = op.args[0]->dtype();
  check.requireAtomic(0, atomicKindOf(op.attr(Attr::Kind)), dtype);
  check.requireElement(0);
  check.requireResult(1, dtype);
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicFetch() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}, {"result", Effect::Write}};
  static const ArgInfo Args[] = {{"value"}};
  static const AttrInfo Attrs[] = {AtomicKindAttr, MemoryOrderAttr};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Thread,
                           .verify = verifyAtomicFetch};
  return Info;
}

} // namespace tilescope
