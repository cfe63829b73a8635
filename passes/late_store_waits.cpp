#include "passes/late_store_waits.h"

#include "core/ir/op_facts.h"
#include "passes/flat_stmts.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

using Stmts = llvm::SmallVector<const Stmt *>;

bool isOfStores(const OpStmt &op) { return op.opInfo().queue == AsyncQueue::BulkStore; }

// For all of them.
bool isWait(const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  return op && isOfStores(*op) && op->opInfo().sync == OpSync::Wait && op->attr(Attr::Pending) == 0;
}

class LateWaits {
public:
  LateWaits(Context &context, const For &loop) : context_(context), loop_(loop) {
    stmts_ = flatStmtsOf(loop.body);
    for (const Stmt *stmt : stmts_)
      collectStored(stmt);
  }

  // The loop and what comes behind it; null: the wait stays.
  const Stmt *run() {
    auto *wait = llvm::find_if(stmts_, isWait);
    if (wait == stmts_.end() || waits_ != 1)
      return nullptr;
    auto touches = [&](const Stmt *stmt) { return touchesStored(stmt); };
    auto *first = llvm::find_if(stmts_, touches);
    if (first >= wait || std::any_of(wait + 1, stmts_.end(), touches))
      return nullptr;
    Stmts body(stmts_.begin(), first);
    body.push_back(*wait);
    body.append(first, wait);
    body.append(wait + 1, stmts_.end());
    Builder builder(context_);
    const Stmt *loop =
        context_.make<For>(loop_.info(), loop_.var, loop_.min, loop_.extent, loop_.forKind,
                           builder.seq(builder.fresh(loop_.body->span()), body), loop_.pipeline);
    const Stmt *behind = cloneStmt(context_, *wait);
    return builder.seq(builder.fresh(loop_.span()), {loop, behind});
  }

private:
  void collectStored(const Stmt *stmt) {
    walk(stmt, [&](const Stmt *part) {
      const auto *op = llvm::dyn_cast<OpStmt>(part);
      if (op && isOfStores(*op)) {
        waits_ += op->opInfo().sync == OpSync::Wait;
        for (const BufferRegion &region : op->regions)
          stored_.insert(region.buffer);
      }
      return true;
    });
  }

  // Or may not be passed.
  bool touchesStored(const Stmt *stmt) const {
    bool isFound = false;
    walk(stmt, [&](const Stmt *part) {
      isFound |= ordersLaunches(*part);
      isFound |= llvm::any_of(accessesOf(context_, part), [&](const BufferAccess &access) {
        return stored_.count(access.buffer) != 0;
      });
      return !isFound;
    });
    return isFound;
  }

  Context &context_;
  const For &loop_;
  Stmts stmts_;
  std::set<BufferId> stored_; // and where to
  int waits_ = 0;
};

} // namespace

const Stmt *withLateStoreWaits(Context &context, const Stmt *body) {
  return rewriteStmt(context, body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    const Stmt *late = loop ? LateWaits(context, *loop).run() : nullptr;
    return late ? late : stmt;
  });
}

} // namespace tilescope
