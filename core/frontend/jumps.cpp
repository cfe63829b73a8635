#include "core/frontend/jumps.h"

#include "core/frontend/kernel_builder.h"
#include "core/frontend/statements.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

static const Stmt *setSkips(Evaluation &evaluation, const BufferObject &skips, int64_t value,
                            Span span) {
  Builder &ir = evaluation.ir;
  ExprList first = ir.context().copy<const Expr *>({ir.integer(0)});
  return ir.context().make<Store>(ir.fresh(span), skips.draft.id, nullptr, first,
                                  ir.integer(value));
}

// That the thread has not ended the iteration.
static const Expr *goesOn(Evaluation &evaluation, const BufferObject &skips) {
  Builder &ir = evaluation.ir;
  ExprList first = ir.context().copy<const Expr *>({ir.integer(0)});
  const Expr *value = ir.context().make<Load>(skips.draft.dtype, skips.draft.id, nullptr, first);
  return ir.binary(BinaryOp::Equal, value, ir.integer(0));
}

// Of branches right inside of the loop's body what follows goes into the other side.
static void skipRest(Evaluation &evaluation, DeviceLoop &loop, Span span) {
  if (evaluation.control.bodies.size() <= loop.body + 2)
    return;
  if (!loop.skips) {
    loop.skips = evaluation.kernel->addBuffer(evaluation.heap, DType::int32(),
                                              {evaluation.ir.integer(1)}, Scope::LocalVar, span);
    evaluation.kernel->nameBuffer(*loop.skips, "skips");
  }
  evaluation.kernel->emit(setSkips(evaluation, *loop.skips, 1, span));
}

Flow jump(Evaluation &evaluation, bool isBreak, Span span) {
  ControlFlow &control = evaluation.control;
  llvm::StringRef word = isBreak ? "'break'" : "'continue'";
  DeviceLoop *loop = control.loop;
  if (!loop && control.deviceDepth == control.loopDeviceDepth)
    return isBreak ? Flow::Break : Flow::Continue;
  if (!loop || !loop->name.empty()) {
    llvm::StringRef name = loop ? loop->name : "a loop of Python, which the device decides,";
    evaluation.fail(DiagId::NotSupportedYet, span, (word + " of " + name).str());
    return Flow::Failed;
  }
  skipRest(evaluation, *loop, span);
  if (isBreak)
    evaluation.kernel->emit(evaluation.context.make<Break>(evaluation.ir.fresh(span)));
  loop->hasBreak |= isBreak;
  return isBreak ? Flow::Break : Flow::Continue;
}

Flow leaveLaunch(Evaluation &evaluation, Span span) {
  DeviceLoop *loop = evaluation.control.loop;
  bool isDirect = loop && loop->isLaunch && evaluation.callDepth() == loop->callDepth;
  if (!isDirect) {
    evaluation.fail(DiagId::NotSupportedYet, span,
                    "leaving the kernel inside of a loop or of a function that it calls");
    return Flow::Failed;
  }
  skipRest(evaluation, *loop, span);
  return Flow::Continue;
}

static void closeIfs(Evaluation &evaluation) {
  for (const DeviceBody::OpenIf &open : llvm::reverse(evaluation.control.bodies.back().open)) {
    const Stmt *side = evaluation.kernel->pop(open.info.span);
    const Stmt *whenTrue = open.isThenOpen ? side : open.ended;
    const Stmt *whenFalse = open.isThenOpen ? open.ended : side;
    evaluation.kernel->emit(
        evaluation.context.make<If>(open.info, open.condition, whenTrue, whenFalse));
  }
}

Flow collectBody(Evaluation &evaluation, llvm::function_ref<Flow()> body) {
  ControlFlow &control = evaluation.control;
  control.bodies.emplace_back();
  ++control.deviceDepth;
  Flow flow = body();
  --control.deviceDepth;
  closeIfs(evaluation);
  control.bodies.pop_back();
  return flow;
}

Flow collectLaunch(Evaluation &evaluation, llvm::function_ref<Flow()> body) {
  ControlFlow &control = evaluation.control;
  DeviceLoop launch{"the launch", control.bodies.size()};
  launch.isLaunch = true;
  launch.callDepth = evaluation.callDepth();
  llvm::SaveAndRestore outer(control.loop, &launch);
  control.bodies.emplace_back();
  Flow flow = body();
  closeIfs(evaluation);
  control.bodies.pop_back();
  if (launch.skips)
    evaluation.kernel->emitFirst(setSkips(evaluation, *launch.skips, 0, launch.skips->draft.span));
  return flow == Flow::Continue ? Flow::Normal : flow;
}

Flow collectLoopBody(Evaluation &evaluation, DeviceLoop &loop, llvm::function_ref<Flow()> body) {
  ControlFlow &control = evaluation.control;
  llvm::SaveAndRestore outer(control.loop, &loop);
  loop.body = control.bodies.size();
  Flow flow = collectBody(evaluation, body);
  if (loop.skips)
    evaluation.kernel->emitFirst(setSkips(evaluation, *loop.skips, 0, loop.skips->draft.span));
  return flow == Flow::Break || flow == Flow::Continue ? Flow::Normal : flow;
}

void emitAll(KernelBuilder &kernel, const Stmt *body) {
  StmtList stmts = body;
  if (const auto *seq = llvm::dyn_cast<Seq>(body))
    stmts = seq->stmts;
  for (const Stmt *stmt : stmts)
    kernel.emit(stmt);
}

Flow execElse(Evaluation &evaluation, const DeviceLoop &loop, ast::StmtList orelse) {
  if (orelse.empty() || !loop.hasBreak)
    return execBlock(evaluation, orelse);
  evaluation.fail(DiagId::NotSupportedYet, orelse.front()->span,
                  "the 'else' of a loop that a 'break' may end");
  return Flow::Failed;
}

void openIf(Evaluation &evaluation, const DeviceBody::OpenIf &open, const Stmt *openSide) {
  DeviceBody &body = evaluation.control.bodies.back();
  body.hasJumped = true;
  body.open.push_back(open);
  evaluation.kernel->push();
  if (openSide)
    emitAll(*evaluation.kernel, openSide);
}

Flow emitDeviceIf(Evaluation &evaluation, const StmtInfo &info, const Expr *condition,
                  const DeviceSide &whenTrue, const DeviceSide &whenFalse) {
  if (whenTrue.ends() == whenFalse.ends())
    evaluation.kernel->emit(
        evaluation.context.make<If>(info, condition, whenTrue.body, whenFalse.body));
  if (whenTrue.ends() && whenFalse.ends())
    return Flow::Continue;
  if (whenTrue.ends())
    openIf(evaluation, {info, condition, whenTrue.body, false}, whenFalse.body);
  else if (whenFalse.ends())
    openIf(evaluation, {info, condition, whenFalse.body, true}, whenTrue.body);
  bool isUnsure =
      (!whenTrue.ends() && whenTrue.hasJumped) || (!whenFalse.ends() && whenFalse.hasJumped);
  if (isUnsure)
    openIf(evaluation,
           {evaluation.ir.fresh(info.span), goesOn(evaluation, *evaluation.control.loop->skips),
            nullptr, true},
           nullptr);
  return Flow::Normal;
}

} // namespace tilescope::frontend
