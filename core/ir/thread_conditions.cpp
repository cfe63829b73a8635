#include "core/ir/thread_conditions.h"

#include "core/ir/op_facts.h"
#include "core/ir/verifier.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using Threads = llvm::BitVector; // of a block

// Null: not known.
const Expr *foldedFor(Builder &ir, const Expr *expr, const Var *threadVar, int64_t thread) {
  if (expr == threadVar)
    return ir.integer(thread, expr->dtype());
  if (llvm::isa<IntImm>(expr))
    return expr;
  if (const auto *cast = llvm::dyn_cast<Cast>(expr)) {
    const Expr *operand = foldedFor(ir, cast->operand, threadVar, thread);
    return operand ? ir.cast(cast->dtype(), operand) : nullptr;
  }
  if (const auto *unary = llvm::dyn_cast<Unary>(expr)) {
    const Expr *operand = foldedFor(ir, unary->operand, threadVar, thread);
    return operand ? ir.unary(unary->op, operand) : nullptr;
  }
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  const Expr *lhs = binary ? foldedFor(ir, binary->lhs, threadVar, thread) : nullptr;
  const Expr *rhs = lhs ? foldedFor(ir, binary->rhs, threadVar, thread) : nullptr;
  const Expr *value = rhs ? ir.binary(binary->op, lhs, rhs) : nullptr;
  return value && constantValue(value) ? value : nullptr;
}

// What is said of the thread by the thread variable and what is bound to it.
class ThreadValues {
public:
  ThreadValues(Context &context, const Function &function, const Launch &launch)
      : context_(context), ir_(context), function_(function), launch_(launch) {
    walk(launch.body, [&](const Stmt *stmt) {
      if (const auto *bind = llvm::dyn_cast<Bind>(stmt); bind && isOfThread(bind->value)) {
        ofThread_.insert(bind->var);
        if (!readsMemory(bind->value))
          values_[bind->var] = substitute(context_, bind->value, values_);
      }
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (loop && (isOfThread(loop->min) || isOfThread(loop->extent)))
        ofThread_.insert(loop->var);
      return true;
    });
  }

  // Whether threads may differ in it.
  bool isOfThread(const Expr *expr) const {
    bool found = false;
    walk(expr, [&](const Expr *part) {
      if (const auto *var = llvm::dyn_cast<Var>(part))
        found |= var == launch_.threadVar || ofThread_.contains(var);
      if (const auto *load = llvm::dyn_cast<Load>(part))
        found |= isOwn(load->buffer);
    });
    return found;
  }

  bool isOwn(BufferId buffer) const {
    Scope scope = function_.buffer(buffer).scope;
    return scope == Scope::Local || scope == Scope::LocalVar;
  }

  // For which threads it holds; nullopt: they do not decide alone.
  std::optional<Threads> holdsFor(const Expr *condition) {
    Threads threads(static_cast<unsigned>(launch_.threads));
    condition = substitute(context_, condition, values_);
    for (int64_t thread = 0; thread != launch_.threads; ++thread) {
      std::optional<int64_t> value = valueForThread(ir_, condition, launch_.threadVar, thread);
      if (!value)
        return std::nullopt;
      threads[static_cast<unsigned>(thread)] = *value != 0;
    }
    return threads;
  }

private:
  Context &context_;
  Builder ir_;
  const Function &function_;
  const Launch &launch_;
  llvm::DenseSet<const Var *> ofThread_;
  Substitution values_; // of those that threads decide alone
};

class TileWorkSpreader {
public:
  TileWorkSpreader(Context &context, const Function &function, const Launch &launch,
                   Diagnostics &diagnostics)
      : context_(context), ir_(context), function_(function), values_(context, function, launch),
        all_(static_cast<unsigned>(launch.threads), true), diagnostics_(diagnostics) {}

  // Outside of all conditions on the thread.
  const Stmt *rewrite(const Stmt *stmt) {
    // A role says by whom its work is done.
    if (llvm::isa<Role>(stmt))
      return stmt;
    const auto *branch = llvm::dyn_cast<If>(stmt);
    if (!branch || !values_.isOfThread(branch->condition) || !hasTileWork(stmt))
      return llvm::isa<Parallel>(stmt)
                 ? stmt
                 : mapChildren(context_, stmt, [&](const Stmt *child) { return rewrite(child); });
    llvm::SmallVector<const Stmt *> spread;
    if (waits(stmt) || !spreadSides(*branch, nullptr, all_, spread))
      return stmt;
    diagnostics_.report(DiagId::TileWorkSpread, branch->span());
    return ir_.seq(branch->info(), spread);
  }

private:
  // What threads share out among them, or all do alike since each holds a copy.
  bool isTileWork(const Stmt *stmt) {
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      return function_.buffer(store->buffer).scope == Scope::Fragment;
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    bool isTile = op ? levelOf(op->op) == OpLevel::Tile && !op->opInfo().isExchange
                     : llvm::isa<Parallel>(stmt);
    return isTile && !touchesThread(stmt);
  }

  // Memory of each thread's own, and the thread itself.
  bool touchesThread(const Stmt *stmt) {
    bool found = false;
    walk(stmt, [&](const Stmt *node) {
      for (const BufferAccess &access : accessesOf(context_, node))
        found |= values_.isOwn(access.buffer);
      forEachExpr(node, [&](const Expr *expr) { found |= values_.isOfThread(expr); });
      return true;
    });
    return found;
  }

  bool hasTileWork(const Stmt *stmt) {
    bool found = false;
    walk(stmt, [&](const Stmt *node) {
      found |= isTileWork(node);
      return !found;
    });
    return found;
  }

  // What one side does may be what the other waits for.
  static bool waits(const Stmt *stmt) {
    bool found = false;
    walk(stmt, [&](const Stmt *node) {
      const auto *loop = llvm::dyn_cast<For>(node);
      found |= isSynchronisation(*node) || (loop && loop->forKind == ForKind::Endless);
      return !found;
    });
    return found;
  }

  // `stmts` gets what takes the place of a branch that threads `active`, which meet `condition`
  // (null: all do), come to. False: it cannot be shown that this is the same.
  bool spreadSides(const If &branch, const Expr *condition, const Threads &active,
                   llvm::SmallVectorImpl<const Stmt *> &stmts) {
    std::optional<Threads> holds = values_.holdsFor(branch.condition);
    if (!holds)
      return false;
    Threads yes = *holds, no = *holds;
    no.flip();
    yes &= active;
    no &= active;
    const Expr *otherwise = ir_.unary(UnaryOp::Not, branch.condition);
    return spreadSide(branch.thenBody, ir_.logicalAnd(condition, branch.condition), yes, stmts) &&
           (!branch.elseBody ||
            spreadSide(branch.elseBody, ir_.logicalAnd(condition, otherwise), no, stmts));
  }

  bool spreadSide(const Stmt *stmt, const Expr *condition, const Threads &active,
                  llvm::SmallVectorImpl<const Stmt *> &stmts) {
    if (!hasTileWork(stmt)) {
      if (llvm::isa<Bind>(stmt))
        return spreadBind(llvm::cast<Bind>(*stmt), stmts);
      stmts.push_back(context_.make<If>(ir_.fresh(stmt->span()), condition, stmt, nullptr));
      return true;
    }
    if (active.none())
      return false;
    if (isTileWork(stmt)) {
      stmts.push_back(stmt);
      return !touchesThread(stmt);
    }
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
      return llvm::all_of(seq->stmts, [&](const Stmt *child) {
        return spreadSide(child, condition, active, stmts);
      });
    const auto *inner = llvm::dyn_cast<If>(stmt);
    if (inner && values_.isOfThread(inner->condition))
      return spreadSides(*inner, condition, active, stmts);
    return spreadBody(stmt, condition, active, stmts);
  }

  // A name is seen by what follows it, so it stays.
  bool spreadBind(const Bind &bind, llvm::SmallVectorImpl<const Stmt *> &stmts) {
    stmts.push_back(&bind);
    return !values_.isOfThread(bind.value) || !readsMemory(bind.value);
  }

  // Of a loop or a branch that all threads agree on.
  bool spreadBody(const Stmt *stmt, const Expr *condition, const Threads &active,
                  llvm::SmallVectorImpl<const Stmt *> &stmts) {
    bool isShown = true;
    forEachExpr(stmt, [&](const Expr *expr) { isShown &= !values_.isOfThread(expr); });
    const auto *loop = llvm::dyn_cast<For>(stmt);
    // An explicit schedule counts the statements of the loop.
    bool isFree = loop && (!loop->pipeline || loop->pipeline->order.empty());
    isShown &= llvm::isa<If>(stmt) || (isFree && !mayEndEarly(*loop));
    if (!isShown)
      return false;
    stmts.push_back(mapChildren(context_, stmt, [&](const Stmt *child) {
      llvm::SmallVector<const Stmt *> body;
      isShown &= spreadSide(child, condition, active, body);
      return ir_.seq(ir_.fresh(child->span()), body);
    }));
    return isShown;
  }

  Context &context_;
  Builder ir_;
  const Function &function_;
  ThreadValues values_;
  Threads all_;
  Diagnostics &diagnostics_;
};

} // namespace

std::optional<int64_t> valueForThread(Builder &ir, const Expr *expr, const Var *threadVar,
                                      int64_t thread) {
  return constantValue(foldedFor(ir, expr, threadVar, thread));
}

const Function *spreadTileWork(Context &context, const Function &function,
                               Diagnostics &diagnostics) {
  const Stmt *body = rewriteStmt(context, function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    bool isLaunchable = launch && launch->threads >= 1 && launch->threads <= MaxThreadsOfBlock;
    if (!isLaunchable) // the verifier says so
      return stmt;
    TileWorkSpreader spreader(context, function, *launch, diagnostics);
    return mapChildren(context, stmt, [&](const Stmt *child) { return spreader.rewrite(child); });
  });
  return body == function.body ? &function : withBody(context, function, body);
}

} // namespace tilescope
