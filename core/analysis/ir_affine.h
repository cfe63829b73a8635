// Index expressions of the IR as affine expressions: what is known about variables, and proofs.
//
// A variable is a symbol, and so is every expression that affine arithmetic cannot look into (a
// load, a float that was cast, a bit operation); equal expressions are the same symbol. Only signed
// 32- and 64-bit integers are affine: narrow and unsigned ones wrap. 32-bit index arithmetic is
// taken not to overflow.
#pragma once

#include "core/ir/module.h"
#include "core/support/affine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

// Where a fact is used: memory may change between statements, not within one expression.
enum class FactScope : uint8_t { Expression, Statements };

class IrAffine {
public:
  // Declares all variables of the function: parameters, launch, loops, bound values.
  IrAffine(Context &context, const Function &function);

  // A variable that a pass makes: [min, min + extent), extent not yet known to be positive.
  void declare(const Var *var, const Expr *min, const Expr *extent);
  void declareBind(const Var *var, const Expr *value);

  // Takes a condition as true (or as false) until `forget`, which gets what `assume` returned.
  size_t assume(const Expr *condition, bool holds, FactScope scope);
  void forget(size_t mark) { ranges_.keepFacts(mark); }
  // Of the threads [first, end) of a role: x >= 128 says x // 32 >= 4, which no proof finds, since
  // x // 32 >= (x - 31) / 32 alone says less.
  void assumeThreads(const Var *thread, int64_t first, int64_t end);

  // Always known. Two loads are the same symbol if they are written the same: across statements
  // compare only expressions without loads of memory that the function writes (`isStable`).
  Affine convert(const Expr *expr);
  // Back to IR, terms in the order in which `like` (or null) names their variables; null if a
  // constant does not fit the type, which is an affine one.
  const Expr *emit(Affine value, DType dtype, const Expr *like);

  AffineBounds bounds(const Expr *expr);
  // Of a boolean expression, under the facts assumed now.
  Proof prove(const Expr *condition);
  // A comparison of affine integers; nullopt for anything else. `isNegated` for !=.
  struct Comparison {
    AffineCondition condition;
    bool isNegated = false;
  };
  std::optional<Comparison> convertComparison(const Expr *expr);

  // With variables replaced by the values that are bound to them, where those are stable.
  Affine expandBinds(Affine value);
  // Whether a variable has a part in it, through bound values and loads too.
  bool dependsOn(const Expr *expr, const Var *var) const;
  bool dependsOn(Affine value, const Var *var) const;
  bool isStable(const Expr *expr) const;
  // Shared or register memory, or global memory that the function writes.
  bool isWritten(BufferId buffer) const { return written_.contains(buffer.value); }

  AffineContext &arithmetic() { return arithmetic_; }
  const AffineRanges &ranges() const { return ranges_; }
  Context &context() { return context_; }
  // The expression that a symbol stands for.
  const Expr *exprOf(SymbolId symbol) const { return symbolExprs_.lookup(symbol.value); }

private:
  void declareAll(const Stmt *stmt);
  void assumeNotZero(Affine value);
  void declareParams(const Function &function);
  void setRange(const Expr *expr, Affine lower, Affine upper);
  void setBoundRange(const Var *var, const Expr *value);
  AffineBounds typeBounds(DType dtype) const;
  AffineBounds lastingBounds(const Expr *expr);

  Affine symbolOf(const Expr *expr);
  Affine opaque(const Expr *expr);
  Affine convertUncached(const Expr *expr);
  Affine convertBinary(const Binary &binary);
  Affine convertBits(const Binary &binary);
  Affine convertCast(const Cast &cast);
  AffineBounds opaqueBounds(const Expr *expr);
  Proof proveLogical(const Binary &binary);

  Context &context_;
  AffineContext arithmetic_;
  AffineRanges ranges_;
  llvm::DenseMap<const Expr *, Affine> converted_;
  llvm::DenseMap<uint32_t, const Expr *> symbolExprs_;
  llvm::DenseMap<uint64_t, llvm::SmallVector<SymbolId, 1>> opaqueByHash_;
  llvm::DenseMap<uint32_t, const Expr *> bindValues_;
  llvm::DenseSet<uint32_t> written_;
  uint32_t opaqueCount_ = 0;
};

bool isAffineType(DType dtype);

// What a child of `parent` may take for granted: the condition of an if, and that the loop or
// launch has iterations. Until `forget`, which gets what this returns.
size_t assumeInside(IrAffine &affine, const Stmt *parent, const Stmt *child);

// While alive, `assumeInside`.
class ScopedFacts {
public:
  ScopedFacts(IrAffine &affine, const Stmt *parent, const Stmt *child)
      : affine_(affine), mark_(assumeInside(affine, parent, child)) {}
  ScopedFacts(const ScopedFacts &) = delete;
  ScopedFacts &operator=(const ScopedFacts &) = delete;
  ~ScopedFacts() { affine_.forget(mark_); }

private:
  IrAffine &affine_;
  size_t mark_;
};

// Whether `child` of `parent` is proven to run never: a branch not taken, a loop without
// iterations, a launch without blocks.
bool neverRuns(IrAffine &affine, const Stmt *parent, const Stmt *child);

// Rebuilds `expr` with each operand mapped, under what its evaluation implies: a side of a select
// under the condition, the right side of `and` under the left one. The same pointer: unchanged.
const Expr *mapOperandsWithFacts(IrAffine &affine, const Expr *expr,
                                 llvm::function_ref<const Expr *(const Expr *)> map);

} // namespace tilescope
