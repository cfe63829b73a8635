#include "passes/pipeline_rewrite.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

const Stmt *slotTargets(Context &context, const Stmt *stmt,
                        llvm::function_ref<const Expr *(BufferId)> slotOf) {
  if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
    const Expr *slot = store->slot ? nullptr : slotOf(store->buffer);
    return slot ? context.make<Store>(store->info(), store->buffer, slot, store->indices,
                                      store->value)
                : stmt;
  }
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  if (!op)
    return stmt;
  llvm::SmallVector<BufferRegion> regions(op->regions);
  bool changed = false;
  for (BufferRegion &region : regions) {
    const Expr *slot = region.slot ? nullptr : slotOf(region.buffer);
    if (!slot)
      continue;
    region.slot = slot;
    changed = true;
  }
  return changed ? context.make<OpStmt>(op->info(), op->op, context.copy<BufferRegion>(regions),
                                        op->args, op->attrs)
                 : stmt;
}

const Stmt *slotOwn(Context &context, const Stmt *stmt, StmtId owner, SlotOf slotOf) {
  auto slotOfBuffer = [&](BufferId buffer) { return slotOf(owner, buffer); };
  const Stmt *mapped = mapExprs(context, stmt, [&](const Expr *root) {
    return rewriteExpr(context, root, [&](const Expr *expr) -> const Expr * {
      const auto *load = llvm::dyn_cast<Load>(expr);
      const Expr *slot = load && !load->slot ? slotOfBuffer(load->buffer) : nullptr;
      return slot ? context.make<Load>(load->dtype(), load->buffer, slot, load->indices) : expr;
    });
  });
  return slotTargets(context, mapped, slotOfBuffer);
}

// `nest` is the enclosing parallel nest, which owns the accesses inside it.
const Stmt *slotTree(Context &context, const Stmt *stmt, StmtId nest, SlotOf slotOf) {
  StmtId owner = nest.isValid() ? nest : stmt->id();
  StmtId inner = llvm::isa<Parallel>(stmt) ? owner : nest;
  const Stmt *mapped = mapChildren(
      context, stmt, [&](const Stmt *child) { return slotTree(context, child, inner, slotOf); });
  return slotOwn(context, mapped, owner, slotOf);
}

// The replayable binds that the statements need, directly or through others, in source order.
llvm::SmallVector<const Bind *> bindsFor(const LoopBody &body, llvm::ArrayRef<const Stmt *> stmts) {
  llvm::SmallVector<const Stmt *> users(stmts);
  llvm::SmallVector<const Bind *> binds;
  for (const Bind *bind : llvm::reverse(body.replayable)) {
    if (llvm::none_of(users, [&](const Stmt *user) { return usesVar(user, bind->var); }))
      continue;
    users.push_back(bind);
    binds.push_back(bind);
  }
  std::reverse(binds.begin(), binds.end());
  return binds;
}

const Stmt *substituteInPlace(Context &context, const Stmt *stmt,
                              const Substitution &substitution) {
  return rewriteStmt(context, stmt, [&](const Stmt *node) {
    return mapExprs(context, node,
                    [&](const Expr *expr) { return substitute(context, expr, substitution); });
  });
}

} // namespace

const Stmt *applySlots(Context &context, const Stmt *stmt, SlotOf slotOf) {
  return slotTree(context, stmt, StmtId(), slotOf);
}

const Stmt *applyOwnSlots(Context &context, const Stmt *stmt, SlotOf slotOf) {
  return slotOwn(context, stmt, stmt->id(), slotOf);
}

llvm::SmallVector<const Stmt *> atIteration(Context &context, const LoopBody &body,
                                            llvm::ArrayRef<const Stmt *> stmts,
                                            const Expr *iteration, bool keepIds) {
  Builder builder(context);
  Substitution substitution;
  substitution[body.loop->var] = iteration;
  llvm::SmallVector<const Stmt *> result;
  for (const Bind *bind : bindsFor(body, stmts)) {
    const Var *var = builder.var(bind->var->name, bind->var->dtype());
    const Expr *value = substitute(context, bind->value, substitution);
    result.push_back(context.make<Bind>(builder.cloned(*bind), var, value));
    substitution[bind->var] = var;
  }
  for (const Stmt *stmt : stmts)
    result.push_back(keepIds ? substituteInPlace(context, stmt, substitution)
                             : cloneStmt(context, stmt, substitution));
  return result;
}

const Stmt *asAsync(Context &context, const Stmt *load) {
  return rewriteStmt(context, load, [&](const Stmt *stmt) -> const Stmt * {
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      return context.make<Parallel>(nest->info(), nest->vars, nest->extents, nest->body,
                                    nest->coalescedWidth, nest->layout, /*isAsync=*/true,
                                    nest->written);
    const auto *copy = llvm::dyn_cast<OpStmt>(stmt);
    if (!copy)
      return stmt;
    llvm::SmallVector<int64_t> attrs(copy->attrs);
    attrs[copy->opInfo().indexOf(Attr::Async)] = 1;
    return context.make<OpStmt>(copy->info(), copy->op, copy->regions, copy->args,
                                context.copy<int64_t>(attrs));
  });
}

} // namespace tilescope
