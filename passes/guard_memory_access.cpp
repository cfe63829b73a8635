// Puts a condition on accesses of global memory that may lie outside their tensor.
//
//     C[by * 128 + i, j] = A[by * 128 + i, j]
//  =>
//     if by * 128 + i < M:
//       C[by * 128 + i, j] = A[by * 128 + i, j]
//
//     A_local[i] = A[k * 32 + i]    =>    A_local[i] = A[k * 32 + i] if k * 32 + i < K else 0
//
// Why: tiles at the edge of a tensor are legal. A load from outside gives 0, a store to outside
// does nothing. What bounds, loop ranges and enclosing conditions prove to be inside gets no
// condition, nor do copies of boxes, which stay inside by themselves. Copies that carry a predicate
// get it there; it joins the one they have.
//
// A store that is outside whatever its indices are is taken out with a warning: what fed it goes
// too.
//
// Not done: shared and local memory (legalize-indices reports what is provably outside), and equal
// conditions of neighbouring statements are not merged.
//
// Requires: lowered. Ensures: every access of global memory is inside or has a condition.
#include "core/analysis/bounds_guard.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

namespace {

class AccessGuard {
public:
  AccessGuard(PassContext &context, const Function &function)
      : context_(context.context), diagnostics_(context.diagnostics), function_(function),
        builder_(context.context), affine_(context.context, function) {}

  const Stmt *guard(const Stmt *stmt) {
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      return guardStore(*store);
    const Stmt *loadsGuarded = guardLoadsOf(stmt);
    if (const auto *op = llvm::dyn_cast<OpStmt>(loadsGuarded))
      return guardOp(*op);
    return mapChildren(context_, loadsGuarded, [&](const Stmt *child) {
      ScopedFacts facts(affine_, loadsGuarded, child);
      return guard(child);
    });
  }

private:
  bool isGlobal(BufferId buffer) { return function_.buffer(buffer).scope == Scope::Global; }

  const Stmt *guardLoadsOf(const Stmt *stmt) {
    return mapExprs(context_, stmt, [&](const Expr *expr) { return guardLoads(expr); });
  }

  const Expr *guardLoads(const Expr *expr) {
    const Expr *inside = mapOperandsWithFacts(
        affine_, expr, [&](const Expr *operand) { return guardLoads(operand); });
    const auto *load = llvm::dyn_cast<Load>(inside);
    if (!load || !isGlobal(load->buffer))
      return inside;
    const Expr *condition = insideCondition(affine_, function_.buffer(load->buffer), load->indices);
    return condition ? builder_.select(condition, load, zero(load->dtype())) : load;
  }

  const Expr *zero(DType dtype) {
    if (dtype.isFloat())
      return builder_.floating(0, dtype);
    return builder_.integer(0, dtype);
  }

  // Loads in the value need no condition of their own where that of the store implies it.
  const Stmt *guardStore(const Store &store) {
    if (!isGlobal(store.buffer))
      return guardLoadsOf(&store);
    const Expr *condition = insideCondition(affine_, function_.buffer(store.buffer), store.indices);
    if (!condition)
      return guardLoadsOf(&store);
    condition = guardLoads(condition);
    size_t mark = affine_.assume(condition, true, FactScope::Expression);
    const Stmt *guarded = guardLoadsOf(&store);
    affine_.forget(mark);
    return wrap(store, condition, guarded);
  }

  const Stmt *wrap(const Stmt &original, const Expr *condition, const Stmt *guarded) {
    warnIfNever(original, condition);
    return context_.make<If>(builder_.lowered(original), condition, guarded, nullptr);
  }

  void warnIfNever(const Stmt &stmt, const Expr *condition) {
    if (constantValue(condition) != 0)
      return;
    for (const BufferAccess &access : accessesOf(context_, &stmt))
      if (isGlobal(access.buffer) && access.effect != Effect::Read &&
          warned_.insert(stmt.anchor().value).second)
        diagnostics_.report(DiagId::StoreNeverHappens, stmt.span(),
                            function_.buffer(access.buffer).name);
  }

  const Stmt *guardOp(const OpStmt &op) {
    if (op.opInfo().staysInside)
      return &op;
    std::optional<size_t> predicate = op.opInfo().predicate;
    const Expr *present = predicate ? op.args[*predicate] : nullptr;
    size_t mark = affine_.ranges().facts().size();
    if (present)
      affine_.assume(present, true, FactScope::Expression);
    const Expr *condition = nullptr;
    for (const BufferRegion &region : op.regions)
      if (isGlobal(region.buffer))
        condition = builder_.logicalAnd(
            condition, insideCondition(affine_, function_.buffer(region.buffer), region.ranges));
    affine_.forget(mark);
    if (!condition)
      return &op;
    if (!predicate)
      return wrap(op, condition, &op);
    warnIfNever(op, condition);
    llvm::SmallVector<const Expr *> args(op.args);
    args[*predicate] = builder_.logicalAnd(present, condition);
    return context_.make<OpStmt>(op.info(), op.op, op.regions, context_.copy<const Expr *>(args),
                                 op.attrs);
  }

  Context &context_;
  Diagnostics &diagnostics_;
  const Function &function_;
  Builder builder_;
  IrAffine affine_;
  llvm::DenseSet<uint32_t> warned_; // by anchor: a tile statement becomes many
};

class GuardMemoryAccess : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      const Stmt *body = AccessGuard(context, function).guard(function.body);
      return withBody(context.context, function, body);
    });
  }
};

} // namespace

std::unique_ptr<Pass> createGuardMemoryAccess() { return std::make_unique<GuardMemoryAccess>(); }

} // namespace tilescope
