// What is known about variables: ranges where they are bound, facts where conditions hold.
#include "core/analysis/ir_affine.h"

#include "core/ir/visit.h"

namespace tilescope {

IrAffine::IrAffine(Context &context, const Function &function) : context_(context) {
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope != Scope::Global)
      written_.insert(buffer->id.value);
  declareParams(function);
  declareAll(function.body);
}

void IrAffine::setRange(const Expr *expr, Affine lower, Affine upper) {
  ranges_.set(symbolOf(expr).asAtom()->symbol, lower, upper);
}

void IrAffine::declareParams(const Function &function) {
  auto declareSize = [&](const Expr *expr) {
    const auto *var = llvm::dyn_cast<Var>(expr);
    if (!var)
      return;
    AffineBounds limits = typeBounds(var->dtype());
    // An empty tensor is a tensor.
    setRange(var, arithmetic_.constant(0),
             limits.upper ? arithmetic_.constant(*limits.upper + 1) : Affine());
  };
  for (const Param &param : function.params)
    if (param.var && isAffineType(param.var->dtype())) {
      AffineBounds limits = typeBounds(param.var->dtype());
      if (limits.lower)
        setRange(param.var, arithmetic_.constant(*limits.lower),
                 arithmetic_.constant(*limits.upper + 1));
    }
  for (const Buffer *buffer : function.buffers)
    for (const Expr *extent : buffer->shape)
      walk(extent, declareSize);
}

void IrAffine::declare(const Var *var, const Expr *min, const Expr *extent) {
  Affine first = convert(min);
  Affine count = convert(extent);
  // What a load gave when the loop began need not be what it gives inside.
  if (!isStable(min) || !isStable(extent)) {
    AffineBounds lowest = bounds(min);
    AffineBounds most = bounds(extent);
    first = lowest.lower ? arithmetic_.constant(*lowest.lower) : Affine();
    Affine last = lowest.upper ? arithmetic_.constant(*lowest.upper) : Affine();
    count = most.upper ? arithmetic_.constant(*most.upper) : Affine();
    setRange(var, first, arithmetic_.add(last, count));
    return;
  }
  setRange(var, first, arithmetic_.add(first, count));
}

void IrAffine::declareBind(const Var *var, const Expr *value) {
  bindValues_[var->id.value] = value;
}

void IrAffine::setBoundRange(const Var *var, const Expr *value) {
  if (!isAffineType(var->dtype()))
    return;
  Affine lower = convert(value);
  Affine upper = arithmetic_.add(lower, 1);
  if (!isStable(value)) {
    AffineBounds limits = lastingBounds(value);
    lower = limits.lower ? arithmetic_.constant(*limits.lower) : Affine();
    upper = limits.upper ? arithmetic_.add(arithmetic_.constant(*limits.upper), 1) : Affine();
  }
  setRange(var, lower, upper);
}

void IrAffine::declareAll(const Stmt *root) {
  walk(root, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context_, stmt))
      if (access.effect != Effect::Read)
        written_.insert(access.buffer.value);
    return true;
  });
  Builder builder(context_);
  walk(root, [&](const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      declare(loop->var, loop->min, loop->extent);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      declareBind(bind->var, bind->value);
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      for (auto [var, extent] : llvm::zip(parallel->vars, parallel->extents))
        declare(var, builder.integer(0, var->dtype()), extent);
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
      for (auto [var, extent] : llvm::zip(launch->blockVars, launch->gridExtents))
        declare(var, builder.integer(0, var->dtype()), extent);
      DType dtype = launch->threadVar->dtype();
      declare(launch->threadVar, builder.integer(0, dtype),
              builder.integer(launch->threads, dtype));
    }
    return true;
  });
}

bool IrAffine::isStable(const Expr *expr) const {
  bool isStable = true;
  walk(expr, [&](const Expr *part) {
    if (const auto *load = llvm::dyn_cast<Load>(part))
      isStable &= !isWritten(load->buffer);
  });
  return isStable;
}

Affine IrAffine::expandBinds(Affine value) {
  bool isChanged = false;
  auto valueOf = [&](SymbolId symbol) {
    const Expr *bound = bindValues_.lookup(symbol.value);
    if (!bound || !isStable(bound) || !isAffineType(bound->dtype()))
      return Affine();
    isChanged = true;
    return convert(bound);
  };
  Affine expanded = arithmetic_.substitute(value, valueOf, ranges_);
  // A bound value is made of values bound before it, so this ends.
  return isChanged && expanded.isKnown() ? expandBinds(expanded) : value;
}

bool IrAffine::dependsOn(const Expr *expr, const Var *var) const {
  bool isFound = false;
  walk(expr, [&](const Expr *part) {
    const auto *used = llvm::dyn_cast<Var>(part);
    if (!used || isFound)
      return;
    const Expr *bound = bindValues_.lookup(used->id.value);
    isFound = used == var || (bound && dependsOn(bound, var));
  });
  return isFound;
}

bool IrAffine::dependsOn(Affine value, const Var *var) const {
  bool isFound = false;
  forEachSymbol(value, [&](SymbolId symbol) { isFound |= dependsOn(exprOf(symbol), var); });
  return isFound;
}

// At the end of its range: beyond.
void IrAffine::assumeNotZero(Affine value) {
  AffineBounds limits = arithmetic_.bounds(value, ranges_);
  if (limits.lower && *limits.lower >= 0)
    ranges_.assumeNonNegative(arithmetic_.add(value, -1));
  else if (limits.upper && *limits.upper <= 0)
    ranges_.assumeNonNegative(arithmetic_.add(arithmetic_.scale(value, -1), -1));
}

size_t IrAffine::assume(const Expr *condition, bool holds, FactScope scope) {
  size_t mark = ranges_.facts().size();
  if (const auto *unary = llvm::dyn_cast<Unary>(condition); unary && unary->op == UnaryOp::Not) {
    assume(unary->operand, !holds, scope);
    return mark;
  }
  const auto *binary = llvm::dyn_cast<Binary>(condition);
  // `a and b` that holds says both; `a or b` that does not hold says neither.
  if (binary && binary->op == (holds ? BinaryOp::And : BinaryOp::Or)) {
    assume(binary->lhs, holds, scope);
    assume(binary->rhs, holds, scope);
    return mark;
  }
  if (scope == FactScope::Statements && !isStable(condition))
    return mark;
  std::optional<Comparison> comparison = convertComparison(condition);
  if (!comparison)
    return mark;
  Affine value = comparison->condition.value;
  bool isTrue = holds != comparison->isNegated;
  Affine negated = arithmetic_.scale(value, -1);
  if (comparison->condition.relation == AffineRelation::NonNegative) {
    ranges_.assumeNonNegative(
        arithmetic_.tightenNonNegative(isTrue ? value : arithmetic_.add(negated, -1)));
  } else if (isTrue) {
    ranges_.assumeNonNegative(value);
    ranges_.assumeNonNegative(negated);
  } else {
    assumeNotZero(value);
  }
  return mark;
}

void IrAffine::assumeThreads(const Var *thread, int64_t first, int64_t end) {
  constexpr int64_t Least = 4, Most = 128; // that layouts divide threads by
  for (int64_t divisor = Least; divisor <= Most; divisor *= 2) {
    Affine quotient = arithmetic_.floorDiv(convert(thread), arithmetic_.constant(divisor), ranges_);
    ranges_.assumeNonNegative(arithmetic_.add(quotient, -(first / divisor)));
    ranges_.assumeNonNegative(
        arithmetic_.subtract(arithmetic_.constant((end - 1) / divisor), quotient));
  }
}

namespace {

// That the body of a loop is reached says that the loop has iterations.
void assumePositive(IrAffine &affine, const Expr *extent) {
  if (llvm::isa<IntImm>(extent))
    return;
  Builder builder(affine.context());
  affine.assume(builder.binary(BinaryOp::Greater, extent, builder.integer(0, extent->dtype())),
                true, FactScope::Statements);
}

void assumeExtents(IrAffine &affine, const Stmt *stmt) {
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    assumePositive(affine, loop->extent);
  if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
    for (const Expr *extent : parallel->extents)
      assumePositive(affine, extent);
  if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
    for (const Expr *extent : launch->gridExtents)
      assumePositive(affine, extent);
}

} // namespace

size_t assumeInside(IrAffine &affine, const Stmt *parent, const Stmt *child) {
  size_t mark = affine.ranges().facts().size();
  assumeExtents(affine, parent);
  if (const auto *branch = llvm::dyn_cast<If>(parent))
    affine.assume(branch->condition, child == branch->thenBody, FactScope::Statements);
  const auto *role = llvm::dyn_cast<Role>(parent);
  if (role)
    affine.assumeThreads(role->threadVar, role->firstThread, role->endThread());
  return mark;
}

bool neverRuns(IrAffine &affine, const Stmt *parent, const Stmt *child) {
  auto isEmpty = [&](const Expr *extent) { return affine.bounds(extent).upper.value_or(1) <= 0; };
  if (const auto *loop = llvm::dyn_cast<For>(parent))
    return isEmpty(loop->extent);
  if (const auto *launch = llvm::dyn_cast<Launch>(parent))
    return llvm::any_of(launch->gridExtents, isEmpty);
  const auto *branch = llvm::dyn_cast<If>(parent);
  return branch && affine.prove(branch->condition) ==
                       (child == branch->thenBody ? Proof::False : Proof::True);
}

const Expr *mapOperandsWithFacts(IrAffine &affine, const Expr *expr,
                                 llvm::function_ref<const Expr *(const Expr *)> map) {
  auto mapUnder = [&](const Expr *condition, bool holds, const Expr *operand) {
    size_t mark = affine.assume(condition, holds, FactScope::Expression);
    const Expr *result = map(operand);
    affine.forget(mark);
    return result;
  };
  Builder builder(affine.context());
  if (const auto *select = llvm::dyn_cast<Select>(expr)) {
    const Expr *condition = map(select->condition);
    const Expr *whenTrue = mapUnder(condition, true, select->whenTrue);
    const Expr *whenFalse = mapUnder(condition, false, select->whenFalse);
    bool isSame = condition == select->condition && whenTrue == select->whenTrue &&
                  whenFalse == select->whenFalse;
    return isSame ? expr : builder.select(condition, whenTrue, whenFalse);
  }
  if (const auto *binary = llvm::dyn_cast<Binary>(expr);
      binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
    const Expr *lhs = map(binary->lhs);
    const Expr *rhs = mapUnder(lhs, binary->op == BinaryOp::And, binary->rhs);
    bool isSame = lhs == binary->lhs && rhs == binary->rhs;
    return isSame ? expr : builder.binary(binary->op, lhs, rhs);
  }
  return mapChildren(affine.context(), expr, map);
}

} // namespace tilescope
