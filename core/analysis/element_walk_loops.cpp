// Loops of constant length are run iteration by iteration, others by their first and any other.
#include "core/analysis/element_walk.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

// Statements, each as often as it is visited, up to which loops are run one iteration after
// another.
constexpr int64_t MaxVisits = 1 << 16;

// A ring of six slots is full after five iterations, and what guards its refills is known then.
constexpr int64_t MaxTripsApart = 6;

// Whether conditions in it decide what is loaded.
bool choosesLoads(const Expr *expr) {
  bool found = false;
  walk(expr, [&](const Expr *part) {
    const auto *binary = llvm::dyn_cast<Binary>(part);
    bool isLazy = binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or);
    found |= (isLazy || llvm::isa<Select>(part)) && readsMemory(part);
  });
  return found;
}

Lanes shifted(Lanes lanes, int64_t step) {
  for (int64_t &lane : lanes)
    lane = static_cast<int64_t>(static_cast<uint64_t>(lane) + static_cast<uint64_t>(step));
  return lanes;
}

} // namespace

void ElementWalk::visitLoop(const For &loop) {
  Lanes min = frame_.evaluate(loop.min);
  Lanes extent = frame_.evaluate(loop.extent);
  // Of one that may end early only the first iteration is certain.
  if (min.empty() || extent.empty() || mayEndEarly(loop))
    visitUnknownTrips(loop, min);
  else
    visitKnownTrips(loop, min, extent);
  frame_.unbind(loop.var);
}

void ElementWalk::visitKnownTrips(const For &loop, const Lanes &min, const Lanes &extent) {
  Lanes outside = frame_.active();
  size_t mark = guarded_.mark();
  int64_t trips = *llvm::max_element(extent);
  for (int64_t step = 0; step < trips && !written_->isSettled(loop.body); ++step) {
    Lanes active = frame_.activeWhere(extent, [&](int64_t runs) { return step < runs; });
    if (visits_ > MaxVisits || active.empty()) {
      visitAnyIteration(loop);
      break;
    }
    frame_.setActive(std::move(active));
    State before = save();
    repeats_ += step != 0;
    visitIteration(loop, shifted(min, step));
    repeats_ -= step != 0;
    frame_.setActive(outside);
    if (extent.size() == 1 && written_->state() == before && isSameEachTime(loop))
      break;
    // What one lane did in it, another need not have done.
    if (extent.size() != 1)
      guarded_.dropAll(mark);
  }
  if (extent.size() != 1)
    guarded_.dropAll(mark);
}

bool ElementWalk::isSameEachTime(const For &loop) {
  IrAffine &affine = facts_.affine();
  auto depends = [&](const Expr *expr) { return affine.dependsOn(expr, loop.var); };
  bool isSame = true;
  walk(loop.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context_, stmt))
      for (const Range &range : access.ranges)
        isSame &=
            !written_->indexOf(access.buffer) || (!depends(range.min) && !depends(range.extent));
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      return isSame &= !choosesLoads(store->value) || !depends(store->value);
    if (!llvm::isa<Bind>(stmt) && !llvm::isa<OpStmt>(stmt))
      forEachExpr(stmt, [&](const Expr *expr) { isSame &= !depends(expr); });
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      for (const Expr *argument : op->args)
        isSame &= !argument || !depends(argument);
    return isSame;
  });
  return isSame;
}

void ElementWalk::visitIteration(const For &loop, Lanes value) {
  size_t mark = guarded_.mark();
  const Expr *known = value.size() == 1 ? builder_.integer(value[0], loop.var->dtype()) : nullptr;
  frame_.bind(loop.var, std::move(value));
  visitBody(loop, known ? builder_.binary(BinaryOp::Equal, loop.var, known) : nullptr);
  if (known)
    guarded_.settle(mark, loop.var, known);
  else
    guarded_.drop(mark, loop.var);
}

void ElementWalk::visitAnyIteration(const For &loop) {
  size_t mark = guarded_.mark();
  State before = save();
  frame_.unbind(loop.var);
  {
    llvm::SaveAndRestore later(place_.isLaterIteration, true);
    visitBody(loop, nullptr);
  }
  if (mayEndEarly(loop))
    guarded_.dropAll(mark);
  else
    guarded_.leaveLoop(mark, loop);
  for (auto [now, then] : llvm::zip_equal(written_->state(), before))
    now.surely = std::move(then.surely);
}

void ElementWalk::visitBody(const For &loop, const Expr *fact) {
  loops_.push_back(&loop);
  if (fact)
    facts_.assume(fact, true);
  visitInside(&loop, loop.body);
  if (fact)
    facts_.leave();
  loops_.pop_back();
}

void ElementWalk::visitUnknownTrips(const For &loop, const Lanes &min) {
  if (neverRuns(facts_.affine(), &loop, loop.body))
    return;
  llvm::SaveAndRestore unsure(place_.unsureLoop);
  llvm::SaveAndRestore later(place_.isLaterIteration);
  if (!loops_.empty() && dependsOnLoops(loop.extent))
    expectLater();
  llvm::SaveAndRestore unknown(place_.unknownConditions,
                               place_.unknownConditions + !uniform().isUniform(loop));
  State before = save();
  size_t mark = guarded_.mark(), findings = accesses_->mark();
  if (visits_ <= MaxVisits)
    visitIteration(loop, min);
  if (!written_->isSettled(loop.body))
    visitAnyIteration(loop);
  if (!min.empty() && visits_ <= MaxVisits && !mayEndEarly(loop) &&
      accesses_->hasDoubtSince(findings)) {
    accesses_->dropDoubts(findings);
    guarded_.dropAll(mark);
    visitByTrips(loop, min, before);
  }
  const Expr *runs = builder_.less(builder_.integer(0, loop.extent->dtype()), loop.extent);
  if (facts_.affine().prove(runs) != Proof::True)
    joinWith(before, mark, {runs, true});
}

void ElementWalk::visitByTrips(const For &loop, const Lanes &min, const State &before) {
  // What is certain has been found: nobody knows which of these cases there is.
  llvm::SaveAndRestore later(place_.isLaterIteration, true);
  std::optional<State> after;
  for (int64_t trips = 1; trips <= MaxTripsApart; ++trips) {
    bool isMore = trips == MaxTripsApart;
    const Expr *count = builder_.integer(trips, loop.extent->dtype());
    written_->state() = before;
    visits_ += written_->words() / 64;
    size_t mark = guarded_.mark();
    facts_.assume(
        builder_.binary(isMore ? BinaryOp::GreaterEqual : BinaryOp::Equal, loop.extent, count),
        true);
    for (int64_t step = 0; step != trips && !written_->isSettled(loop.body); ++step)
      visitIteration(loop, shifted(min, step));
    if (isMore && !written_->isSettled(loop.body))
      visitAnyIteration(loop);
    facts_.leave();
    guarded_.dropAll(mark);
    if (after)
      written_->join(*after);
    after = written_->state();
  }
}

bool ElementWalk::dependsOnLoops(const Expr *expr) {
  IrAffine &affine = facts_.affine();
  return !affine.isStable(expr) ||
         llvm::any_of(loops_, [&](const For *loop) { return affine.dependsOn(expr, loop->var); });
}

void ElementWalk::expectLater() {
  place_.isLaterIteration |= repeats_ != 0;
  if (!place_.unsureLoop && !loops_.empty())
    place_.unsureLoop = loops_.front();
}

} // namespace tilescope
