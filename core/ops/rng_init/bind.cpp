// T.rng_init: the generator of a thread, which T.rng_rand and T.rng_rand_float draw from.
#include "core/frontend/expr_operators.h"
#include "core/frontend/result_registers.h"
#include "core/support/philox.h"

namespace tilescope::frontend {

// Without a sequence each thread has its own: its number in the blocks along x.
static const Expr *sequenceOf(Args &args) {
  Evaluation &evaluation = args.evaluation;
  const DType word{DTypeKind::UInt, 64};
  if (args.has("seq"))
    return toExprOf(evaluation, word, args["seq"], args.spanOf("seq"));
  Builder &ir = evaluation.ir;
  const KernelBuilder::OpenLaunch &launch = *evaluation.kernel->launch();
  const Expr *block = launch.blockVars.front();
  int64_t threads = launch.threads.empty() ? 1 : launch.threads.front();
  const Expr *number =
      ir.add(evaluation.kernel->threadIndex(0), ir.mul(block, ir.integer(threads, block->dtype())));
  return ir.cast(word, number);
}

Value tileRngInit(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<std::string> generator =
      kernel ? args.text("generator", "curandStatePhilox4_32_10_t") : std::nullopt;
  if (!generator)
    return Value();
  if (*generator == "curandStateMRG32k3a_t" || *generator == "curandStateXORWOW_t")
    return evaluation.fail(DiagId::NotSupportedYet, args.spanOf("generator"),
                           "the generator " + *generator);
  if (*generator != "curandStatePhilox4_32_10_t")
    return args.wrongType("generator", "\"curandStatePhilox4_32_10_t\"");
  const DType word{DTypeKind::UInt, 64};
  const Expr *seed = toExprOf(evaluation, word, args["seed"], args.spanOf("seed"));
  const Expr *sequence = seed ? sequenceOf(args) : nullptr;
  Value off = args.has("off") ? args["off"] : Value::integer(0);
  const Expr *offset = sequence ? toExprOf(evaluation, word, off, args.spanOf("off")) : nullptr;
  if (!offset)
    return Value();
  BufferObject *&state = kernel->launch()->randomState;
  if (!state)
    state =
        newResults(evaluation, "random", DType{DTypeKind::UInt, 32}, PhiloxState::Words, args.span);
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::RngInit,
                                wholeOf(evaluation, *state), {seed, sequence, offset}));
  return Value::none();
}

} // namespace tilescope::frontend
