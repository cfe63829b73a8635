#include "core/analysis/iterations_meet.h"

#include "core/analysis/iteration_lanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope {

namespace {

// Iterations of a nest, in all iterations of the loops around it.
constexpr int64_t MaxLanesInAll = 1 << 20;

// An index: what is the same in all iterations, and the rest.
struct SplitIndex {
  Affine fixed;
  Affine varying;

  bool isKnown() const { return fixed.isKnown() && varying.isKnown(); }
};

class MeetingOfTwo {
public:
  MeetingOfTwo(IrAffine &affine, const NestPlace &place, const NestAccess &a, const NestAccess &b)
      : affine_(affine), arithmetic_(affine.arithmetic()), place_(place), nest_(*place.nest),
        accesses_{&a, &b} {}

  IterationsMeet run() {
    for (auto [var, extent] : llvm::zip(nest_.vars, nest_.extents))
      if (constantValue(extent) == 1)
        tied_.insert(var);
    tieVariables();
    if (tied_.size() == nest_.vars.size() || areIndicesApart())
      return IterationsMeet::No;
    if (!chooseLanes())
      return IterationsMeet::Unknown;
    IterationsMeet found = runLanes();
    if (found != IterationsMeet::Unknown || !chooseLoops())
      return found;
    return runLoops(0) ? IterationsMeet::No : IterationsMeet::Unknown;
  }

private:
  // --- variables that have one value wherever the elements are the same ---

  // Where an axis is `4 * i + n` in both accesses, i is.
  void tieVariables() {
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (size_t axis = 0; axis != axes(); ++axis)
        if (const Var *var = variableOfAxis(axis))
          isChanged |= tied_.insert(var).second;
    }
  }

  const Var *variableOfAxis(size_t axis) {
    if (!isElement(axis))
      return nullptr;
    SplitIndex a = split(0, axis), b = split(1, axis);
    if (!a.isKnown() || !b.isKnown() || a.fixed != b.fixed || a.varying != b.varying ||
        a.varying.sum->terms.size() != 1)
      return nullptr;
    const AffineAtom *atom = a.varying.sum->terms[0].atom;
    const Var *var = atom->kind == AffineKind::Symbol
                         ? llvm::dyn_cast<Var>(affine_.exprOf(atom->symbol))
                         : nullptr;
    return llvm::is_contained(nest_.vars, var) ? var : nullptr;
  }

  size_t axes() const { return accesses_[0]->ranges.size(); }
  const Range &range(int side, size_t axis) const { return accesses_[side]->ranges[axis]; }
  bool isElement(size_t axis) const {
    return constantValue(range(0, axis).extent) == 1 && constantValue(range(1, axis).extent) == 1;
  }

  SplitIndex split(int side, size_t axis) {
    Affine index = isAffineType(range(side, axis).min->dtype())
                       ? affine_.convert(range(side, axis).min)
                       : Affine();
    if (!index.isKnown())
      return {};
    SplitIndex parts{arithmetic_.constant(index.sum->constant), arithmetic_.constant(0)};
    for (const AffineTerm &term : index.sum->terms) {
      Affine &part = isFixed(arithmetic_.term(term)) ? parts.fixed : parts.varying;
      part = arithmetic_.add(part, arithmetic_.term(term));
    }
    return parts;
  }

  bool isFixed(Affine value) {
    bool isStable = true;
    forEachSymbol(value,
                  [&](SymbolId symbol) { isStable &= affine_.isStable(affine_.exprOf(symbol)); });
    auto varies = [&](const Var *var) { return affine_.dependsOn(value, var); };
    auto variesWithLoop = [&](const For *loop) { return varies(loop->var); };
    return isStable && llvm::none_of(place_.unknowns, varies) &&
           llvm::none_of(outerLoops_, variesWithLoop) &&
           llvm::none_of(nest_.vars,
                         [&](const Var *var) { return !tied_.contains(var) && varies(var); }) &&
           llvm::none_of(accesses_[0]->loops, variesWithLoop) &&
           llvm::none_of(accesses_[1]->loops, variesWithLoop);
  }

  // Whether some axis alone parts the elements of any two iterations.
  bool areIndicesApart() {
    return llvm::any_of(llvm::seq<size_t>(0, axes()), [&](size_t axis) {
      if (!isElement(axis))
        return false;
      AffineBounds a = affine_.bounds(range(0, axis).min), b = affine_.bounds(range(1, axis).min);
      if ((a.upper && b.lower && *a.upper < *b.lower) ||
          (b.upper && a.lower && *b.upper < *a.lower))
        return true;
      SplitIndex first = split(0, axis), second = split(1, axis);
      Affine distance = arithmetic_.subtract(first.fixed, second.fixed);
      return first.varying.isConstant(0) && second.varying.isConstant(0) &&
             arithmetic_.prove({AffineRelation::Zero, distance}, affine_.ranges()) == Proof::False;
    });
  }

  // --- running both ---

  // Those variables of the nest that are run; the others are tied and stay what they are.
  bool chooseLanes() {
    if (selectLanes([](const Var *) { return true; }))
      return true;
    return selectLanes([&](const Var *var) { return !tied_.contains(var); });
  }

  bool selectLanes(llvm::function_ref<bool(const Var *)> isWanted) {
    extents_.clear();
    iterations_ = 1;
    for (auto [var, expr] : llvm::zip(nest_.vars, nest_.extents)) {
      std::optional<int64_t> extent = constantValue(expr);
      if (!isWanted(var) || (!extent && tied_.contains(var)))
        continue;
      if (!extent || *extent < 1 || *extent > MaxNestIterations / iterations_)
        return false;
      iterations_ *= *extent;
      extents_.push_back({var, *extent});
    }
    for (auto [var, extent] : extents_)
      tied_.erase(var);
    return true;
  }

  IterationsMeet runLanes() {
    bool isExact = true;
    for (int side : {0, 1}) {
      run_[side].start(*accesses_[side], extents_, iterations_);
      isExact &= run_[side].isExact();
    }
    for (size_t axis = 0; axis != axes(); ++axis)
      isExact &= compareAxis(axis);
    std::optional<bool> doMeet = AccessLanes::meet(run_[0], run_[1]);
    if (doMeet == false)
      return IterationsMeet::No;
    return doMeet && isExact ? IterationsMeet::Yes : IterationsMeet::Unknown;
  }

  // Loops around the nest that the accesses depend on.
  bool chooseLoops() {
    for (const For *loop : llvm::reverse(place_.loops))
      if (dependsOnLoop(loop))
        outerLoops_.insert(outerLoops_.begin(), loop);
    return !outerLoops_.empty();
  }

  bool dependsOnLoop(const For *loop) const {
    auto depends = [&](const Expr *expr) { return affine_.dependsOn(expr, loop->var); };
    bool found = llvm::any_of(outerLoops_, [&](const For *inner) {
      return depends(inner->min) || depends(inner->extent);
    });
    for (const NestAccess *access : accesses_) {
      for (const Range &range : access->ranges)
        found |= depends(range.min);
      for (const NestCondition &condition : access->conditions)
        found |= depends(condition.expr);
    }
    return found;
  }

  // False: in some iteration of theirs the nest's may meet.
  bool runLoops(size_t depth) {
    if (depth == outerLoops_.size()) {
      lanesInAll_ += iterations_;
      return lanesInAll_ <= MaxLanesInAll && runLanes() == IterationsMeet::No;
    }
    const For &loop = *outerLoops_[depth];
    Lanes min = run_[0].evaluate(loop.min), extent = run_[0].evaluate(loop.extent);
    if (min.size() != 1 || extent.size() != 1)
      return false;
    for (int64_t step = 0; step < extent[0]; ++step) {
      for (AccessLanes &run : run_)
        run.bind(loop.var, min[0] + step);
      if (!runLoops(depth + 1))
        return false;
    }
    return true;
  }

  // False: the axis cannot be compared, and is left out.
  bool compareAxis(size_t axis) {
    if (!isElement(axis))
      return false;
    SplitIndex a = split(0, axis), b = split(1, axis);
    std::optional<int64_t> distance = arithmetic_.subtract(a.fixed, b.fixed).asConstant();
    if (!distance || !a.isKnown() || !b.isKnown())
      return false;
    Lanes first = run_[0].add(evaluate(0, axis, a.varying), *distance);
    Lanes second = evaluate(1, axis, b.varying);
    if (first.empty() || second.empty())
      return false;
    run_[0].addIndex(std::move(first));
    run_[1].addIndex(std::move(second));
    return true;
  }

  Lanes evaluate(int side, size_t axis, Affine value) {
    const Expr *like = range(side, axis).min;
    const Expr *expr = affine_.emit(value, like->dtype(), like);
    return expr ? run_[side].evaluate(expr) : Lanes();
  }

  IrAffine &affine_;
  AffineContext &arithmetic_;
  const NestPlace &place_;
  const Parallel &nest_;
  const NestAccess *accesses_[2];
  llvm::SmallPtrSet<const Var *, 4> tied_;
  NestExtents extents_; // of variables that are run
  int64_t iterations_ = 1;
  llvm::SmallVector<const For *> outerLoops_; // that are run, outermost first
  int64_t lanesInAll_ = 0;
  AccessLanes run_[2];
};

} // namespace

IterationsMeet computeIterationsMeet(IrAffine &affine, const NestPlace &place, const NestAccess &a,
                                     const NestAccess &b) {
  return MeetingOfTwo(affine, place, a, b).run();
}

} // namespace tilescope
