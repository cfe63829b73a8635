#include "core/analysis/vector_access.h"

#include "core/analysis/bounds_guard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

WideAccesses::WideAccesses(IrAffine &affine, const Function &function, const BoundValues &bound,
                           const StoreLoop &loop)
    : affine_(affine), function_(function), bound_(bound), loop_(loop),
      dependences_(affine, function, *loop.loop) {}

bool WideAccesses::hasRuns() {
  llvm::SmallVector<const Stmt *> stmts(loop_.varying.begin(), loop_.varying.end());
  for (const GuardedStore &guarded : loop_.stores)
    stmts.push_back(guarded.store);
  bool found = false;
  auto look = [&](BufferId id, const Expr *slot, ExprList indices) {
    const Buffer &buffer = function_.buffer(id);
    found |= isMemory(buffer.scope) && widthOf(buffer, slot, indices, nullptr) > 1;
  };
  for (const Stmt *stmt : stmts) {
    forEachExpr(stmt, [&](const Expr *root) {
      walk(root, [&](const Expr *node) {
        if (const auto *load = llvm::dyn_cast<Load>(node))
          look(load->buffer, load->slot, load->indices);
      });
    });
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      look(store->buffer, store->slot, store->indices);
  }
  return found;
}

// Bindings that do not vary go before the loop, and each guarded store asks its condition again.
std::string WideAccesses::whyNone() {
  for (const Bind *bind : loop_.invariant)
    if (std::string reason = whyNotOnce(bind->value); !reason.empty())
      return reason;
  if (const Load *load = dependences_.findUnrepeatableLoad())
    return llvm::formatv("a store below a condition may change '{0}', which the condition reads",
                         function_.buffer(load->buffer).name);
  return "";
}

int64_t WideAccesses::widthOf(const Buffer &buffer, const Expr *slot, ExprList indices,
                              const Expr *guard) {
  Context &context = affine_.context();
  if (slot && !isInvariant(substitute(context, slot, loop_.inlined), loop_.var()))
    return 1;
  llvm::SmallVector<const Expr *> places;
  for (const Expr *index : indices)
    places.push_back(substitute(context, index, loop_.inlined));
  int64_t width = contiguousElements(context, buffer, places, loop_.var(), loop_.extent, bound_);
  // A guard is asked once for the whole loop.
  bool isAllowed = !guard || (width == loop_.extent && isUniform(affine_, guard, loop_.var()));
  return isAllowed && loop_.extent % width == 0 ? width : 1;
}

std::string WideAccesses::whyNotLoaded(const Stmt &user, const Load &load, const Expr *guard) {
  if (dependences_.obstacle(user, load, MovedTo::Front))
    return "the loop may store the element before it loads it";
  llvm::SmallVector<const Expr *> computed(load.indices);
  computed.append({load.slot, guard});
  return whyNotOnce(computed);
}

std::string WideAccesses::whyNotStored(const Store &store, const Expr *guard) {
  if (dependences_.obstacle(store, MovedTo::Back))
    return "the loop may load the element, or store it again, after it has stored it";
  llvm::SmallVector<const Expr *> computed(store.indices);
  computed.append({store.slot, guard});
  return whyNotOnce(computed);
}

bool WideAccesses::mayBeTarget(const Store &store) {
  return !dependences_.obstacle(store, MovedTo::Front) && whyNotOnce(store.indices).empty();
}

bool WideAccesses::mayBeSource(const Store &user, const Load &load) {
  return !dependences_.obstacle(user, load, MovedTo::Back) && whyNotOnce(load.indices).empty();
}

// Why expressions (null ones are left out) do not have one value for the whole loop.
std::string WideAccesses::whyNotOnce(llvm::ArrayRef<const Expr *> computed) {
  for (const Expr *expr : computed)
    if (const Load *load = expr ? dependences_.findStoredLoad(expr) : nullptr)
      return llvm::formatv("the loop stores '{0}', which a place, a condition or a binding reads",
                           function_.buffer(load->buffer).name);
  return "";
}

} // namespace tilescope
