// T.atomic_addx2 and T.atomic_addx4: adjacent elements from where either operand starts.
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

// Each of the elements is added in one step, all of them never were.
static Value fetchEach(Args &args, const Operand &destination, const Operand &source,
                       int64_t lanes) {
  Evaluation &evaluation = args.evaluation;
  Builder &ir = evaluation.ir;
  DType dtype = destination.buffer->draft.dtype;
  BufferObject *results = newResults(evaluation, "previous", dtype, lanes, args.span);
  for (int64_t lane = 0; lane != lanes; ++lane) {
    auto element = [&](Operand run) {
      Axis &last = run.axes.back();
      last.start = ir.add(last.start, ir.integer(lane, last.start->dtype()));
      last.extent = ir.integer(1, last.start->dtype());
      return run;
    };
    llvm::SmallVector<const Expr *> indices;
    for (const Axis &axis : element(source).axes)
      indices.push_back(axis.start);
    const Expr *value = ir.cast(dtype, ir.load(source.buffer->draft, nullptr, indices));
    BufferRegion result =
        ir.region(results->draft.id, nullptr, {{ir.integer(lane), ir.integer(1)}}, args.span);
    evaluation.kernel->emit(ir.op(ir.fresh(args.span), Op::AtomicFetch,
                                  {element(destination).region(evaluation.context), result},
                                  value));
  }
  return sliceOf(evaluation, *results);
}

Value tileAtomicAddVector(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  int64_t lanes = args.info.name.ends_with("x2") ? 2 : 4;
  std::optional<Operand> destination = toRun(args, "dst", lanes);
  std::optional<Operand> source = destination ? toRun(args, "value", lanes) : std::nullopt;
  std::optional<bool> returns = source ? args.boolean("return_prev") : std::nullopt;
  if (!returns)
    return Value();
  if (*returns)
    return fetchEach(args, *destination, *source, lanes);
  Context &context = evaluation.context;
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::AtomicVector,
                       {destination->region(context), source->region(context)}));
  return Value::none();
}

} // namespace tilescope::frontend
