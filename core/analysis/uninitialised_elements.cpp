#include "core/analysis/uninitialised_elements.h"

#include "core/analysis/element_accesses.h"
#include "core/analysis/thread_uniform.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

// Statements, each as often as it is visited, up to which loops are run one iteration after
// another.
constexpr int64_t MaxVisits = 1 << 16;

class ElementWalk {
public:
  ElementWalk(Context &context, const Function &function)
      : context_(context), builder_(context), function_(function), facts_(context, function),
        frame_(facts_), guarded_(facts_) {}

  std::vector<UninitialisedElement> run() {
    visit(function_.body);
    return std::move(found_);
  }

private:
  using State = WrittenElements::State;

  // --- statements ---

  void visit(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      return visitLaunch(*launch);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      frame_.bind(bind->var, frame_.evaluate(bind->value));
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
      return visitBranch(*llvm::cast<If>(stmt));
    case StmtKind::Bind:
    case StmtKind::Store:
    case StmtKind::Op:
    case StmtKind::Launch:
      return;
    }
  }

  void visitInside(const Stmt *parent, const Stmt *child) {
    facts_.enter(parent, child);
    visit(child);
    facts_.leave();
  }

  void visitLaunch(const Launch &launch) {
    written_.emplace(context_, function_, launch);
    accesses_.emplace(facts_, *written_, frame_, guarded_, place_);
    frame_.enterLaunch(launch);
    visitInside(&launch, launch.body);
    llvm::append_range(found_, accesses_->takeFound());
    guarded_.dropAll(0);
    accesses_.reset();
    written_.reset();
  }

  void visitNest(const Parallel &nest) {
    bool isOfSomeLanes = frame_.active() != Lanes{1};
    llvm::SaveAndRestore unknown(place_.unknownConditions,
                                 place_.unknownConditions + isOfSomeLanes);
    llvm::SaveAndRestore inside(place_.nest, &nest);
    size_t mark = guarded_.mark();
    frame_.enterNest(nest);
    written_->enterNest();
    visitInside(&nest, nest.body);
    written_->leaveNest();
    frame_.leaveNest();
    guarded_.leaveNest(mark, nest, [&](size_t index) { return written_->isPrivate(index); });
  }

  // --- loops ---

  void visitLoop(const For &loop) {
    Lanes min = frame_.evaluate(loop.min);
    Lanes extent = frame_.evaluate(loop.extent);
    if (min.empty() || extent.empty())
      visitUnknownTrips(loop, std::move(min));
    else
      visitKnownTrips(loop, min, extent);
    frame_.unbind(loop.var);
  }

  void visitKnownTrips(const For &loop, const Lanes &min, const Lanes &extent) {
    Lanes outside = frame_.active();
    int64_t trips = *llvm::max_element(extent);
    for (int64_t step = 0; step < trips && !written_->isSettled(loop.body); ++step) {
      Lanes active = frame_.activeWhere(extent, [&](int64_t runs) { return step < runs; });
      if (visits_ > MaxVisits || active.empty())
        return visitAnyIteration(loop);
      frame_.setActive(std::move(active));
      Lanes value = min;
      for (int64_t &lane : value)
        lane = static_cast<int64_t>(static_cast<uint64_t>(lane) + static_cast<uint64_t>(step));
      visitIteration(loop, std::move(value));
      frame_.setActive(outside);
    }
  }

  void visitIteration(const For &loop, Lanes value) {
    size_t mark = guarded_.mark();
    const Expr *isThis = nullptr;
    if (value.size() == 1)
      isThis =
          builder_.binary(BinaryOp::Equal, loop.var, builder_.integer(value[0], loop.var->dtype()));
    frame_.bind(loop.var, std::move(value));
    visitBody(loop, isThis);
    guarded_.drop(mark, loop.var);
  }

  // One that stands for all that were not run: what it finds written, each of them does.
  void visitAnyIteration(const For &loop) {
    size_t mark = guarded_.mark();
    State before = written_->state();
    frame_.unbind(loop.var);
    {
      llvm::SaveAndRestore later(place_.isLaterIteration, true);
      visitBody(loop, nullptr);
    }
    guarded_.leaveLoop(mark, loop);
    for (auto [now, then] : llvm::zip_equal(written_->state(), before))
      now.surely = std::move(then.surely);
  }

  void visitBody(const For &loop, const Expr *fact) {
    loops_.push_back(&loop);
    if (fact)
      facts_.assume(fact, true);
    visitInside(&loop, loop.body);
    if (fact)
      facts_.leave();
    loops_.pop_back();
  }

  void visitUnknownTrips(const For &loop, Lanes min) {
    if (neverRuns(facts_.affine(), &loop, loop.body))
      return;
    llvm::SaveAndRestore unsure(place_.unsureLoop);
    if (!loops_.empty() && dependsOnLoops(loop.extent))
      expectLater();
    llvm::SaveAndRestore unknown(place_.unknownConditions,
                                 place_.unknownConditions + !uniform().isUniform(loop));
    State before = written_->state();
    size_t mark = guarded_.mark();
    if (visits_ <= MaxVisits)
      visitIteration(loop, std::move(min));
    if (!written_->isSettled(loop.body))
      visitAnyIteration(loop);
    const Expr *runs = builder_.less(builder_.integer(0, loop.extent->dtype()), loop.extent);
    if (facts_.affine().prove(runs) != Proof::True)
      joinWith(before, mark, {runs, true});
  }

  bool dependsOnLoops(const Expr *expr) {
    IrAffine &affine = facts_.affine();
    return !affine.isStable(expr) ||
           llvm::any_of(loops_, [&](const For *loop) { return affine.dependsOn(expr, loop->var); });
  }

  // What follows may run first in any iteration of the loops around it.
  void expectLater() {
    if (!place_.unsureLoop && !loops_.empty())
      place_.unsureLoop = loops_.front();
  }

  // --- conditions ---

  void visitBranch(const If &branch) {
    Lanes whenTrue = frame_.activeUnder(branch.condition, true);
    Lanes whenFalse = frame_.activeUnder(branch.condition, false);
    if (!whenTrue.empty() && !whenFalse.empty()) {
      visitLanes(branch, branch.thenBody, std::move(whenTrue), true);
      visitLanes(branch, branch.elseBody, std::move(whenFalse), false);
      return;
    }
    Proof proof = facts_.affine().prove(branch.condition);
    if (proof == Proof::Unknown)
      return visitUnknownBranch(branch);
    if (const Stmt *side = proof == Proof::True ? branch.thenBody : branch.elseBody)
      visitInside(&branch, side);
  }

  void visitLanes(const If &branch, const Stmt *side, Lanes active, bool holds) {
    if (!side || llvm::all_of(active, [](int64_t lane) { return lane == 0; }))
      return;
    size_t mark = guarded_.mark();
    bool isOfSome = active.size() != 1;
    Lanes outside = frame_.active();
    frame_.setActive(std::move(active));
    visitInside(&branch, side);
    frame_.setActive(std::move(outside));
    if (isOfSome)
      guarded_.guard(mark, {branch.condition, holds});
  }

  void visitUnknownBranch(const If &branch) {
    llvm::SaveAndRestore unsure(place_.unsureLoop);
    expectLater();
    bool isUniform = uniform().isUniform(branch);
    // Lanes that disagree run both sides, and what either writes is written by some of them.
    llvm::SaveAndRestore unknown(place_.unknownConditions, place_.unknownConditions + !isUniform);
    State before = written_->state();
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

  // The walk went where `guard` holds, from `mark` on; `other` is what was written elsewhere.
  void joinWith(const State &other, size_t mark, WriteGuard guard) {
    guarded_.guard(mark, guard);
    State here = written_->state();
    written_->join(other);
    keep(here, guard);
  }

  // What is surely written where the guard holds, and not everywhere. Inside of a nest a lane may
  // not take it for its own.
  void keep(const State &side, WriteGuard guard) {
    if (place_.nest)
      return;
    for (size_t index = 0; index != side.size(); ++index)
      if (!(side[index].surely == (*written_)[index].surely))
        guarded_.add(index, side[index].surely, guard);
  }

  const ThreadUniform &uniform() {
    if (!uniform_)
      uniform_.emplace(function_);
    return *uniform_;
  }

  Context &context_;
  Builder builder_;
  const Function &function_;
  PathFacts facts_;
  LaneFrame frame_;
  GuardedWrites guarded_;
  std::optional<WrittenElements> written_;  // of the launch
  std::optional<ElementAccesses> accesses_; // of the launch
  AccessPlace place_;
  std::optional<ThreadUniform> uniform_;
  llvm::SmallVector<const For *> loops_; // around the statement, outermost first
  int64_t visits_ = 0;
  std::vector<UninitialisedElement> found_;
};

} // namespace

std::vector<UninitialisedElement> findUninitialisedElements(Context &context,
                                                            const Function &function) {
  return ElementWalk(context, function).run();
}

} // namespace tilescope
