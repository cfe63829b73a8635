// What surrounds the statements of a function, and what is bound where.
#pragma once

#include "core/analysis/thread_uniform.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

// The buffers that a statement writes by itself, not those of statements in it.
void forEachWritten(const Stmt &stmt, llvm::function_ref<void(BufferId)> visit);

// Of a copy that is done only under a condition, for what is not touched where it does not hold;
// else null.
const Expr *accessPredicate(const Stmt &stmt, const Buffer &buffer, Effect effect);

class StmtPlaces {
public:
  StmtPlaces(const Function &function, const ThreadUniform &uniform);

  const Stmt *parentOf(const Stmt *stmt) const { return parents_.lookup(stmt); }
  const Bind *bindOf(const Var *var) const { return binds_.lookup(var); } // null: not a Bind's
  // A loop's or the thread's: it differs within a block.
  bool isVarying(const Var *var) const { return varying_.contains(var); }
  bool isWritten(BufferId buffer) const { return written_.contains(buffer.value); }
  bool isGlobal(BufferId buffer) const;
  bool isRegister(BufferId buffer) const;
  const ThreadUniform &uniform() const { return uniform_; }
  const Function &function() const { return function_; }

private:
  void addBound(const Stmt &stmt);

  const Function &function_;
  const ThreadUniform &uniform_;
  llvm::DenseMap<const Stmt *, const Stmt *> parents_;
  llvm::DenseMap<const Var *, const Bind *> binds_;
  llvm::DenseSet<const Var *> varying_;
  llvm::DenseSet<uint32_t> written_;
};

// Cached in the context.
const StmtPlaces &computeStmtPlaces(Context &context, const Function &function);

} // namespace tilescope
