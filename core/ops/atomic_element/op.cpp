// T.atomic_element(dst[i, j], value, kind="max", order="release"): one thread adds a value to one
// element, or leaves there the larger of both, ... The element is one of the value's type, whatever
// type of as many bits the buffer has.
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicElement(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireAtomic(0, atomicKindOf(op.attr(Attr::Kind)), op.args[0]->dtype());
  check.requireElement(0);
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicElement() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}};
  static const ArgInfo Args[] = {{"value"}};
  static const AttrInfo Attrs[] = {AtomicKindAttr, MemoryOrderAttr};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Thread,
                           .verify = verifyAtomicElement};
  return Info;
}

} // namespace tilescope
