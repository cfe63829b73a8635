#include "core/frontend/generators.h"

#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/exceptions.h"
#include "core/frontend/expressions.h"
#include "core/frontend/iteration.h"
#include "core/frontend/statements.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

struct RunningGenerator {
  const GeneratorObject &generator;
  Consumer consumer;
  llvm::function_ref<bool(Value)> visit;
  bool hasEnough = false; // `visit` returned false
  unsigned tryDepth = 0;
  unsigned deviceDepth = 0;
  // Where the consumer stands.
  Closure place;
  Span standIn;
  DeviceLoop *loop = nullptr;
  unsigned loopDeviceDepth = 0;
  unsigned frameDeviceDepth = 0;
  RunningGenerator *outer = nullptr;
};

Value makeGenerator(Evaluation &evaluation, FunctionObject &function, Env &env, Span span) {
  auto *generator = evaluation.heap.make<GeneratorObject>();
  generator->function = &function;
  generator->env = &env;
  generator->span = span;
  generator->state = GeneratorObject::State::Waiting;
  return generator;
}

Value iteratorOver(Evaluation &evaluation, Values values) {
  evaluation.heap.charge(values.size() * sizeof(Value));
  auto *iterator = evaluation.heap.make<GeneratorObject>();
  iterator->values = std::move(values);
  return iterator;
}

// Runs the body; false where it failed or the consumer has enough.
static bool run(Evaluation &evaluation, GeneratorObject &generator, RunningGenerator &running) {
  FunctionObject &function = *generator.function;
  ControlFlow &control = evaluation.control;
  if (evaluation.callDepth() >= evaluation.limits.callDepth)
    return static_cast<bool>(evaluation.failForGood(DiagId::EvalLimit, generator.span,
                                                    "nested calls", evaluation.limits.callDepth,
                                                    "--max-call-depth"));
  evaluation.enterCall(function.name, generator.span);
  Flow flow = Flow::Normal;
  {
    StandAt body(evaluation.names, {generator.env, function.closure.globals});
    llvm::SaveAndRestore standIn(evaluation.ir.standIn,
                                 standInOf(evaluation, function, generator.span));
    llvm::SaveAndRestore<RunningGenerator *> inner(control.generator, &running);
    llvm::SaveAndRestore<DeviceLoop *> loop(control.loop, nullptr);
    llvm::SaveAndRestore loopDepth(control.loopDeviceDepth, control.deviceDepth);
    llvm::SaveAndRestore frameDepth(control.frameDeviceDepth, control.deviceDepth);
    llvm::SaveAndRestore depth(evaluation.depth, evaluation.depth + 1);
    flow = execBlock(evaluation, function.def->body);
  }
  evaluation.leaveCall();
  return flow != Flow::Failed && !running.hasEnough;
}

static bool runFor(Evaluation &evaluation, GeneratorObject &generator, Consumer consumer, Span span,
                   llvm::function_ref<bool(Value)> visit) {
  using State = GeneratorObject::State;
  if (evaluation.depth + 1 >= MaxEvalDepth)
    return static_cast<bool>(evaluation.failForGood(DiagId::EvalTooDeep, span, MaxEvalDepth));
  ControlFlow &control = evaluation.control;
  RunningGenerator running{generator,
                           consumer,
                           visit,
                           false,
                           control.tryDepth,
                           control.deviceDepth,
                           evaluation.names.here(),
                           evaluation.ir.standIn,
                           control.loop,
                           control.loopDeviceDepth,
                           control.frameDeviceDepth,
                           control.generator};
  generator.state = State::Running;
  size_t emitted = evaluation.kernel ? evaluation.kernel->emittedInBlock() : 0;
  bool done = run(evaluation, generator, running);
  generator.state = State::Ended;
  bool hasEmitted = evaluation.kernel && evaluation.kernel->emittedInBlock() != emitted;
  if (hasEmitted && consumer == Consumer::Builtin)
    return evaluation.failed(DiagId::NotSupportedYet, span,
                             "a generator that builds statements, outside of a 'for',");
  return done;
}

bool forEachOf(Evaluation &evaluation, GeneratorObject &generator, Consumer consumer, Span span,
               llvm::function_ref<bool(Value)> visit) {
  while (generator.taken < generator.values.size())
    if (!evaluation.step(span) || !visit(generator.values[generator.taken++]))
      return false;
  if (generator.state == GeneratorObject::State::Running)
    return evaluation.failed(DiagId::NotSupportedYet, span, "a generator that consumes itself");
  return generator.state == GeneratorObject::State::Ended ||
         runFor(evaluation, generator, consumer, span, visit);
}

std::optional<Value> nextOf(Evaluation &evaluation, GeneratorObject &generator, Span span) {
  if (generator.taken == generator.values.size()) {
    Values values;
    auto keep = [&](Value value) {
      values.push_back(value);
      return evaluation.chargeLength(values.size(), span);
    };
    if (!forEachOf(evaluation, generator, Consumer::Builtin, span, keep))
      return std::nullopt;
    generator.values = std::move(values);
    generator.taken = 0;
  }
  return generator.taken == generator.values.size() ? Value() : generator.values[generator.taken++];
}

// Hands one value to the consumer, who runs where it stands.
static bool yieldOne(Evaluation &evaluation, RunningGenerator &running, Value value) {
  ControlFlow &control = evaluation.control;
  evaluation.leaveCall();
  bool goesOn = false;
  {
    StandAt consumer(evaluation.names, running.place);
    llvm::SaveAndRestore standIn(evaluation.ir.standIn, running.standIn);
    llvm::SaveAndRestore<RunningGenerator *> outer(control.generator, running.outer);
    llvm::SaveAndRestore<DeviceLoop *> loop(control.loop, running.loop);
    llvm::SaveAndRestore loopDepth(control.loopDeviceDepth, running.loopDeviceDepth);
    llvm::SaveAndRestore frameDepth(control.frameDeviceDepth, running.frameDeviceDepth);
    goesOn = running.visit(value);
  }
  evaluation.enterCall(running.generator.function->name, running.generator.span);
  running.hasEnough = !goesOn;
  return goesOn;
}

Flow execYield(Evaluation &evaluation, const ast::YieldStmt &stmt) {
  RunningGenerator *running = evaluation.control.generator;
  bool isOwn = running && evaluation.names.env == running->generator.env;
  if (!isOwn) {
    evaluation.fail(DiagId::UnsupportedSyntax, stmt.span, "yield");
    return Flow::Failed;
  }
  // An error of the consumer is none of the generator's.
  bool isInTry = evaluation.control.tryDepth != running->tryDepth;
  bool isOnDevice = evaluation.control.deviceDepth != running->deviceDepth;
  if (isInTry || (isOnDevice && running->consumer != Consumer::Loop)) {
    evaluation.fail(DiagId::NotSupportedYet, stmt.span,
                    isInTry ? "'yield' inside of 'try'" : "'yield' inside of a loop of the device");
    return Flow::Failed;
  }
  Value value = stmt.value ? eval(evaluation, stmt.value) : Value::none();
  if (!value)
    return Flow::Failed;
  auto pass = [&](Value item) { return yieldOne(evaluation, *running, item); };
  auto *inner = value.as<GeneratorObject>();
  bool done = !stmt.isFrom ? pass(value)
              : inner      ? forEachOf(evaluation, *inner, running->consumer, stmt.span, pass)
                           : forEach(evaluation, value, stmt.value->span, pass);
  if (!done && !running->hasEnough)
    return Flow::Failed;
  // A consumer that has enough ends the generator where it stands.
  return running->hasEnough ? Flow::Return : Flow::Normal;
}

Value pyIter(Args &args) {
  if (args["object"].is(ValueKind::Generator))
    return args["object"];
  std::optional<Values> items = toList(args.evaluation, args["object"], args.span);
  return items ? iteratorOver(args.evaluation, std::move(*items)) : Value();
}

Value pyNext(Args &args) {
  auto *generator = args["iterator"].as<GeneratorObject>();
  if (!generator)
    return args.wrongType("iterator", "an iterator");
  std::optional<Value> next = nextOf(args.evaluation, *generator, args.span);
  if (!next)
    return Value();
  if (*next)
    return *next;
  return args["default"] ? args["default"]
                         : args.evaluation.fail(DiagId::EmptySequence, args.span, "next");
}

} // namespace tilescope::frontend
