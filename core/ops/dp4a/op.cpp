// T.dp4a(a[0:4], b[0:4], c[0]): one thread adds the inner product of four bytes each to c.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyDp4a(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  const DType byte{DTypeKind::Int, 8};
  for (size_t operand : {0, 1, 2}) {
    DType dtype = operand == 2 ? DType::int32() : byte;
    check.requireScope(operand, {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Local,
                                 Scope::LocalVar});
    check.requireRun(operand, 32);
    if (check.buffer(operand).dtype != dtype)
      check.fail(DiagId::ArgumentType, check.operandName(operand), check.opName(),
                 check.buffer(operand).dtype.name(), dtype.name());
  }
  return check.passed();
}

} // namespace

const OpInfo &infoOfDp4a() {
  static const OperandInfo Operands[] = {
      {"a", Effect::Read}, {"b", Effect::Read}, {"c", Effect::ReadWrite}};
  static const OpInfo Info{.operands = Operands, .scope = OpScope::Thread, .verify = verifyDp4a};
  return Info;
}

} // namespace tilescope
