// T.atomic_add_element(dst[i, j], value): one thread adds to one element.
#include "core/ir/op_check.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool verifyAtomicAddElement(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Global, Scope::Shared, Scope::SharedStatic});
  check.requireAtomicSum(0);
  check.requireArgType(0, check.buffer(0).dtype);
  if (!check.wideExtents(0).empty())
    check.fail(DiagId::OperandNoElement, check.operandName(0), check.opName(),
               extentsText(check.extents(0)));
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicAddElement() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}};
  static const ArgInfo Args[] = {{"value"}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .scope = OpScope::Thread,
                           .verify = verifyAtomicAddElement};
  return Info;
}

} // namespace tilescope
