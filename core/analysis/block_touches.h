// Where the blocks of a launch touch global memory, with what decides whether and where: what
// block_writes.h compares.
#pragma once

#include "core/analysis/block_separation.h"
#include "core/ir/visit.h"

#include "llvm/ADT/MapVector.h"

namespace tilescope {

struct BlockTouch {
  const Stmt *stmt = nullptr;
  bool isAtomic = false;
  BlockAccess access;
  // Of what decides whether and where: conditions, trip counts, indices.
  std::vector<const Expr *> deciding;
};

// Those of each buffer, in program order.
using BlockTouches = llvm::MapVector<uint32_t, std::vector<BlockTouch>>;

// Gathers those of one launch. `affine` must outlive it, and holds the facts around a statement
// while that is visited.
class BlockTouchWalk {
public:
  BlockTouchWalk(Context &context, const Function &function, const Launch &launch, IrAffine &affine)
      : context_(context), function_(function), launch_(launch), affine_(affine) {}

  // Reads of buffers that the launch writes are gathered too; false: it writes none.
  bool followReads();
  void gather();

  BlockTouches &writes() { return writes_; }
  BlockTouches &reads() { return reads_; }
  // What the name is bound to; null: it is none of a statement.
  const Expr *valueOf(const Var *var) const { return bound_.lookup(var); }

private:
  bool collectWays(const Stmt *stmt);
  void visit(const Stmt *stmt);
  void enter(const Stmt *stmt, const Stmt *child);
  void addEnds(const For &loop);
  void addReads(const Stmt &stmt);
  void addLoads(const Stmt &stmt, const Expr *expr);
  void add(BlockTouches &touches, const Stmt &stmt, const BufferAccess &access);
  const Expr *withValues(const Expr *expr);
  Affine converted(const Expr *expr) { return affine_.convert(withValues(expr)); }

  Context &context_;
  const Function &function_;
  const Launch &launch_;
  IrAffine &affine_;
  Substitution values_;
  llvm::DenseMap<const Var *, const Expr *> bound_;
  llvm::DenseSet<const Stmt *> ways_;  // to what is gathered
  std::vector<const Expr *> deciding_; // around the statement
  llvm::DenseSet<uint32_t> followed_;  // buffers whose reads are gathered too
  BlockTouches writes_;
  BlockTouches reads_;
};

} // namespace tilescope
