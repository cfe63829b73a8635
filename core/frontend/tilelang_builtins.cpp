// Helpers of the package `tilelang` outside the language.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// `jit`, `prim_func` and the like act where they decorate a `def`.
Value decoratorOnly(Args &args) {
  return args.evaluation.fail(DiagId::DecoratorCalled, args.span, args.callee());
}

// The kernel that a factory compiles before it returns it: as decorated with `@tilelang.jit`.
Value compileKernel(Args &args) {
  Evaluation &evaluation = args.evaluation;
  auto *function = args["func"].as<FunctionObject>();
  if (!function || function->role != FunctionRole::PrimFunc || evaluation.kernel)
    return evaluation.fail(DiagId::HostOnly, args.span, args.callee());
  function->compiled = {args["out_idx"], args["pass_configs"], args.spanOf("out_idx"),
                        args.spanOf("pass_configs")};
  return args["func"];
}

Value nextPowerOf2(Args &args) {
  std::optional<int64_t> n = args.integer("n");
  if (!n)
    return Value();
  if (*n > int64_t{1} << 62)
    return args.evaluation.fail(DiagId::IntegerTooLarge, args.span, *n);
  int64_t power = 1;
  while (power < *n)
    power *= 2;
  return Value::integer(power);
}

} // namespace tilescope::frontend
