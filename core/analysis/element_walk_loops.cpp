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

// A ring of four slots is full after three iterations, and what guards its refills is known by
// then.
constexpr int64_t MaxTripsApart = 4;

Lanes shifted(Lanes lanes, int64_t step) {
  for (int64_t &lane : lanes)
    lane = static_cast<int64_t>(static_cast<uint64_t>(lane) + static_cast<uint64_t>(step));
  return lanes;
}

} // namespace

void ElementWalk::visitLoop(const For &loop) {
  Lanes min = frame_.evaluate(loop.min);
  Lanes extent = frame_.evaluate(loop.extent);
  if (min.empty() || extent.empty())
    visitUnknownTrips(loop, min);
  else
    visitKnownTrips(loop, min, extent);
  frame_.unbind(loop.var);
}

void ElementWalk::visitKnownTrips(const For &loop, const Lanes &min, const Lanes &extent) {
  Lanes outside = frame_.active();
  int64_t trips = *llvm::max_element(extent);
  for (int64_t step = 0; step < trips && !written_->isSettled(loop.body); ++step) {
    Lanes active = frame_.activeWhere(extent, [&](int64_t runs) { return step < runs; });
    if (visits_ > MaxVisits || active.empty())
      return visitAnyIteration(loop);
    frame_.setActive(std::move(active));
    visitIteration(loop, shifted(min, step));
    frame_.setActive(outside);
  }
}

void ElementWalk::visitIteration(const For &loop, Lanes value) {
  size_t mark = guarded_.mark();
  const Expr *isThis = nullptr;
  if (value.size() == 1)
    isThis =
        builder_.binary(BinaryOp::Equal, loop.var, builder_.integer(value[0], loop.var->dtype()));
  frame_.bind(loop.var, std::move(value));
  visitBody(loop, isThis);
  guarded_.drop(mark, loop.var);
}

void ElementWalk::visitAnyIteration(const For &loop) {
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
  if (!loops_.empty() && dependsOnLoops(loop.extent))
    expectLater();
  llvm::SaveAndRestore unknown(place_.unknownConditions,
                               place_.unknownConditions + !uniform().isUniform(loop));
  State before = written_->state();
  size_t mark = guarded_.mark(), findings = accesses_->mark();
  if (visits_ <= MaxVisits)
    visitIteration(loop, min);
  if (!written_->isSettled(loop.body))
    visitAnyIteration(loop);
  if (!min.empty() && visits_ <= MaxVisits && accesses_->hasDoubtSince(findings)) {
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
  if (!place_.unsureLoop && !loops_.empty())
    place_.unsureLoop = loops_.front();
}

} // namespace tilescope
