// T.rng_draw(state[0:16], value[0], kind="uniform"): one thread draws its next random number: 32
// bits, or a float that is uniform in (0, 1] or normal.
#include "core/ir/op_check.h"
#include "core/support/philox.h"

namespace tilescope {

namespace {

constexpr llvm::StringRef KindNames[] = {"bits", "uniform", "normal"};

bool verifyRngDraw(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Local});
  check.requireRun(0, int64_t{PhiloxState::Words} * 32);
  bool isBits = op.attr(Attr::Kind) == static_cast<int64_t>(RngKind::Bits);
  bool isDouble = check.buffer(1).dtype.bits == 64;
  check.requireResult(1, isBits     ? DType{DTypeKind::UInt, 32}
                         : isDouble ? DType{DTypeKind::Float, 64}
                                    : DType::float32());
  return check.passed();
}

} // namespace

const OpInfo &infoOfRngDraw() {
  static const OperandInfo Operands[] = {{"state", Effect::ReadWrite}, {"result", Effect::Write}};
  static const AttrInfo Attrs[] = {{Attr::Kind, AttrType::Name, 0, KindNames}};
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .scope = OpScope::Thread, .verify = verifyRngDraw};
  return Info;
}

} // namespace tilescope
