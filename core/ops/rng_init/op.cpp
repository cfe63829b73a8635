// T.rng_init(state[0:16], seed, sequence, offset): one thread starts its random numbers.
#include "core/ir/op_check.h"
#include "core/support/philox.h"

namespace tilescope {

namespace {

bool verifyRngInit(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Local});
  check.requireRun(0, int64_t{PhiloxState::Words} * 32);
  for (size_t arg : {0, 1, 2})
    check.requireArgType(arg, {DTypeKind::UInt, 64});
  return check.passed();
}

} // namespace

const OpInfo &infoOfRngInit() {
  static const OperandInfo Operands[] = {{"state", Effect::Write}};
  static const ArgInfo Args[] = {{"seed"}, {"sequence"}, {"offset"}};
  static const OpInfo Info{
      .operands = Operands, .args = Args, .scope = OpScope::Thread, .verify = verifyRngInit};
  return Info;
}

} // namespace tilescope
