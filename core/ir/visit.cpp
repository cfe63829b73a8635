#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

// Maps a list; returns the same storage if nothing changed.
ExprList mapList(Context &context, ExprList list,
                 llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  llvm::SmallVector<const Expr *> mapped;
  for (const Expr *expr : list)
    mapped.push_back(expr ? rewrite(expr) : nullptr);
  if (llvm::ArrayRef<const Expr *>(mapped) == list)
    return list;
  return context.copy<const Expr *>(mapped);
}

const Expr *mapOptional(const Expr *expr, llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  return expr ? rewrite(expr) : nullptr;
}

llvm::ArrayRef<Range> mapRanges(Context &context, llvm::ArrayRef<Range> ranges,
                                llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  llvm::SmallVector<Range> mapped;
  bool changed = false;
  for (const Range &range : ranges) {
    mapped.push_back({rewrite(range.min), rewrite(range.extent)});
    changed |= mapped.back().min != range.min || mapped.back().extent != range.extent;
  }
  return changed ? context.copy<Range>(mapped) : ranges;
}

llvm::ArrayRef<BufferRegion> mapRegions(Context &context, llvm::ArrayRef<BufferRegion> regions,
                                        llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  llvm::SmallVector<BufferRegion> mapped;
  bool changed = false;
  for (const BufferRegion &region : regions) {
    BufferRegion result = region;
    result.slot = mapOptional(region.slot, rewrite);
    result.ranges = mapRanges(context, region.ranges, rewrite);
    changed |= result.slot != region.slot || result.ranges.data() != region.ranges.data();
    mapped.push_back(result);
  }
  return changed ? context.copy<BufferRegion>(mapped) : regions;
}

} // namespace

const Expr *mapChildren(Context &context, const Expr *expr,
                        llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  switch (expr->kind()) {
  case ExprKind::IntImm:
  case ExprKind::FloatImm:
  case ExprKind::Var:
    return expr;
  case ExprKind::Unary: {
    const auto *node = llvm::cast<Unary>(expr);
    const Expr *operand = rewrite(node->operand);
    return operand == node->operand ? expr : Builder(context).unary(node->op, operand);
  }
  case ExprKind::Binary: {
    const auto *node = llvm::cast<Binary>(expr);
    const Expr *lhs = rewrite(node->lhs);
    const Expr *rhs = rewrite(node->rhs);
    if (lhs == node->lhs && rhs == node->rhs)
      return expr;
    return Builder(context).binary(node->op, lhs, rhs);
  }
  case ExprKind::Cast: {
    const auto *node = llvm::cast<Cast>(expr);
    const Expr *operand = rewrite(node->operand);
    return operand == node->operand ? expr : Builder(context).cast(node->dtype(), operand);
  }
  case ExprKind::Select: {
    const auto *node = llvm::cast<Select>(expr);
    const Expr *condition = rewrite(node->condition);
    const Expr *whenTrue = rewrite(node->whenTrue);
    const Expr *whenFalse = rewrite(node->whenFalse);
    if (condition == node->condition && whenTrue == node->whenTrue && whenFalse == node->whenFalse)
      return expr;
    return Builder(context).select(condition, whenTrue, whenFalse);
  }
  case ExprKind::Load: {
    const auto *node = llvm::cast<Load>(expr);
    const Expr *slot = mapOptional(node->slot, rewrite);
    ExprList indices = mapList(context, node->indices, rewrite);
    if (slot == node->slot && indices.data() == node->indices.data())
      return expr;
    return context.make<Load>(node->dtype(), node->buffer, slot, indices);
  }
  case ExprKind::Math: {
    const auto *node = llvm::cast<Math>(expr);
    ExprList args = mapList(context, node->args, rewrite);
    return args.data() == node->args.data() ? expr
                                            : context.make<Math>(node->fn, node->dtype(), args);
  }
  }
  return expr;
}

void forEachChild(const Expr *expr, llvm::function_ref<void(const Expr *)> visit) {
  if (const auto *unary = llvm::dyn_cast<Unary>(expr)) {
    visit(unary->operand);
  } else if (const auto *binary = llvm::dyn_cast<Binary>(expr)) {
    visit(binary->lhs);
    visit(binary->rhs);
  } else if (const auto *cast = llvm::dyn_cast<Cast>(expr)) {
    visit(cast->operand);
  } else if (const auto *select = llvm::dyn_cast<Select>(expr)) {
    visit(select->condition);
    visit(select->whenTrue);
    visit(select->whenFalse);
  } else if (const auto *load = llvm::dyn_cast<Load>(expr)) {
    if (load->slot)
      visit(load->slot);
    llvm::for_each(load->indices, visit);
  } else if (const auto *math = llvm::dyn_cast<Math>(expr)) {
    llvm::for_each(math->args, visit);
  }
}

void walk(const Expr *expr, llvm::function_ref<void(const Expr *)> visit) {
  visit(expr);
  forEachChild(expr, [&](const Expr *child) { walk(child, visit); });
}

bool readsMemory(const Expr *expr) {
  bool found = false;
  walk(expr, [&](const Expr *part) { found |= llvm::isa<Load>(part); });
  return found;
}

void forEachChild(const Stmt *stmt, llvm::function_ref<void(const Stmt *)> visit) {
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
    llvm::for_each(seq->stmts, visit);
  } else if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
    visit(loop->body);
  } else if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt)) {
    visit(parallel->body);
  } else if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    visit(branch->thenBody);
    if (branch->elseBody)
      visit(branch->elseBody);
  } else if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
    visit(launch->body);
  }
}

void walk(const Stmt *stmt, llvm::function_ref<bool(const Stmt *)> visit) {
  if (visit(stmt))
    forEachChild(stmt, [&](const Stmt *child) { walk(child, visit); });
}

bool holdsRoles(const Function &function) {
  bool found = false;
  walk(function.body, [&](const Stmt *stmt) {
    found |= llvm::isa<Role>(stmt);
    return !found && !llvm::isa<Parallel, OpStmt>(stmt);
  });
  return found;
}

// Whether a Break of the loop whose body this is stands in it.
static bool holdsBreak(const Stmt *body) {
  bool found = false;
  walk(body, [&](const Stmt *stmt) {
    found |= llvm::isa<Break>(stmt);
    return !found && !llvm::isa<For>(stmt);
  });
  return found;
}

bool mayEndEarly(const For &loop) { return holdsBreak(loop.body); }

static bool breaksAreLast(const Stmt *body) {
  if (!body)
    return true;
  if (const auto *branch = llvm::dyn_cast<If>(body))
    return breaksAreLast(branch->thenBody) && breaksAreLast(branch->elseBody);
  const auto *seq = llvm::dyn_cast<Seq>(body);
  if (!seq || seq->stmts.empty())
    return true;
  return llvm::none_of(seq->stmts.drop_back(), holdsBreak) && breaksAreLast(seq->stmts.back());
}

bool endsInPlace(const For &loop) { return breaksAreLast(loop.body); }

llvm::SmallVector<const Var *> varsBoundBy(const Stmt *stmt) {
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    return {loop->var};
  if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
    return llvm::SmallVector<const Var *>(parallel->vars);
  if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
    return {bind->var};
  llvm::SmallVector<const Var *> vars;
  if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
    vars.append(launch->blockVars.begin(), launch->blockVars.end());
    vars.push_back(launch->threadVar);
  }
  return vars;
}

void forEachExpr(const Stmt *stmt, llvm::function_ref<void(const Expr *)> visit) {
  auto visitOptional = [&](const Expr *expr) {
    if (expr)
      visit(expr);
  };
  if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
    visit(loop->min);
    visit(loop->extent);
  } else if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt)) {
    llvm::for_each(parallel->extents, visit);
    llvm::for_each(parallel->written, visit);
  } else if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    visit(branch->condition);
  } else if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
    visit(bind->value);
  } else if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
    visitOptional(store->slot);
    llvm::for_each(store->indices, visit);
    visit(store->value);
  } else if (const auto *op = llvm::dyn_cast<OpStmt>(stmt)) {
    for (const BufferRegion &region : op->regions) {
      visitOptional(region.slot);
      for (const Range &range : region.ranges) {
        visit(range.min);
        visit(range.extent);
      }
    }
    llvm::for_each(op->args, visitOptional);
  } else if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
    llvm::for_each(launch->gridExtents, visit);
  }
}

const Expr *rewriteExpr(Context &context, const Expr *expr,
                        llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  return rewrite(mapChildren(
      context, expr, [&](const Expr *operand) { return rewriteExpr(context, operand, rewrite); }));
}

static const Stmt *mapExprsOfStore(Context &context, const Store &store,
                                   llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  const Expr *slot = mapOptional(store.slot, rewrite);
  ExprList indices = mapList(context, store.indices, rewrite);
  const Expr *value = rewrite(store.value);
  if (slot == store.slot && indices.data() == store.indices.data() && value == store.value)
    return &store;
  return context.make<Store>(store.info(), store.buffer, slot, indices, value);
}

static const Stmt *mapExprsOfOp(Context &context, const OpStmt &op,
                                llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  llvm::ArrayRef<BufferRegion> regions = mapRegions(context, op.regions, rewrite);
  ExprList args = mapList(context, op.args, rewrite);
  if (regions.data() == op.regions.data() && args.data() == op.args.data())
    return &op;
  return context.make<OpStmt>(op.info(), op.op, regions, args, op.attrs);
}

const Stmt *mapExprs(Context &context, const Stmt *stmt,
                     llvm::function_ref<const Expr *(const Expr *)> rewrite) {
  switch (stmt->kind()) {
  case StmtKind::Seq:
  case StmtKind::Break:
    return stmt;
  case StmtKind::For: {
    const auto *node = llvm::cast<For>(stmt);
    const Expr *min = rewrite(node->min);
    const Expr *extent = rewrite(node->extent);
    if (min == node->min && extent == node->extent)
      return stmt;
    return context.make<For>(node->info(), node->var, min, extent, node->forKind, node->body,
                             node->pipeline);
  }
  case StmtKind::Parallel: {
    const auto *node = llvm::cast<Parallel>(stmt);
    ExprList extents = mapList(context, node->extents, rewrite);
    ExprList written = mapList(context, node->written, rewrite);
    if (extents.data() == node->extents.data() && written.data() == node->written.data())
      return stmt;
    return context.make<Parallel>(node->info(), node->vars, extents, node->body,
                                  node->coalescedWidth, node->layout, node->isAsync, written);
  }
  case StmtKind::If: {
    const auto *node = llvm::cast<If>(stmt);
    const Expr *condition = rewrite(node->condition);
    if (condition == node->condition)
      return stmt;
    return context.make<If>(node->info(), condition, node->thenBody, node->elseBody);
  }
  case StmtKind::Role: { // whose condition follows from the thread
    const auto *node = llvm::cast<Role>(stmt);
    const auto *thread = llvm::dyn_cast<Var>(rewrite(node->threadVar));
    if (!thread || thread == node->threadVar)
      return stmt;
    return Builder(context).role(node->info(), thread, node->firstThread, node->threads,
                                 node->thenBody, node->registers, node->name);
  }
  case StmtKind::Bind: {
    const auto *node = llvm::cast<Bind>(stmt);
    const Expr *value = rewrite(node->value);
    return value == node->value ? stmt : context.make<Bind>(node->info(), node->var, value);
  }
  case StmtKind::Store:
    return mapExprsOfStore(context, *llvm::cast<Store>(stmt), rewrite);
  case StmtKind::Op:
    return mapExprsOfOp(context, *llvm::cast<OpStmt>(stmt), rewrite);
  case StmtKind::Launch: {
    const auto *node = llvm::cast<Launch>(stmt);
    ExprList grid = mapList(context, node->gridExtents, rewrite);
    if (grid.data() == node->gridExtents.data())
      return stmt;
    return context.make<Launch>(node->info(), node->blockVars, grid, node->threadVar, node->threads,
                                node->body, node->raster, node->minBlocks, node->cluster);
  }
  }
  return stmt;
}

namespace {

// A body that was removed becomes an empty sequence where the parent needs one.
const Stmt *orEmpty(Context &context, const Stmt *body, const Stmt *parent) {
  if (body)
    return body;
  Builder builder(context);
  return builder.seq(builder.fresh(parent->span()), {});
}

const Stmt *mapSeq(Context &context, const Seq *node,
                   llvm::function_ref<const Stmt *(const Stmt *)> rewrite) {
  llvm::SmallVector<const Stmt *> mapped;
  bool changed = false;
  for (const Stmt *child : node->stmts) {
    const Stmt *result = rewrite(child);
    changed |= result != child;
    if (result)
      mapped.push_back(result);
  }
  return changed ? Builder(context).seq(node->info(), mapped) : node;
}

} // namespace

const Stmt *mapChildren(Context &context, const Stmt *stmt,
                        llvm::function_ref<const Stmt *(const Stmt *)> rewrite) {
  switch (stmt->kind()) {
  case StmtKind::Seq:
    return mapSeq(context, llvm::cast<Seq>(stmt), rewrite);
  case StmtKind::For: {
    const auto *node = llvm::cast<For>(stmt);
    const Stmt *body = orEmpty(context, rewrite(node->body), node);
    if (body == node->body)
      return stmt;
    return context.make<For>(node->info(), node->var, node->min, node->extent, node->forKind, body,
                             node->pipeline);
  }
  case StmtKind::Parallel: {
    const auto *node = llvm::cast<Parallel>(stmt);
    const Stmt *body = orEmpty(context, rewrite(node->body), node);
    if (body == node->body)
      return stmt;
    return context.make<Parallel>(node->info(), node->vars, node->extents, body,
                                  node->coalescedWidth, node->layout, node->isAsync, node->written);
  }
  case StmtKind::If: {
    const auto *node = llvm::cast<If>(stmt);
    const Stmt *thenBody = orEmpty(context, rewrite(node->thenBody), node);
    const Stmt *elseBody = node->elseBody ? rewrite(node->elseBody) : nullptr;
    if (thenBody == node->thenBody && elseBody == node->elseBody)
      return stmt;
    return context.make<If>(node->info(), node->condition, thenBody, elseBody);
  }
  case StmtKind::Role: {
    const auto *node = llvm::cast<Role>(stmt);
    const Stmt *body = orEmpty(context, rewrite(node->thenBody), node);
    return body == node->thenBody ? stmt : Builder(context).role(node->info(), *node, body);
  }
  case StmtKind::Launch: {
    const auto *node = llvm::cast<Launch>(stmt);
    const Stmt *body = orEmpty(context, rewrite(node->body), node);
    if (body == node->body)
      return stmt;
    return context.make<Launch>(node->info(), node->blockVars, node->gridExtents, node->threadVar,
                                node->threads, body, node->raster, node->minBlocks, node->cluster);
  }
  case StmtKind::Break:
  case StmtKind::Bind:
  case StmtKind::Store:
  case StmtKind::Op:
    return stmt;
  }
  return stmt;
}

const Stmt *rewriteStmt(Context &context, const Stmt *stmt,
                        llvm::function_ref<const Stmt *(const Stmt *)> rewrite) {
  return rewrite(mapChildren(
      context, stmt, [&](const Stmt *child) { return rewriteStmt(context, child, rewrite); }));
}

const Expr *substitute(Context &context, const Expr *expr, const Substitution &substitution) {
  if (substitution.empty())
    return expr;
  return rewriteExpr(context, expr, [&](const Expr *node) -> const Expr * {
    const auto *var = llvm::dyn_cast<Var>(node);
    if (!var)
      return node;
    auto found = substitution.find(var);
    return found == substitution.end() ? node : found->second;
  });
}

namespace {

class Cloner {
public:
  Cloner(Context &context, Substitution substitution)
      : builder_(context), substitution_(std::move(substitution)) {}

  const Stmt *clone(const Stmt *stmt) {
    Context &context = builder_.context();
    // Expressions of a statement do not see the variables that it binds.
    const Stmt *outside = mapExprs(
        context, stmt, [&](const Expr *expr) { return substitute(context, expr, substitution_); });
    llvm::SmallVector<const Var *> bound = freshVars(outside);
    const Stmt *inside =
        mapChildren(context, outside, [&](const Stmt *child) { return clone(child); });
    StmtInfo info = builder_.cloned(*stmt);
    info.anchor = anchors_.try_emplace(stmt->anchor(), info.id).first->second;
    return withIdentity(inside, info, bound);
  }

private:
  const Var *freshVar(const Var *var) {
    const Var *fresh = builder_.var(var->name, var->dtype());
    substitution_[var] = fresh;
    return fresh;
  }

  llvm::SmallVector<const Var *> freshVars(const Stmt *stmt) {
    llvm::SmallVector<const Var *> vars;
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      vars = {loop->var};
    else if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      vars.assign(parallel->vars.begin(), parallel->vars.end());
    else if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      vars = {bind->var};
    for (const Var *&var : vars)
      var = freshVar(var);
    return vars;
  }

  const Stmt *withIdentity(const Stmt *stmt, const StmtInfo &info,
                           llvm::ArrayRef<const Var *> vars) {
    Context &context = builder_.context();
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
      return context.make<Seq>(info, seq->stmts);
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      return context.make<For>(info, vars[0], loop->min, loop->extent, loop->forKind, loop->body,
                               loop->pipeline);
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      return context.make<Parallel>(info, context.copy(vars), parallel->extents, parallel->body,
                                    parallel->coalescedWidth, parallel->layout, parallel->isAsync,
                                    parallel->written);
    if (const auto *role = llvm::dyn_cast<Role>(stmt))
      return builder_.role(info, *role, role->thenBody);
    if (const auto *branch = llvm::dyn_cast<If>(stmt))
      return context.make<If>(info, branch->condition, branch->thenBody, branch->elseBody);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      return context.make<Bind>(info, vars[0], bind->value);
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      return context.make<Store>(info, store->buffer, store->slot, store->indices, store->value);
    if (llvm::isa<Break>(stmt))
      return context.make<Break>(info);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      return context.make<OpStmt>(info, op->op, op->regions, op->args, op->attrs);
    const auto *launch = llvm::cast<Launch>(stmt);
    return context.make<Launch>(info, launch->blockVars, launch->gridExtents, launch->threadVar,
                                launch->threads, launch->body, launch->raster, launch->minBlocks,
                                launch->cluster);
  }

  Builder builder_;
  Substitution substitution_;
  std::map<StmtId, StmtId> anchors_; // those of the clones
};

// A Load as an access to a box of one element.
BufferAccess elementAccess(Context &context, BufferId buffer, const Expr *slot, ExprList indices,
                           Effect effect, const Span &span) {
  Builder builder(context);
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : indices)
    ranges.push_back({index, builder.integer(1, index->dtype())});
  return {buffer, slot, context.copy<Range>(ranges), effect, span, nullptr};
}

} // namespace

const Stmt *cloneStmt(Context &context, const Stmt *stmt, const Substitution &substitution) {
  return Cloner(context, substitution).clone(stmt);
}

llvm::SmallVector<BufferAccess> accessesOf(Context &context, const Stmt *stmt) {
  llvm::SmallVector<BufferAccess> accesses;
  forEachExpr(stmt, [&](const Expr *root) {
    walk(root, [&](const Expr *expr) {
      if (const auto *load = llvm::dyn_cast<Load>(expr))
        accesses.push_back(elementAccess(context, load->buffer, load->slot, load->indices,
                                         Effect::Read, stmt->span()));
    });
  });
  if (const auto *store = llvm::dyn_cast<Store>(stmt))
    accesses.push_back(elementAccess(context, store->buffer, store->slot, store->indices,
                                     Effect::Write, stmt->span()));
  if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
    for (const auto &[index, region] : llvm::enumerate(op->regions)) {
      const OperandInfo &operand = op->operand(index);
      accesses.push_back({region.buffer, region.slot, region.ranges, operand.effect,
                          region.span.isValid() ? region.span : stmt->span(), &operand});
    }
  return accesses;
}

} // namespace tilescope
