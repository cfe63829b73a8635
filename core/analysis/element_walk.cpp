#include "core/analysis/element_walk.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

std::vector<UninitialisedElement> ElementWalk::run() {
  visit(function_.body);
  return std::move(found_);
}

void ElementWalk::visit(const Stmt *stmt) {
  if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
    return visitLaunch(*launch);
  if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
    frame_.bind(bind->var, frame_.evaluate(bind->value));
    guarded_.forget(bind->var);
  }
  // Host code around launches touches nothing that is asked about.
  if (!written_)
    return forEachChild(stmt, [&](const Stmt *child) { visitInside(stmt, child); });
  if (written_->isSettled(stmt))
    return;
  ++visits_;
  accesses_->visit(stmt);
  switch (stmt->kind()) {
  case StmtKind::Seq:
    for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
      visit(child);
    return;
  case StmtKind::For:
    return visitLoop(*llvm::cast<For>(stmt));
  case StmtKind::Parallel:
    return visitNest(*llvm::cast<Parallel>(stmt));
  case StmtKind::If:
  case StmtKind::Role:
    return visitBranch(*llvm::cast<If>(stmt));
  case StmtKind::Break:
  case StmtKind::Bind:
  case StmtKind::Store:
  case StmtKind::Op:
  case StmtKind::Launch:
    return;
  }
}

void ElementWalk::visitInside(const Stmt *parent, const Stmt *child) {
  facts_.enter(parent, child);
  visit(child);
  facts_.leave();
}

void ElementWalk::visitLaunch(const Launch &launch) {
  written_.emplace(context_, function_, launch);
  accesses_.emplace(facts_, *written_, frame_, guarded_, place_);
  frame_.enterLaunch(launch);
  visitInside(&launch, launch.body);
  llvm::append_range(found_, accesses_->takeFound());
  guarded_.dropAll(0);
  accesses_.reset();
  written_.reset();
}

void ElementWalk::visitNest(const Parallel &nest) {
  // Which iterations run where not all threads come, of the block or of a role, or where there may
  // be none, is not known.
  bool isOfAll = frame_.active() == Lanes{1} || (place_.role && frame_.active() == roleLanes_);
  bool isWhole = isOfAll && place_.unknownConditions == 0;
  for (const Expr *extent : nest.extents) {
    Lanes count = frame_.evaluate(extent);
    if (count.size() == 1 && count[0] <= 0)
      return;
    isWhole &= count.size() == 1;
  }
  llvm::SaveAndRestore unknown(place_.unknownConditions, place_.unknownConditions + !isWhole);
  llvm::SaveAndRestore inside(place_.nest, &nest);
  size_t mark = guarded_.mark();
  frame_.enterNest(nest);
  written_->enterNest();
  visitInside(&nest, nest.body);
  written_->leaveNest();
  frame_.leaveNest();
  if (!isWhole)
    return guarded_.dropAll(mark);
  guarded_.leaveNest(
      mark, nest, [&](size_t index) { return written_->isPrivate(index); },
      [&](const Expr *expr) { return uniform().isUniform(expr); });
}

// ---- Conditions ----

void ElementWalk::visitBranch(const If &branch) {
  Lanes whenTrue = frame_.activeUnder(branch.condition, true);
  Lanes whenFalse = frame_.activeUnder(branch.condition, false);
  if (!whenTrue.empty() && !whenFalse.empty()) {
    visitLanes(branch, true, std::move(whenTrue));
    visitLanes(branch, false, std::move(whenFalse));
    return;
  }
  Proof proof = facts_.affine().prove(branch.condition);
  if (proof == Proof::Unknown) {
    size_t mark = guarded_.mark();
    visitUnknownBranch(branch);
    for (const auto &write : guarded_.writtenOnBothSides(mark, branch.condition))
      accesses_->write(written_->buffer(write.buffer).id, write.ranges);
    return;
  }
  if (const Stmt *side = proof == Proof::True ? branch.thenBody : branch.elseBody)
    visitInside(&branch, side);
}

void ElementWalk::visitLanes(const If &branch, bool holds, Lanes active) {
  const Stmt *side = holds ? branch.thenBody : branch.elseBody;
  if (!side || llvm::all_of(active, [](int64_t lane) { return lane == 0; }))
    return;
  size_t mark = guarded_.mark();
  bool isOfSome = active.size() != 1;
  Lanes outside = frame_.active();
  llvm::SaveAndRestore role(place_.role);
  if (const auto *entered = llvm::dyn_cast<Role>(&branch)) {
    place_.role = entered;
    roleLanes_ = active;
  }
  frame_.setActive(std::move(active));
  place_.beside.push_back(isOfSome ? holds ? branch.elseBody : branch.thenBody : nullptr);
  visitInside(&branch, side);
  place_.beside.pop_back();
  frame_.setActive(std::move(outside));
  if (isOfSome)
    guarded_.guard(mark, {branch.condition, holds});
}

void ElementWalk::visitUnknownBranch(const If &branch) {
  llvm::SaveAndRestore unsure(place_.unsureLoop);
  llvm::SaveAndRestore later(place_.isLaterIteration);
  expectLater();
  // Iterations of a nest agree on what none of them changes.
  bool isUniform =
      uniform().isUniform(branch) && (!place_.nest || facts_.affine().isStable(branch.condition));
  // Lanes that disagree run both sides, and what either writes is written by some of them.
  llvm::SaveAndRestore unknown(place_.unknownConditions, place_.unknownConditions + !isUniform);
  State before = save();
  size_t mark = guarded_.mark();
  visitInside(&branch, branch.thenBody);
  guarded_.guard(mark, {branch.condition, true});
  State whenTrue = written_->state();
  if (isUniform)
    written_->state() = std::move(before);
  mark = guarded_.mark();
  if (branch.elseBody)
    visitInside(&branch, branch.elseBody);
  joinWith(whenTrue, mark, {branch.condition, false});
  keep(whenTrue, {branch.condition, true});
}

void ElementWalk::joinWith(const State &other, size_t mark, WriteGuard guard) {
  guarded_.guard(mark, guard);
  State here = written_->state();
  written_->join(other);
  keep(here, guard);
}

void ElementWalk::keep(const State &side, WriteGuard guard) {
  if (place_.nest)
    return;
  for (size_t index = 0; index != side.size(); ++index)
    if (!(side[index].surely == (*written_)[index].surely))
      guarded_.add(index, side[index].surely, guard);
}

// Copies count as work.
ElementWalk::State ElementWalk::save() {
  visits_ += written_->words() / 64;
  return written_->state();
}

const ThreadUniform &ElementWalk::uniform() {
  if (!uniform_)
    uniform_.emplace(function_);
  return *uniform_;
}

} // namespace tilescope
