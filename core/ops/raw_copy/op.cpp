// T.raw_copy(src[i:i + 8], words[0:4], bytes=16): one thread moves the bits of adjacent elements by
// one instruction; the types on either side may differ, the bits are as many.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyRawCopy(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireAttr(Attr::Bytes, {4, 8, 16, 32});
  for (size_t operand : {0, 1}) {
    check.requireScope(operand, {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Local,
                                 Scope::LocalVar});
    check.requireRun(operand, op.attr(Attr::Bytes) * 8);
    DType dtype = check.buffer(operand).dtype;
    if (dtype.isBool() || dtype.bits < 8)
      check.fail(DiagId::OperatorType, check.opName(), dtype.name());
  }
  return check.passed();
}

} // namespace

const OpInfo &infoOfRawCopy() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  static const AttrInfo Attrs[] = {{Attr::Bytes, AttrType::Int, /*defaultValue=*/16}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Thread, .verify = verifyRawCopy};
  return Info;
}

} // namespace tilescope
