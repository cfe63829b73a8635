#include "passes/flat_stmts.h"

namespace tilescope {

static void collect(const Stmt *stmt, llvm::SmallVectorImpl<const Stmt *> &found) {
  const auto *seq = llvm::dyn_cast<Seq>(stmt);
  if (!seq)
    return found.push_back(stmt);
  for (const Stmt *child : seq->stmts)
    collect(child, found);
}

llvm::SmallVector<const Stmt *> flatStmtsOf(const Stmt *body) {
  llvm::SmallVector<const Stmt *> found;
  collect(body, found);
  return found;
}

} // namespace tilescope
