// T.atomic_store(dst[i], value, order="release"): one thread writes an element that others access
// atomically.
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicStore(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireAtomic(0, AtomicKind::Add, op.args[0]->dtype());
  check.requireElement(0);
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicStore() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::Write, .isAtomic = true}};
  static const ArgInfo Args[] = {{"value"}};
  static const AttrInfo Attrs[] = {MemoryOrderAttr};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Thread,
                           .verify = verifyAtomicStore};
  return Info;
}

} // namespace tilescope
