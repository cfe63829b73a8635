#include "core/analysis/vector_access.h"

#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Bindings and stores, flattened; false if there is anything else.
bool collect(Context &context, const Stmt *stmt, const Expr *condition, StoreLoop &found) {
  Builder builder(context);
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
    return llvm::all_of(
        seq->stmts, [&](const Stmt *child) { return collect(context, child, condition, found); });
  if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
    found.stores.push_back({store, condition});
    return true;
  }
  if (const auto *branch = llvm::dyn_cast<If>(stmt))
    return !branch->elseBody && collect(context, branch->thenBody,
                                        builder.logicalAnd(condition, branch->condition), found);
  const auto *bind = llvm::dyn_cast<Bind>(stmt);
  if (!bind || condition || !found.stores.empty())
    return false;
  const Expr *value = substitute(context, bind->value, found.inlined);
  if (isInvariant(value, found.var())) {
    found.invariant.push_back(bind);
    return true;
  }
  found.varying.push_back(bind);
  found.inlined[bind->var] = value;
  return true;
}

bool isRegister(const Buffer &buffer) {
  return buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar;
}

bool isSamePlace(const Store &store, const Load &load) {
  auto isSame = [](const Expr *a, const Expr *b) { return a == b || (a && b && isSameExpr(a, b)); };
  return isSame(store.slot, load.slot) &&
         llvm::all_of(llvm::zip_equal(store.indices, load.indices),
                      [&](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

bool loadsOnlyPlaceOf(const Store &store, const Stmt *reader) {
  bool isOnly = true;
  forEachExpr(reader, [&](const Expr *root) {
    walk(root, [&](const Expr *node) {
      const auto *load = llvm::dyn_cast<Load>(node);
      isOnly &= !load || load->buffer != store.buffer || isSamePlace(store, *load);
    });
  });
  return isOnly;
}

bool loadsFrom(BufferId buffer, const Expr *expr) {
  bool found = false;
  walk(expr, [&](const Expr *node) {
    const auto *load = llvm::dyn_cast<Load>(node);
    found |= load && load->buffer == buffer;
  });
  return found;
}

} // namespace

bool isInvariant(const Expr *expr, const Var *var) {
  bool found = false;
  walk(expr, [&](const Expr *node) { found |= node == var; });
  return !found;
}

std::optional<StoreLoop> storeLoopOf(Context &context, const For &loop) {
  StoreLoop found;
  found.loop = &loop;
  std::optional<int64_t> extent = constantValue(loop.extent);
  if (!extent || constantValue(loop.min) != 0)
    return std::nullopt;
  found.extent = *extent;
  if (!collect(context, loop.body, nullptr, found) || found.stores.empty())
    return std::nullopt;
  return found;
}

bool loadsMayComeFirst(const StoreLoop &loop, const Function &function) {
  llvm::SmallVector<const Stmt *> readers(loop.varying.begin(), loop.varying.end());
  for (const GuardedStore &guarded : loop.stores)
    readers.push_back(guarded.store);
  for (const GuardedStore &guarded : loop.stores) {
    const Store &store = *guarded.store;
    if (isRegister(function.buffer(store.buffer)))
      continue;
    bool isStoredOnce = llvm::count_if(loop.stores, [&](const GuardedStore &other) {
                          return other.store->buffer == store.buffer;
                        }) == 1;
    bool isLoadedOnlyThere =
        llvm::all_of(readers, [&](const Stmt *reader) { return loadsOnlyPlaceOf(store, reader); });
    bool isHoisted = llvm::any_of(
        loop.invariant, [&](const Bind *bind) { return loadsFrom(store.buffer, bind->value); });
    if (!isStoredOnce || !isLoadedOnlyThere || isHoisted)
      return false;
  }
  return true;
}

} // namespace tilescope
