#include "core/frontend/loops.h"

#include "core/frontend/assignment.h"
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/expressions.h"
#include "core/frontend/generators.h"
#include "core/frontend/iteration.h"
#include "core/frontend/jumps.h"
#include "core/frontend/persistent_loop.h"
#include "core/frontend/statements.h"
#include "core/ir/visit.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

static Flow execPythonFor(Evaluation &evaluation, const ast::ForStmt &stmt, Value iterable) {
  Flow flow = Flow::Normal;
  ControlFlow &control = evaluation.control;
  llvm::SaveAndRestore<DeviceLoop *> outer(control.loop, nullptr);
  llvm::SaveAndRestore depth(control.loopDeviceDepth, control.deviceDepth);
  auto visit = [&](Value item) {
    if (!bindTarget(evaluation, stmt.target, item)) {
      flow = Flow::Failed;
      return false;
    }
    flow = execBlock(evaluation, stmt.body);
    if (flow == Flow::Continue)
      flow = Flow::Normal;
    return flow == Flow::Normal && evaluation.step(stmt.span);
  };
  auto *generator = iterable.as<GeneratorObject>();
  bool completed = generator
                       ? forEachOf(evaluation, *generator, Consumer::Loop, stmt.iter->span, visit)
                       : forEach(evaluation, iterable, stmt.iter->span, visit);
  if (flow == Flow::Break)
    return Flow::Normal;
  if (flow != Flow::Normal)
    return flow;
  return completed ? execBlock(evaluation, stmt.orelse) : Flow::Failed;
}

// The names that the header gives to the loop's variables; "_" stands for none.
static llvm::SmallVector<std::string, 4> variableNames(const ast::Expr &target, size_t count) {
  llvm::SmallVector<llvm::StringRef, 4> given;
  collectTargetNames(&target, given);
  llvm::SmallVector<std::string, 4> names;
  for (size_t i = 0; i < count; ++i) {
    bool isNamed = given.size() == count && given[i] != "_";
    names.push_back(isNamed ? given[i].str() : "i");
  }
  return names;
}

static Flow execLoopBody(Evaluation &evaluation, const ast::ForStmt &stmt, DeviceLoop &loop,
                         llvm::ArrayRef<Value> variables) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  collectTargetNames(stmt.target, names);
  bool isTuple = llvm::isa<ast::TupleExpr, ast::ListExpr>(stmt.target);
  Value value =
      variables.size() == 1 && !isTuple ? variables[0] : evaluation.heap.tuple(Values(variables));
  if (names.size() != variables.size() && isTuple) {
    evaluation.fail(DiagId::UnpackCount, stmt.target->span, names.size(), variables.size());
    return Flow::Failed;
  }
  if (!bindTarget(evaluation, stmt.target, value))
    return Flow::Failed;
  return collectLoopBody(evaluation, loop, [&] { return execBlock(evaluation, stmt.body); });
}

// What `break` and `continue` cannot end; "": they can.
static llvm::StringRef unendingName(const LoopObject &loop) {
  using Form = LoopObject::Form;
  switch (loop.form) {
  case Form::Parallel:
    return "T.Parallel";
  case Form::Vectorized:
    return "T.vectorized";
  case Form::Grid:
    return loop.extents.size() > 1 ? "T.grid" : "";
  case Form::Persistent:
    return "T.Persistent";
  case Form::Serial:
  case Form::Unrolled:
  case Form::Pipelined:
    return "";
  }
  return "";
}

// A nest of parallel loops, one right inside the other, is one loop over all of them.
static void emitParallel(Evaluation &evaluation, const LoopObject &loop, const StmtInfo &info,
                         llvm::ArrayRef<const Var *> vars, const Stmt *body) {
  llvm::SmallVector<const Var *> allVars(vars);
  llvm::SmallVector<const Expr *> extents(loop.extents.begin(), loop.extents.end());
  int64_t width = loop.coalescedWidth;
  const auto *seq = llvm::dyn_cast<Seq>(body);
  const auto *inner =
      llvm::dyn_cast<Parallel>(seq && seq->stmts.size() == 1 ? seq->stmts[0] : body);
  bool isRectangle =
      inner && llvm::none_of(inner->extents, [&](const Expr *extent) {
        bool found = false;
        walk(extent, [&](const Expr *part) { found |= llvm::is_contained(vars, part); });
        return found;
      });
  if (isRectangle) {
    llvm::append_range(allVars, inner->vars);
    llvm::append_range(extents, inner->extents);
    width = inner->coalescedWidth;
    body = inner->body;
  }
  evaluation.kernel->emit(
      evaluation.context.make<Parallel>(info, evaluation.context.copy<const Var *>(allVars),
                                        evaluation.context.copy<const Expr *>(extents), body, width,
                                        isRectangle ? nullptr : loop.layout));
}

// Closes the blocks that execDeviceFor opened.
static void emitLoop(Evaluation &evaluation, const LoopObject &loop, const StmtInfo &info,
                     llvm::ArrayRef<const Var *> vars, Span span) {
  using Form = LoopObject::Form;
  const Stmt *body = evaluation.kernel->pop(span);
  if (loop.form == Form::Parallel)
    return emitParallel(evaluation, loop, info, vars, body);
  ForKind kind = loop.form == Form::Unrolled     ? ForKind::Unrolled
                 : loop.form == Form::Vectorized ? ForKind::Vectorized
                 : loop.form == Form::Pipelined  ? ForKind::Pipelined
                                                 : ForKind::Serial;
  const Pipeline *pipeline = nullptr;
  if (kind == ForKind::Pipelined) {
    Pipeline request;
    request.numStages = loop.numStages;
    request.order = evaluation.context.copy<int64_t>(loop.order);
    request.stage = evaluation.context.copy<int64_t>(loop.stage);
    pipeline = evaluation.context.make<Pipeline>(request);
  }
  for (size_t level = loop.form == Form::Grid ? loop.extents.size() : 1; level-- > 0;) {
    const Expr *zero = evaluation.ir.integer(0, vars[level]->dtype());
    bool startsAtZero = !loop.start || loop.step != 1 || loop.stride;
    StmtInfo own = level == 0 ? info : evaluation.ir.fresh(span);
    const Stmt *stmt =
        evaluation.context.make<For>(own, vars[level], startsAtZero ? zero : loop.start,
                                     loop.extents[level], kind, body, pipeline);
    evaluation.kernel->emit(stmt);
    if (level != 0)
      body = evaluation.kernel->pop(span);
  }
}

static Flow execDeviceFor(Evaluation &evaluation, const ast::ForStmt &stmt, LoopObject &loop) {
  Span span = join(stmt.span, stmt.iter->span);
  StmtInfo info = evaluation.ir.fresh(span);
  size_t levels = loop.form == LoopObject::Form::Grid ? loop.extents.size() : 1;
  for (size_t i = 0; i < levels; ++i)
    evaluation.kernel->push();
  llvm::SmallVector<const Var *, 4> vars;
  llvm::SmallVector<Value, 4> values;
  llvm::SmallVector<std::string, 4> names = variableNames(*stmt.target, loop.extents.size());
  for (size_t i = 0; i < loop.extents.size(); ++i) {
    DType dtype = loop.extents[i]->dtype();
    std::optional<int64_t> extent = constantValue(loop.extents[i]);
    // What threads share has 32 bits; what the kernel computes of it has those that it asked for.
    if (loop.form == LoopObject::Form::Parallel && extent && *extent <= INT32_MAX)
      loop.extents[i] = evaluation.ir.integer(*extent);
    vars.push_back(evaluation.kernel->newVar(names[i], loop.extents[i]->dtype()));
    values.push_back(Value::expr(evaluation.ir.cast(dtype, vars.back())));
  }
  Flow flow = Flow::Normal;
  if (loop.step != 1 || loop.stride) {
    // The variable counts iterations; the name stands for where the iteration is.
    const Expr *stride =
        loop.stride ? loop.stride : evaluation.ir.integer(loop.step, vars[0]->dtype());
    const Expr *place = evaluation.ir.add(loop.start, evaluation.ir.mul(vars[0], stride));
    values[0] = Value::expr(evaluation.kernel->bind(names[0], place, span));
  }
  DeviceLoop device{unendingName(loop)};
  flow = execLoopBody(evaluation, stmt, device, values);
  emitLoop(evaluation, loop, info, vars, span);
  return flow == Flow::Normal ? execElse(evaluation, device, stmt.orelse) : flow;
}

static Flow execPersistentFor(Evaluation &evaluation, const ast::ForStmt &stmt,
                              const LoopObject &loop) {
  DeviceLoop device{unendingName(loop)};
  return execPersistent(evaluation, loop, variableNames(*stmt.target, loop.domain.size()),
                        join(stmt.span, stmt.iter->span), [&](llvm::ArrayRef<Value> coordinates) {
                          return execLoopBody(evaluation, stmt, device, coordinates);
                        });
}

Flow execFor(Evaluation &evaluation, const ast::ForStmt &stmt) {
  Value iterable = eval(evaluation, stmt.iter);
  if (!iterable)
    return Flow::Failed;
  bool isKernelCode = evaluation.isKernelCode();
  if (auto *loop = iterable.as<LoopObject>()) {
    if (!isKernelCode) {
      evaluation.fail(DiagId::OutsideKernel, stmt.iter->span, "a device loop");
      return Flow::Failed;
    }
    return loop->form == LoopObject::Form::Persistent ? execPersistentFor(evaluation, stmt, *loop)
                                                      : execDeviceFor(evaluation, stmt, *loop);
  }
  auto *range = iterable.as<RangeObject>();
  if (range && isKernelCode) {
    LoopObject *loop =
        loopOver(evaluation, Value::integer(range->start), Value::integer(range->stop), range->step,
                 LoopObject::Form::Serial, stmt.iter->span);
    return loop ? execDeviceFor(evaluation, stmt, *loop) : Flow::Failed;
  }
  return execPythonFor(evaluation, stmt, iterable);
}

LoopObject *loopOver(Evaluation &evaluation, Value start, Value stop, int64_t step,
                     LoopObject::Form form, Span span) {
  if (!evaluation.requireKernel("a device loop", span))
    return nullptr;
  if (step == 0) {
    evaluation.fail(DiagId::ZeroStep, span);
    return nullptr;
  }
  const Expr *first = toIndex(evaluation, start, "the start of a loop", span);
  const Expr *last = first ? toIndex(evaluation, stop, "the end of a loop", span) : nullptr;
  if (!last)
    return nullptr;
  std::optional<ExprPair> ends = unify(evaluation, Value::expr(first), Value::expr(last), span);
  if (!ends)
    return nullptr;
  auto *loop = evaluation.heap.make<LoopObject>();
  loop->form = form;
  loop->start = ends->lhs;
  loop->step = step;
  const Expr *length = step > 0 ? distance(evaluation.ir, ends->lhs, ends->rhs)
                                : distance(evaluation.ir, ends->rhs, ends->lhs);
  if (int64_t stride = step > 0 ? step : -step; stride != 1) {
    const Expr *rounded =
        evaluation.ir.add(length, evaluation.ir.integer(stride - 1, length->dtype()));
    length = evaluation.ir.floorDiv(rounded, evaluation.ir.integer(stride, length->dtype()));
  }
  loop->extents.push_back(length);
  return loop;
}

LoopObject *loopOverBy(Evaluation &evaluation, Value start, Value stop, const Expr *step,
                       LoopObject::Form form, Span span) {
  Builder &ir = evaluation.ir;
  LoopObject *loop = loopOver(evaluation, start, stop, 1, form, span);
  if (!loop)
    return nullptr;
  // The body may write what it is read from.
  if (readsMemory(step))
    step = evaluation.kernel->bind("step", step, span);
  const Expr *&length = loop->extents.front();
  std::optional<ExprPair> pair = unify(evaluation, Value::expr(length), Value::expr(step), span);
  if (!pair)
    return nullptr;
  loop->start = ir.cast(pair->lhs->dtype(), loop->start);
  loop->stride = pair->rhs;
  const Expr *rounded = ir.add(pair->lhs, ir.sub(pair->rhs, ir.integer(1, pair->rhs->dtype())));
  length = ir.floorDiv(rounded, pair->rhs);
  return loop;
}

} // namespace tilescope::frontend
