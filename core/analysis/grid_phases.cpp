#include "core/analysis/grid_phases.h"

#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

GridPhases::GridPhases(const Launch &launch, Blocks blocks) : blocks_(blocks) {
  if (meetsBlocks(launch) || (blocks == Blocks::OfCluster && meetsCluster(launch)))
    walkOver(launch.body, {nullptr});
}

bool GridPhases::isBarrier(const Stmt *stmt) const {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  if (!op || op->opInfo().sync != OpSync::Barrier)
    return false;
  return op->opInfo().isOfGrid || (blocks_ == Blocks::OfCluster && op->opInfo().isOfCluster);
}

bool GridPhases::mayMeet(const Stmt *a, const Stmt *b) const {
  if (starts_.empty())
    return true;
  auto first = starts_.find(a);
  auto second = starts_.find(b);
  return first == starts_.end() || second == starts_.end() ||
         llvm::any_of(first->second,
                      [&](const Stmt *start) { return llvm::is_contained(second->second, start); });
}

bool GridPhases::addAll(Starts &to, const Starts &from) {
  size_t before = to.size();
  for (const Stmt *start : from)
    if (!llvm::is_contained(to, start))
      to.push_back(start);
  return to.size() != before;
}

GridPhases::Starts GridPhases::walkOver(const Stmt *stmt, Starts starts) {
  addAll(starts_[stmt], starts);
  if (isBarrier(stmt))
    return {stmt};
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    return walkLoop(*loop, std::move(starts));
  if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    Starts after = walkOver(branch->thenBody, starts);
    addAll(after, branch->elseBody ? walkOver(branch->elseBody, starts) : starts);
    return after;
  }
  forEachChild(stmt, [&](const Stmt *child) { starts = walkOver(child, std::move(starts)); });
  return starts;
}

// Its head is reached again from its end. A loop that may end early may do so behind any barrier.
GridPhases::Starts GridPhases::walkLoop(const For &loop, Starts starts) {
  Starts after;
  do {
    after = walkOver(loop.body, starts);
  } while (addAll(starts, after));
  if (mayEndEarly(loop))
    walk(loop.body, [&](const Stmt *stmt) {
      if (isBarrier(stmt))
        addAll(after, {stmt});
      return true;
    });
  if (constantValue(loop.extent).value_or(0) <= 0 || mayEndEarly(loop))
    addAll(after, starts);
  return after;
}

} // namespace tilescope
