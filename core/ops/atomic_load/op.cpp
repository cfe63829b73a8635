// T.atomic_load(src[i], value[0], order="acquire"): one thread reads an element that others write
// atomically.
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicLoad(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  DType dtype = check.buffer(1).dtype;
  check.requireAtomic(0, AtomicKind::Add, dtype);
  check.requireElement(0);
  check.requireResult(1, dtype);
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicLoad() {
  static const OperandInfo Operands[] = {{.name = "src", .effect = Effect::Read, .isAtomic = true},
                                         {"result", Effect::Write}};
  static const AttrInfo Attrs[] = {MemoryOrderAttr};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Thread, .verify = verifyAtomicLoad};
  return Info;
}

} // namespace tilescope
