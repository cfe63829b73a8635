#include "passes/first_iteration.h"

#include "core/analysis/dependences.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

const Expr *FirstIteration::valueOf(const Expr *expr) {
  if (vars_.empty()) {
    vars_[loop_.var()] = builder_.integer(0, loop_.var()->dtype());
    for (const Bind *bind : loop_.varying) {
      const Var *var = builder_.var(bind->var->name, bind->var->dtype());
      const Expr *value = substitute(context_, bind->value, vars_);
      binds_.push_back(context_.make<Bind>(builder_.cloned(*bind), var, value));
      vars_[bind->var] = var;
    }
  }
  return expr ? substitute(context_, expr, vars_) : nullptr;
}

BufferRegion FirstIteration::regionAt(BufferId id, const Expr *slot, ExprList indices, int64_t step,
                                      int64_t width) {
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : indices)
    ranges.push_back({valueOf(index), builder_.integer(1, index->dtype())});
  Range &row = ranges.back();
  row = {builder_.add(row.min, builder_.integer(step, row.min->dtype())),
         builder_.integer(width, row.min->dtype())};
  return builder_.region(id, slot, ranges, loop_.loop->span());
}

llvm::SmallVector<const Stmt *> neededBy(llvm::ArrayRef<const Stmt *> stmts,
                                         llvm::ArrayRef<const Bind *> binds) {
  llvm::SmallVector<const Stmt *> users(stmts);
  llvm::SmallVector<const Stmt *> needed;
  for (const Bind *bind : llvm::reverse(binds))
    if (llvm::any_of(users, [&](const Stmt *stmt) { return usesVar(stmt, bind->var); })) {
      users.push_back(bind);
      needed.push_back(bind);
    }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

} // namespace tilescope
