// `for`: over Python values it runs while the kernel is built; over a loop of the device the body
// runs once and becomes the loop's body.
#include "core/frontend/interpreter.h"

namespace tilescope::frontend {

Flow Interpreter::execFor(const ast::ForStmt &stmt) {
  Value iterable = eval(stmt.iter);
  if (!iterable)
    return Flow::Failed;
  bool isKernelCode = env_ && env_->isKernel && kernel_;
  if (auto *loop = iterable.as<LoopObject>()) {
    if (!isKernelCode) {
      fail(DiagId::OutsideKernel, stmt.iter->span, "a device loop");
      return Flow::Failed;
    }
    return execDeviceFor(stmt, *loop);
  }
  auto *range = iterable.as<RangeObject>();
  if (range && isKernelCode) {
    LoopObject *loop = loopOver(Value::integer(range->start), Value::integer(range->stop),
                                range->step, LoopObject::Form::Serial, stmt.iter->span);
    return loop ? execDeviceFor(stmt, *loop) : Flow::Failed;
  }
  return execPythonFor(stmt, iterable);
}

Flow Interpreter::execPythonFor(const ast::ForStmt &stmt, Value iterable) {
  Flow flow = Flow::Normal;
  bool completed = forEach(iterable, stmt.iter->span, [&](Value item) {
    if (!bindTarget(stmt.target, item)) {
      flow = Flow::Failed;
      return false;
    }
    flow = execBlock(stmt.body);
    if (flow == Flow::Continue)
      flow = Flow::Normal;
    return flow == Flow::Normal && step(stmt.span);
  });
  if (flow == Flow::Break)
    return Flow::Normal;
  if (flow != Flow::Normal)
    return flow;
  return completed ? execBlock(stmt.orelse) : Flow::Failed;
}

// A loop from `start` to `stop`; null after reporting.
LoopObject *Interpreter::loopOver(Value start, Value stop, int64_t step, LoopObject::Form form,
                                  Span span) {
  if (!requireKernel("a device loop", span))
    return nullptr;
  if (step == 0) {
    fail(DiagId::ZeroStep, span);
    return nullptr;
  }
  const Expr *first = toIndex(start, "the start of a loop", span);
  const Expr *last = first ? toIndex(stop, "the end of a loop", span) : nullptr;
  if (!last)
    return nullptr;
  std::optional<Pair> ends = unify(Value::expr(first), Value::expr(last), span);
  if (!ends)
    return nullptr;
  auto *loop = heap_.make<LoopObject>();
  loop->form = form;
  loop->start = ends->lhs;
  loop->step = step;
  const Expr *length = step > 0 ? distance(ends->lhs, ends->rhs) : distance(ends->rhs, ends->lhs);
  if (int64_t stride = step > 0 ? step : -step; stride != 1) {
    const Expr *rounded = ir().add(length, ir().integer(stride - 1, length->dtype()));
    length = ir().floorDiv(rounded, ir().integer(stride, length->dtype()));
  }
  loop->extents.push_back(length);
  return loop;
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

Flow Interpreter::execDeviceFor(const ast::ForStmt &stmt, LoopObject &loop) {
  Span span = join(stmt.span, stmt.iter->span);
  StmtInfo info = ir().fresh(span);
  size_t levels = loop.form == LoopObject::Form::Grid ? loop.extents.size() : 1;
  for (size_t i = 0; i < levels; ++i)
    kernel_->push();
  llvm::SmallVector<const Var *, 4> vars;
  llvm::SmallVector<Value, 4> values;
  llvm::SmallVector<std::string, 4> names = variableNames(*stmt.target, loop.extents.size());
  for (size_t i = 0; i < loop.extents.size(); ++i) {
    vars.push_back(kernel_->newVar(names[i], loop.extents[i]->dtype()));
    values.push_back(Value::expr(vars.back()));
  }
  Flow flow = Flow::Normal;
  if (loop.step != 1) {
    // The variable counts iterations; the name stands for where the iteration is.
    const Expr *stride = ir().integer(loop.step, vars[0]->dtype());
    const Expr *place = ir().add(loop.start, ir().mul(vars[0], stride));
    values[0] = Value::expr(kernel_->bind(names[0], place, span));
  }
  flow = execLoopBody(stmt, values);
  emitLoop(loop, info, vars, span);
  return flow;
}

Flow Interpreter::execLoopBody(const ast::ForStmt &stmt, llvm::ArrayRef<Value> variables) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  collectTargetNames(stmt.target, names);
  bool isTuple = llvm::isa<ast::TupleExpr, ast::ListExpr>(stmt.target);
  Value value = variables.size() == 1 && !isTuple ? variables[0] : heap_.tuple(Values(variables));
  if (names.size() != variables.size() && isTuple) {
    fail(DiagId::UnpackCount, stmt.target->span, names.size(), variables.size());
    return Flow::Failed;
  }
  if (!bindTarget(stmt.target, value))
    return Flow::Failed;
  ++deviceDepth_;
  Flow flow = execBlock(stmt.body);
  --deviceDepth_;
  return flow;
}

// A nest of parallel loops, one right inside the other, is one loop over all of them.
void Interpreter::emitParallel(const LoopObject &loop, const StmtInfo &info,
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
  kernel_->emit(context_.make<Parallel>(info, context_.copy<const Var *>(allVars),
                                        context_.copy<const Expr *>(extents), body, width));
}

// Closes the blocks that execDeviceFor opened.
void Interpreter::emitLoop(const LoopObject &loop, const StmtInfo &info,
                           llvm::ArrayRef<const Var *> vars, Span span) {
  using Form = LoopObject::Form;
  const Stmt *body = kernel_->pop(span);
  if (loop.form == Form::Parallel)
    return emitParallel(loop, info, vars, body);
  ForKind kind = loop.form == Form::Unrolled     ? ForKind::Unrolled
                 : loop.form == Form::Vectorized ? ForKind::Vectorized
                 : loop.form == Form::Pipelined  ? ForKind::Pipelined
                                                 : ForKind::Serial;
  const Pipeline *pipeline = nullptr;
  if (kind == ForKind::Pipelined) {
    Pipeline request;
    request.numStages = loop.numStages;
    request.order = context_.copy<int64_t>(loop.order);
    request.stage = context_.copy<int64_t>(loop.stage);
    pipeline = context_.make<Pipeline>(request);
  }
  for (size_t level = loop.form == Form::Grid ? loop.extents.size() : 1; level-- > 0;) {
    const Expr *zero = ir().integer(0, vars[level]->dtype());
    bool startsAtZero = !loop.start || loop.step != 1;
    StmtInfo own = level == 0 ? info : ir().fresh(span);
    const Stmt *stmt = context_.make<For>(own, vars[level], startsAtZero ? zero : loop.start,
                                          loop.extents[level], kind, body, pipeline);
    kernel_->emit(stmt);
    if (level != 0)
      body = kernel_->pop(span);
  }
}

} // namespace tilescope::frontend
