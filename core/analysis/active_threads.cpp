#include "core/analysis/active_threads.h"

#include "core/ir/visit.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

void ActiveThreads::walkOver(const Stmt *stmt, Visit visit) {
  if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
    active_ = std::vector<bool>(static_cast<size_t>(launch->threads), true);
  if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
    visit(*op);
  bool divides = !uniform_.isUniform(*stmt);
  const auto *branch = llvm::dyn_cast<If>(stmt);
  llvm::SaveAndRestore<const Stmt *> outer(dividedBy_, divides ? stmt : dividedBy_);
  // Which threads run an iteration is not known where they disagree on how many there are.
  llvm::SaveAndRestore<bool> known(isKnown_, isKnown_ && (!divides || branch));
  if (!branch || !divides)
    return forEachChild(stmt, [&](const Stmt *child) { walkOver(child, visit); });
  enter(*branch, branch->thenBody, /*holds=*/true, visit);
  if (branch->elseBody)
    enter(*branch, branch->elseBody, /*holds=*/false, visit);
}

void ActiveThreads::enter(const If &branch, const Stmt *body, bool holds, Visit visit) {
  Lanes values = lanes_.valuesOf(branch.condition);
  llvm::SaveAndRestore<bool> known(isKnown_, isKnown_ && !values.empty());
  std::vector<bool> before = active_;
  for (size_t thread = 0; thread < active_.size() && !values.empty(); ++thread)
    active_[thread] = active_[thread] && (laneOf(values, thread) != 0) == holds;
  walkOver(body, visit);
  active_ = std::move(before);
}

} // namespace tilescope
