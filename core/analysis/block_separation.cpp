// Values that are one function of the element (`common_values.h`) are gathered, from indices and
// conditions, and taken apart. Told is a coordinate that all accesses agree on in one of them.
#include "core/analysis/block_separation.h"

#include "core/analysis/block_runs.h"
#include "core/analysis/common_values.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tilescope {

namespace {

using Coordinates = llvm::SmallVector<const Var *, 3>;

llvm::SmallVector<std::vector<Affine>, 4> factsOf(llvm::ArrayRef<BlockAccess> accesses) {
  llvm::SmallVector<std::vector<Affine>, 4> facts;
  for (const BlockAccess &access : accesses)
    facts.push_back(access.facts);
  return facts;
}

class Teller {
public:
  Teller(IrAffine &affine, const Launch &launch, const llvm::DenseSet<const Var *> &inside,
         Coordinates coordinates, llvm::ArrayRef<BlockAccess> accesses)
      : affine_(affine), launch_(launch), arithmetic_(affine.arithmetic()), inside_(inside),
        accesses_(accesses), common_(arithmetic_, affine.ranges(), factsOf(accesses)),
        untold_(std::move(coordinates)) {}

  Coordinates run() {
    addElements();
    grow([&](const CommonValues &values) { splitAtBlocks(values); });
    if (untold_.empty())
      return untold_;
    for (const CommonValues &values : std::vector<CommonValues>(values_))
      add(common_.simplify(values));
    addConditions();
    grow([&](const CommonValues &values) { derive(values); });
    if (!untold_.empty() && BlockRuns(affine_, launch_, inside_, untold_).areTold(values_))
      untold_.clear();
    return untold_;
  }

private:
  // More than kernels need; each costs time.
  static constexpr size_t MaxValues = 32;

  // From all values, and from those that come of them. What is told takes terms from others.
  void grow(llvm::function_ref<void(const CommonValues &)> derive) {
    size_t next = 0;
    while (next != values_.size() && !untold_.empty()) {
      size_t untold = untold_.size();
      derive(CommonValues(values_[next++]));
      if (untold_.size() == untold)
        continue;
      for (CommonValues &values : std::exchange(values_, {}))
        add(std::move(values));
      next = 0;
    }
  }

  void addElements() {
    std::vector<CommonValues> coordinates(accesses_.front().axes.size());
    for (const BlockAccess &access : accesses_)
      for (auto [axis, box] : llvm::zip_equal(coordinates, access.axes))
        axis.push_back(elementIn(box));
    if (accesses_.front().strides.empty()) {
      for (CommonValues &axis : coordinates)
        add(std::move(axis));
      return;
    }
    CommonValues places(accesses_.size(), arithmetic_.constant(0));
    for (auto [axis, stride] : llvm::zip_equal(coordinates, accesses_.front().strides))
      for (auto [place, coordinate] : llvm::zip_equal(places, axis))
        place = arithmetic_.add(place, arithmetic_.multiply(coordinate, stride));
    add(std::move(places));
  }

  Affine elementIn(const BlockAccess::Axis &box) {
    return box.count.isConstant(1) ? box.first
                                   : arithmetic_.add(box.first, common_.makeSymbol(box.count));
  }

  // What is zero wherever an access is made.
  void addConditions() {
    for (Affine fact : accesses_.front().facts)
      if (common_.isZeroEverywhere(fact))
        add(CommonValues(accesses_.size(), fact));
    for (auto [coordinate, extent] : llvm::zip_equal(launch_.blockVars, launch_.gridExtents)) {
      Affine value = affine_.convert(coordinate);
      Affine last = arithmetic_.add(affine_.convert(extent), -1);
      if (llvm::is_contained(untold_, coordinate) &&
          (common_.isNowherePositive(value) ||
           common_.isNowherePositive(arithmetic_.subtract(last, value))))
        llvm::erase(untold_, coordinate);
    }
  }

  void add(CommonValues values) {
    if (!areKnown(values))
      return;
    if (CommonValues rest = common_.subtract(values, toldPartOf(values)); areKnown(rest))
      values = std::move(rest);
    tell(values);
    bool isNew = values_.size() < MaxValues && !llvm::is_contained(values_, values) &&
                 !llvm::all_of(values, [](Affine value) { return value.isConstant(); });
    if (isNew)
      values_.push_back(std::move(values));
  }

  // What all accesses add alike and blocks of one element agree in.
  Affine toldPartOf(const CommonValues &values) {
    Affine told = arithmetic_.constant(values.front().sum->constant);
    for (const AffineTerm &term : values.front().sum->terms)
      if (isTold(*term.atom) && llvm::all_of(values, [&](Affine value) {
            return llvm::is_contained(value.sum->terms, term);
          }))
        told = arithmetic_.add(told, arithmetic_.term(term));
    return told;
  }

  // Of 4*bx + what is told: bx.
  void tell(const CommonValues &values) {
    if (!llvm::all_equal(values))
      return;
    const Var *found = nullptr;
    for (const AffineTerm &term : values.front().sum->terms) {
      if (isTold(*term.atom))
        continue;
      const Expr *expr =
          term.atom->kind == AffineKind::Symbol ? affine_.exprOf(term.atom->symbol) : nullptr;
      const auto *var = llvm::dyn_cast_or_null<Var>(expr);
      if (found || !var || !llvm::is_contained(untold_, var))
        return;
      found = var;
    }
    llvm::erase(untold_, found);
  }

  // Whether blocks of one element agree in it.
  bool isTold(Affine value) const {
    bool isTold = true;
    forEachSymbol(value, [&](SymbolId symbol) {
      const Expr *expr = affine_.exprOf(symbol);
      isTold = isTold && expr && affine_.isStable(expr) && !mentions(expr, [&](const Var *var) {
                 return inside_.contains(var) || llvm::is_contained(untold_, var);
               });
    });
    return isTold;
  }
  bool isTold(const AffineAtom &atom) const { return isTold(arithmetic_.term({1, &atom})); }

  bool differsBetweenBlocks(const AffineAtom &atom) const {
    bool isFound = false;
    forEachSymbol(arithmetic_.term({1, &atom}), [&](SymbolId symbol) {
      const Expr *expr = affine_.exprOf(symbol);
      isFound |=
          expr && mentions(expr, [&](const Var *var) { return llvm::is_contained(untold_, var); });
    });
    return isFound;
  }

  static bool mentions(const Expr *expr, llvm::function_ref<bool(const Var *)> isMeant) {
    bool isFound = false;
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      isFound |= var && isMeant(var);
    });
    return isFound;
  }

  static std::optional<int64_t> factorOf(const AffineTerm &term) {
    bool isFactor = term.coefficient < -1 || term.coefficient > 1;
    return isFactor && term.coefficient != INT64_MIN ? std::optional(std::abs(term.coefficient))
                                                     : std::nullopt;
  }

  // The usual case, and so at little cost: 128*bx + what is less than 128.
  void splitAtBlocks(const CommonValues &values) {
    for (const AffineTerm &term : values.front().sum->terms)
      if (std::optional<int64_t> factor = factorOf(term);
          factor && differsBetweenBlocks(*term.atom))
        split(values, *factor, /*takesConstants=*/false, /*takesAll=*/true);
  }

  void derive(const CommonValues &values) {
    llvm::SmallSetVector<int64_t, 8> factors;
    for (Affine value : values)
      for (const AffineTerm &term : value.sum->terms)
        if (std::optional<int64_t> factor = factorOf(term))
          factors.insert(*factor);
    // Of what is the same in all blocks a condition may say more than its parts do.
    for (int64_t factor : factors)
      for (auto [takesConstants, takesAll] : {std::pair(false, true), {true, true}, {false, false}})
        split(values, factor, takesConstants, takesAll);
    for (const AffineTerm &term : values.front().sum->terms)
      if (term.atom->kind == AffineKind::Product)
        divideByFactors(values, *term.atom);
    // Joining adds to them.
    for (size_t next = 0; next != values_.size();) {
      CommonValues known = values_[next++];
      join(values, known);
      join(known, values);
    }
  }

  void split(const CommonValues &values, int64_t factor, bool takesConstants, bool takesAll) {
    auto isHigh = [&](const AffineAtom &atom) { return takesAll || differsBetweenBlocks(atom); };
    if (auto parts = common_.split(values, factor, takesConstants, isHigh)) {
      add(std::move(parts->high));
      add(std::move(parts->low));
    }
  }

  // By sizes that blocks agree in.
  void divideByFactors(const CommonValues &values, const AffineAtom &product) {
    for (Affine factor : product.operands) {
      if (!isTold(factor))
        continue;
      auto [quotients, rests] = common_.divide(values, factor);
      add(std::move(quotients));
      add(std::move(rests));
    }
  }

  // x // c and x % c are x, where the division goes away.
  void join(const CommonValues &quotients, const CommonValues &rests) {
    auto joinBy = [&](const AffineTerm &term) {
      Affine divisor = term.atom->operands[1];
      if (term.coefficient != 1 || !isTold(divisor))
        return;
      CommonValues joined = common_.join(quotients, rests, divisor);
      if (joined.front().isKnown() &&
          llvm::none_of(joined.front().sum->terms,
                        [&](const AffineTerm &left) { return left.atom == term.atom; }))
        add(std::move(joined));
    };
    for (const AffineTerm &term : quotients.front().sum->terms)
      if (term.atom->kind == AffineKind::FloorDiv)
        joinBy(term);
    for (const AffineTerm &term : rests.front().sum->terms)
      if (term.atom->kind == AffineKind::Mod)
        joinBy(term);
  }

  IrAffine &affine_;
  const Launch &launch_;
  AffineContext &arithmetic_;
  const llvm::DenseSet<const Var *> &inside_;
  llvm::ArrayRef<BlockAccess> accesses_;
  CommonValueArithmetic common_;
  std::vector<CommonValues> values_;
  Coordinates untold_;
};

} // namespace

BlockSeparation::BlockSeparation(IrAffine &affine, const Launch &launch)
    : affine_(affine), launch_(launch) {
  inside_.insert(launch.threadVar);
  walk(launch.body, [&](const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      inside_.insert(loop->var);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      inside_.insert(bind->var);
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      inside_.insert(nest->vars.begin(), nest->vars.end());
    return true;
  });
}

llvm::SmallVector<const Var *, 3>
BlockSeparation::findUntold(llvm::ArrayRef<BlockAccess> accesses) {
  Coordinates coordinates;
  for (auto [block, extent] : llvm::zip_equal(launch_.blockVars, launch_.gridExtents))
    if (constantValue(extent) != 1)
      coordinates.push_back(block);
  return Teller(affine_, launch_, inside_, coordinates, accesses).run();
}

bool BlockSeparation::areApart(const BlockAccess &a, const BlockAccess &b) {
  AffineContext &arithmetic = affine_.arithmetic();
  auto endsBefore = [&](const BlockAccess::Axis &low, const BlockAccess::Axis &high) {
    Affine end = arithmetic.add(low.first, low.count);
    AffineBounds bounds = arithmetic.bounds(end, affine_.ranges());
    AffineBounds others = arithmetic.bounds(high.first, affine_.ranges());
    return bounds.upper && others.lower && *bounds.upper <= *others.lower;
  };
  return a.strides.empty() && llvm::any_of(llvm::zip_equal(a.axes, b.axes), [&](auto axes) {
           auto [one, other] = axes;
           return endsBefore(one, other) || endsBefore(other, one);
         });
}

} // namespace tilescope
