// T.rng_rand: 32 random bits. T.rng_rand_float: a float that is uniform in (0, 1] or normal.
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

static Value draw(Args &args, DType dtype, RngKind kind) {
  Evaluation &evaluation = args.evaluation;
  BufferObject *state = evaluation.kernel->launch()->randomState;
  if (!state)
    return evaluation.fail(DiagId::NoRandomState, args.span, args.callee());
  BufferObject *result = newResult(evaluation, "drawn", dtype, args.span);
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::RngDraw,
                       {wholeOf(evaluation, *state), wholeOf(evaluation, *result)}, {},
                       {{Attr::Kind, static_cast<int64_t>(kind)}}));
  return resultOf(evaluation, *result, args.span);
}

Value tileRngRand(Args &args) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  return draw(args, DType{DTypeKind::UInt, 32}, RngKind::Bits);
}

Value tileRngRandFloat(Args &args) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<int64_t> bits = args.integer("bit", 32);
  std::optional<std::string> dist = bits ? args.text("dist", "uniform") : std::nullopt;
  if (!dist)
    return Value();
  if (*bits != 32 && *bits != 64)
    return args.wrongType("bit", "32 or 64");
  if (*dist != "uniform" && *dist != "normal")
    return args.wrongType("dist", "\"uniform\" or \"normal\"");
  return draw(args, DType{DTypeKind::Float, static_cast<uint8_t>(*bits)},
              *dist == "uniform" ? RngKind::Uniform : RngKind::Normal);
}

} // namespace tilescope::frontend
