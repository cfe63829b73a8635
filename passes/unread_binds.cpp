#include "passes/unread_binds.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// How often variables are read, and the bindings that may go once theirs is not.
class Reads {
public:
  explicit Reads(const Stmt *body) {
    walk(body, [&](const Stmt *stmt) {
      forEachExpr(stmt, [&](const Expr *expr) { count(expr, 1); });
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (loop && hasFixedChildren(*loop))
        keepChildren(loop->body);
      if (const auto *bind = llvm::dyn_cast<Bind>(stmt); bind && !readsMemory(bind->value))
        binds_.push_back(bind);
      return true;
    });
  }

  // From the last binding to the first: what only an unread one reads comes before it.
  llvm::DenseSet<const Stmt *> unread() {
    llvm::DenseSet<const Stmt *> found;
    for (const Bind *bind : llvm::reverse(binds_)) {
      if (reads_.lookup(bind->var) != 0 || kept_.contains(bind))
        continue;
      count(bind->value, -1);
      found.insert(bind);
    }
    return found;
  }

private:
  void count(const Expr *expr, int by) {
    walk(expr, [&](const Expr *part) {
      if (const auto *var = llvm::dyn_cast<Var>(part))
        reads_[var] += by;
    });
  }

  void keepChildren(const Stmt *body) {
    kept_.insert(body);
    if (const auto *seq = llvm::dyn_cast<Seq>(body))
      kept_.insert(seq->stmts.begin(), seq->stmts.end());
  }

  llvm::DenseMap<const Var *, int> reads_;
  llvm::SmallVector<const Bind *> binds_;
  llvm::DenseSet<const Stmt *> kept_;
};

} // namespace

bool hasFixedChildren(const For &loop) {
  const Pipeline *pipeline = loop.pipeline;
  return pipeline && !pipeline->injected &&
         !(pipeline->order.empty() && pipeline->stage.empty() && pipeline->schedule.empty());
}

const Stmt *withoutUnreadBinds(Context &context, const Stmt *body) {
  llvm::DenseSet<const Stmt *> unread = Reads(body).unread();
  if (unread.empty())
    return body;
  return rewriteStmt(context, body, [&](const Stmt *stmt) -> const Stmt * {
    return unread.contains(stmt) ? nullptr : stmt;
  });
}

} // namespace tilescope
