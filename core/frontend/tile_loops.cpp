// The loops that a kernel may iterate over.
#include "core/frontend/buffers.h"
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/iteration.h"
#include "core/frontend/jumps.h"
#include "core/frontend/loops.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

static LoopObject *oneLoop(Args &args, LoopObject::Form form, int64_t step) {
  Value start = args.has("stop") ? args["start"] : Value::integer(0);
  Value stop = args.has("stop") ? args["stop"] : args["start"];
  return loopOver(args.evaluation, start, stop, step, form, args.span);
}

static Value orInvalid(LoopObject *loop) { return loop ? Value(loop) : Value(); }

static Value steppedLoop(Args &args, LoopObject::Form form) {
  if (args["step"].isExpr()) {
    Evaluation &evaluation = args.evaluation;
    const Expr *step = toIndex(evaluation, args["step"], "the step of a loop", args.spanOf("step"));
    bool isOne = !args.has("stop");
    return step ? orInvalid(loopOverBy(evaluation, isOne ? Value::integer(0) : args["start"],
                                       isOne ? args["start"] : args["stop"], step, form, args.span))
                : Value();
  }
  std::optional<int64_t> step = args.integer("step", 1);
  return step ? orInvalid(oneLoop(args, form, *step)) : Value();
}

Value tileSerial(Args &args) { return steppedLoop(args, LoopObject::Form::Serial); }
Value tileUnroll(Args &args) { return steppedLoop(args, LoopObject::Form::Unrolled); }

Value tileVectorized(Args &args) {
  return orInvalid(oneLoop(args, LoopObject::Form::Vectorized, 1));
}

// With no stages asked for it is a plain loop.
Value tilePipelined(Args &args) {
  if (!args.refuse({"sync", "group"}))
    return Value();
  std::optional<int64_t> numStages = args.integer("num_stages", 0);
  std::optional<std::vector<int64_t>> order = args.integers("order");
  std::optional<std::vector<int64_t>> stage = args.integers("stage");
  if (!numStages || !order || !stage)
    return Value();
  if (*numStages < 0)
    return args.evaluation.fail(DiagId::WrongArgument, args.spanOf("num_stages"), args.callee(),
                                "num_stages", "a number of stages from 0 on", *numStages);
  if (order->size() != stage->size())
    return args.evaluation.fail(DiagId::OrderAndStage, args.span, order->size(), stage->size());
  bool isPlain = *numStages == 0 && order->empty();
  LoopObject *loop =
      oneLoop(args, isPlain ? LoopObject::Form::Serial : LoopObject::Form::Pipelined, 1);
  if (!loop)
    return Value();
  loop->numStages = *numStages;
  loop->order = std::move(*order);
  loop->stage = std::move(*stage);
  return loop;
}

// Several loops from 0, nested.
static LoopObject *nest(Args &args, LoopObject::Form form) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireKernel(args.callee(), args.span))
    return nullptr;
  auto *loop = evaluation.heap.make<LoopObject>();
  loop->form = form;
  for (const Arg &arg : args.rest) {
    const Expr *extent = toIndex(evaluation, arg.value, "the size of a loop", arg.span);
    if (!extent)
      return nullptr;
    loop->extents.push_back(extent);
  }
  if (loop->extents.empty()) {
    evaluation.fail(DiagId::LoopWithoutSize, args.span, args.callee());
    return nullptr;
  }
  return loop;
}

std::optional<const Layout *> loopLayoutIn(Args &args, llvm::ArrayRef<const Expr *> extents) {
  if (!args.has("loop_layout"))
    return nullptr;
  const auto *given = args["loop_layout"].as<LayoutObject>();
  bool fits = given && given->layout && given->layout->isFragment() &&
              given->shape.size() == extents.size() &&
              llvm::all_of(llvm::zip(given->shape, extents), [](auto axis) {
                return constantValue(std::get<1>(axis)) == std::get<0>(axis);
              });
  if (fits)
    return given->layout;
  args.wrongType("loop_layout",
                 "a T.Fragment of the extents of the loop, whose threads and registers "
                 "are digits of its variables");
  return std::nullopt;
}

Value tileParallel(Args &args) {
  std::optional<int64_t> width = args.integer("coalesced_width", 0);
  LoopObject *loop = width ? nest(args, LoopObject::Form::Parallel) : nullptr;
  std::optional<const Layout *> layout = loop ? loopLayoutIn(args, loop->extents) : std::nullopt;
  if (!layout)
    return Value();
  loop->coalescedWidth = *width;
  loop->layout = *layout;
  return loop;
}

// One loop of the kind that T.Parallel makes.
Value tileParallelLoop(Args &args) {
  if (!args.refuse({"stop"}))
    return Value();
  return orInvalid(oneLoop(args, LoopObject::Form::Parallel, 1));
}

// The number of tiles of a wave may be any expression; what divides must not be 0.
Value tilePersistent(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!args.refuse({"num_stages"}) || !evaluation.requireKernel(args.callee(), args.span))
    return Value();
  std::optional<Values> domain = toList(evaluation, args["domain"], args.spanOf("domain"));
  if (!domain)
    return Value();
  if (domain->empty())
    return evaluation.fail(DiagId::LoopWithoutSize, args.span, args.callee());
  auto *loop = evaluation.heap.make<LoopObject>();
  loop->form = LoopObject::Form::Persistent;
  loop->domain = std::move(*domain);
  loop->waveSize = args["wave_size"];
  loop->firstTile = args["index"];
  loop->groupSize = args.has("group_size") ? args["group_size"] : Value::integer(8);
  for (Value divisor : {loop->waveSize, loop->groupSize})
    if (divisor.isInt() && divisor.asInt() < 1)
      return evaluation.fail(DiagId::LoopWithoutSize, args.span, args.callee());
  return loop;
}

Value tileGrid(Args &args) { return orInvalid(nest(args, LoopObject::Form::Grid)); }

// `T.loop_break()`: the statement that calls it jumps.
static Value jumpOf(Args &args, bool isBreak) {
  args.evaluation.control.jumped = jump(args.evaluation, isBreak, args.span);
  return Value::none();
}

Value tileBreak(Args &args) { return jumpOf(args, true); }
Value tileContinue(Args &args) { return jumpOf(args, false); }

Value tileThreadReturn(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  evaluation.control.jumped = leaveLaunch(evaluation, args.span);
  return Value::none();
}

// `with T.If(condition):` and its sides.
static Value branch(Args &args, AttributeObject::Branch kind, Value condition) {
  return args.evaluation.heap.make<AttributeObject>(kind, condition);
}
Value tileIf(Args &args) {
  return branch(args, AttributeObject::Branch::If,
                loadVariable(args.evaluation, args["condition"]));
}
Value tileThen(Args &args) { return branch(args, AttributeObject::Branch::Then, Value::none()); }
Value tileElse(Args &args) { return branch(args, AttributeObject::Branch::Else, Value::none()); }

} // namespace tilescope::frontend
