// Walks and rewrites. Iterative over nothing: trees are as deep as the kernel, and the reader
// bounds that.
#pragma once

#include "core/ir/build.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

// Calls `visit` on each child expression (not on `expr` itself).
void forEachChild(const Expr *expr, llvm::function_ref<void(const Expr *)> visit);
// Preorder over an expression and everything below it.
void walk(const Expr *expr, llvm::function_ref<void(const Expr *)> visit);
// Whether the expression, or any below it, is a load.
bool readsMemory(const Expr *expr);

// Child statements, in order.
void forEachChild(const Stmt *stmt, llvm::function_ref<void(const Stmt *)> visit);
// Preorder over a statement and everything below it. Return false from `visit` to skip children.
void walk(const Stmt *stmt, llvm::function_ref<bool(const Stmt *)> visit);
// Whether warp groups do something of their own in it.
bool holdsRoles(const Function &function);
// Whether a Break may end the loop before its `extent` is reached.
bool mayEndEarly(const For &loop);
// Whether each Break of the loop is the last that its iteration does.
bool endsInPlace(const For &loop);
// The variables that a statement binds: of a loop, a launch, a Bind.
llvm::SmallVector<const Var *> varsBoundBy(const Stmt *stmt);
// The expressions directly in a statement: bounds, conditions, values, indices, slots, regions.
void forEachExpr(const Stmt *stmt, llvm::function_ref<void(const Expr *)> visit);

// Rebuilds `expr` with each child expression replaced. The same pointer means unchanged.
const Expr *mapChildren(Context &context, const Expr *expr,
                        llvm::function_ref<const Expr *(const Expr *)> rewrite);
// Bottom-up rewrite; `rewrite` gets each node with rewritten children and returns it or another.
const Expr *rewriteExpr(Context &context, const Expr *expr,
                        llvm::function_ref<const Expr *(const Expr *)> rewrite);
// Applies `rewrite` to every expression directly in `stmt` (children statements are untouched).
// The same pointer means unchanged; ids are kept.
const Stmt *mapExprs(Context &context, const Stmt *stmt,
                     llvm::function_ref<const Expr *(const Expr *)> rewrite);
// Rebuilds `stmt` with each child statement replaced (null removes it). Ids are kept.
const Stmt *mapChildren(Context &context, const Stmt *stmt,
                        llvm::function_ref<const Stmt *(const Stmt *)> rewrite);
// Bottom-up over statements: children first, then `rewrite` on the rebuilt node; null removes it.
const Stmt *rewriteStmt(Context &context, const Stmt *stmt,
                        llvm::function_ref<const Stmt *(const Stmt *)> rewrite);

using Substitution = llvm::DenseMap<const Var *, const Expr *>;
const Expr *substitute(Context &context, const Expr *expr, const Substitution &substitution);
// A copy with fresh ids and bound variables, variables replaced; shared anchors stay shared.
const Stmt *cloneStmt(Context &context, const Stmt *stmt,
                      const Substitution &substitution = Substitution());

// One access to a buffer made directly by a statement (not by its children).
struct BufferAccess {
  BufferId buffer;
  const Expr *slot = nullptr;
  llvm::ArrayRef<Range> ranges; // elements have extent 1
  Effect effect = Effect::Read;
  Span span;
  const OperandInfo *operand = nullptr; // of an operation; null: a load or a store

  bool isAtomic() const { return operand && operand->isAtomic; }
};
// Loads in its expressions, the store target, and the regions of an op by their declared effects.
llvm::SmallVector<BufferAccess> accessesOf(Context &context, const Stmt *stmt);

} // namespace tilescope
