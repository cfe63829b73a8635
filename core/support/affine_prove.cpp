// Bounds by intervals; proofs by replacing terms with their symbolic bounds until an interval
// decides.
#include "core/support/affine.h"

#include "core/support/checked_math.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace tilescope {

namespace {

using Bound = std::optional<int64_t>;

// Ranges may name each other in a circle (i < j, j < i in dead code).
constexpr int MaxRangeDepth = 8;

Bound addBounds(Bound a, Bound b) { return a && b ? checkedAdd(*a, *b) : std::nullopt; }
Bound scaleBound(Bound a, int64_t factor) { return a ? checkedMul(*a, factor) : std::nullopt; }

AffineBounds scaleBounds(const AffineBounds &a, int64_t factor) {
  if (factor >= 0)
    return {scaleBound(a.lower, factor), scaleBound(a.upper, factor)};
  return {scaleBound(a.upper, factor), scaleBound(a.lower, factor)};
}

AffineBounds unite(const AffineBounds &a, const AffineBounds &b) {
  AffineBounds result;
  if (a.lower && b.lower)
    result.lower = std::min(*a.lower, *b.lower);
  if (a.upper && b.upper)
    result.upper = std::max(*a.upper, *b.upper);
  return result;
}

AffineBounds multiplyBounds(const AffineBounds &a, const AffineBounds &b) {
  if (a.lower && b.lower && a.upper && b.upper) {
    Bound corners[] = {checkedMul(*a.lower, *b.lower), checkedMul(*a.lower, *b.upper),
                       checkedMul(*a.upper, *b.lower), checkedMul(*a.upper, *b.upper)};
    if (llvm::all_of(corners, [](Bound corner) { return corner.has_value(); }))
      return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }
  // Half-open cases that matter for sizes: both factors at least zero.
  if (a.lower && b.lower && *a.lower >= 0 && *b.lower >= 0)
    return {checkedMul(*a.lower, *b.lower), std::nullopt};
  return {};
}

class BoundsFinder {
public:
  explicit BoundsFinder(const AffineRanges &ranges) : ranges_(ranges) {}

  AffineBounds ofSum(Affine a, int depth) const {
    if (!a.isKnown() || depth == 0)
      return {};
    AffineBounds result{a.sum->constant, a.sum->constant};
    for (const AffineTerm &term : a.sum->terms) {
      AffineBounds scaled = scaleBounds(ofAtom(*term.atom, depth), term.coefficient);
      result.lower = addBounds(result.lower, scaled.lower);
      result.upper = addBounds(result.upper, scaled.upper);
      if (!result.lower && !result.upper)
        break;
    }
    return result;
  }

private:
  AffineBounds ofSymbol(SymbolId symbol, int depth) const {
    AffineRanges::Range range = ranges_.get(symbol);
    return {ofSum(range.lower, depth - 1).lower,
            addBounds(ofSum(range.upper, depth - 1).upper, -1)};
  }

  AffineBounds ofFloorDiv(const AffineAtom &atom, int depth) const {
    AffineBounds value = ofSum(atom.operands[0], depth);
    AffineBounds divisor = ofSum(atom.operands[1], depth);
    if (!divisor.lower || *divisor.lower <= 0)
      return {};
    AffineBounds result;
    // Dividing by more moves a quotient towards zero (or -1), so the extremes are at the ends.
    if (value.lower && *value.lower >= 0)
      result.lower = divisor.upper ? divideFloorSigned(*value.lower, *divisor.upper) : 0;
    else if (value.lower)
      result.lower = divideFloorSigned(*value.lower, *divisor.lower);
    if (value.upper && *value.upper >= 0)
      result.upper = divideFloorSigned(*value.upper, *divisor.lower);
    else if (value.upper)
      result.upper = divisor.upper ? divideFloorSigned(*value.upper, *divisor.upper) : -1;
    return result;
  }

  AffineBounds ofMod(const AffineAtom &atom, int depth) const {
    AffineBounds divisor = ofSum(atom.operands[1], depth);
    if (!divisor.lower || *divisor.lower <= 0)
      return {};
    AffineBounds result{0, addBounds(divisor.upper, -1)};
    // A remainder is never more than the value, where that is not negative.
    AffineBounds value = ofSum(atom.operands[0], depth);
    if (value.lower && *value.lower >= 0 && value.upper)
      result.upper = result.upper ? std::min(*result.upper, *value.upper) : value.upper;
    return result;
  }

  AffineBounds ofExtremum(const AffineAtom &atom, int depth) const {
    bool isMin = atom.kind == AffineKind::Min;
    AffineBounds result = ofSum(atom.operands[0], depth);
    for (Affine operand : atom.operands.drop_front()) {
      AffineBounds next = ofSum(operand, depth);
      AffineBounds both = unite(result, next);
      // One known operand bounds the near end, the far end needs all.
      Bound &near = isMin ? result.upper : result.lower;
      Bound other = isMin ? next.upper : next.lower;
      if (near && other)
        near = isMin ? std::min(*near, *other) : std::max(*near, *other);
      else if (!near)
        near = other;
      (isMin ? result.lower : result.upper) = isMin ? both.lower : both.upper;
    }
    return result;
  }

  AffineBounds ofProduct(const AffineAtom &atom, int depth) const {
    AffineBounds result{1, 1};
    for (Affine factor : atom.operands)
      result = multiplyBounds(result, ofSum(factor, depth));
    return result;
  }

  AffineBounds ofAtom(const AffineAtom &atom, int depth) const {
    switch (atom.kind) {
    case AffineKind::Symbol:
      return ofSymbol(atom.symbol, depth);
    case AffineKind::Product:
      return ofProduct(atom, depth);
    case AffineKind::FloorDiv:
      return ofFloorDiv(atom, depth);
    case AffineKind::Mod:
      return ofMod(atom, depth);
    case AffineKind::Min:
    case AffineKind::Max:
      return ofExtremum(atom, depth);
    case AffineKind::Select:
      return unite(ofSum(atom.operands[1], depth), ofSum(atom.operands[2], depth));
    }
    return {};
  }

  const AffineRanges &ranges_;
};

uint64_t magnitude(int64_t value) { return value < 0 ? 0 - uint64_t(value) : uint64_t(value); }

uint64_t commonDivisor(Affine a) {
  uint64_t divisor = 0;
  for (const AffineTerm &term : a.sum->terms)
    divisor = std::gcd(divisor, magnitude(term.coefficient));
  return divisor;
}

// 4*x + 6*y + 1 is never zero.
bool cannotBeZero(Affine a) {
  uint64_t divisor = commonDivisor(a);
  return divisor != 0 && magnitude(a.sum->constant) % divisor != 0;
}

} // namespace

Affine AffineContext::tightenNonNegative(Affine a) {
  if (!a.isKnown() || a.isConstant())
    return a;
  if (uint64_t divisor = commonDivisor(a); divisor > 1 && divisor <= uint64_t(INT64_MAX)) {
    SmallVector<AffineTerm, 8> terms;
    for (const AffineTerm &term : a.sum->terms)
      terms.push_back({term.coefficient / int64_t(divisor), term.atom});
    return tightenNonNegative(
        internSum(divideFloorSigned(a.sum->constant, int64_t(divisor)), terms));
  }
  AffineTerm only = a.sum->terms[0];
  std::optional<int64_t> divisor =
      only.atom->kind == AffineKind::FloorDiv ? only.atom->operands[1].asConstant() : std::nullopt;
  if (a.sum->terms.size() != 1 || !divisor)
    return a;
  // x // c >= k is x >= c*k, and x // c <= k is x <= c*k + c-1.
  Affine limit = scale(constant(a.sum->constant), *divisor);
  Affine value = scale(only.atom->operands[0], only.coefficient);
  Affine tight = add(value, only.coefficient > 0 ? limit : add(limit, *divisor - 1));
  return tight.isKnown() ? tightenNonNegative(tight) : a;
}

AffineBounds AffineContext::bounds(Affine a, const AffineRanges &ranges) const {
  return BoundsFinder(ranges).ofSum(a, MaxRangeDepth);
}

// Proves `a >= 0`. Each step replaces one term by something that is never larger, and tries again:
// a symbol by its symbolic bound, k*(x // c) by k/c times x or x - (c-1), min and max by operands.
class NonNegativeProver {
public:
  NonNegativeProver(AffineContext &context, const AffineRanges &ranges)
      : context_(context), ranges_(ranges) {}

  bool prove(Affine a, int depth = MaxDepth) {
    if (!a.isKnown() || fuel_-- <= 0)
      return false;
    a = context_.tightenNonNegative(a);
    if (AffineBounds found = context_.bounds(a, ranges_); found.lower && *found.lower >= 0)
      return true;
    if (depth == 0 || hasFailed(a, depth))
      return false;
    for (const AffineTerm &term : a.sum->terms)
      if (proveByTerm(a, term, depth))
        return true;
    // A copy, because the proof adds to them.
    SmallVector<Affine, 8> chosen = chosen_;
    return proveByFacts(a, ranges_.facts(), depth) || proveByFacts(a, chosen, depth);
  }

private:
  static constexpr int MaxDepth = 4;

  // Different orders of the same steps arrive at the same expression.
  bool hasFailed(Affine a, int depth) {
    if (!chosen_.empty())
      return false;
    int &triedDepth = triedDepths_[a.sum];
    bool isKnown = triedDepth >= depth;
    triedDepth = std::max(triedDepth, depth);
    return isKnown;
  }

  bool proveByFacts(Affine a, ArrayRef<Affine> facts, int depth) {
    return llvm::any_of(facts, [&](Affine fact) {
      std::optional<int64_t> times = fact.isKnown() ? cancellingFactor(a, fact) : std::nullopt;
      return times && prove(context_.subtract(a, context_.scale(fact, *times)), depth - 1);
    });
  }

  // How many times the fact is taken from `a` so that a term they share goes away: ko <= 29 is
  // needed 32 times for 32*ko + row <= 960.
  static std::optional<int64_t> cancellingFactor(Affine a, Affine fact) {
    for (const AffineTerm &known : fact.sum->terms)
      for (const AffineTerm &term : a.sum->terms)
        if (term.atom == known.atom && (term.coefficient < 0) == (known.coefficient < 0) &&
            term.coefficient % known.coefficient == 0)
          return term.coefficient / known.coefficient;
    return std::nullopt;
  }

  Affine without(Affine a, const AffineTerm &term) {
    return context_.subtract(a, context_.atomExpr(term.atom, term.coefficient));
  }

  bool proveByTerm(Affine a, const AffineTerm &term, int depth) {
    switch (term.atom->kind) {
    case AffineKind::Symbol:
      return proveBySymbolBound(a, term, depth);
    case AffineKind::FloorDiv:
      return proveByQuotient(a, term, depth);
    case AffineKind::Mod:
      return proveByRemainder(a, term, depth);
    case AffineKind::Min:
    case AffineKind::Max:
    case AffineKind::Select:
      return proveByOperands(a, term, depth);
    case AffineKind::Product:
      return false;
    }
    return false;
  }

  bool proveBySymbolBound(Affine a, const AffineTerm &term, int depth) {
    AffineRanges::Range range = ranges_.get(term.atom->symbol);
    Affine bound = term.coefficient > 0 ? range.lower : context_.add(range.upper, -1);
    // A constant bound is in the interval already, and so is `x <= x`.
    if (!bound.isKnown() || bound.isConstant())
      return false;
    Affine replaced = context_.add(without(a, term), context_.scale(bound, term.coefficient));
    return prove(replaced, depth - 1);
  }

  bool proveByQuotient(Affine a, const AffineTerm &term, int depth) {
    std::optional<int64_t> divisor = term.atom->operands[1].asConstant();
    if (!divisor)
      return false;
    Affine value = term.atom->operands[0];
    if (term.coefficient > 0)
      value = context_.add(value, 1 - *divisor);
    // Multiplied by the divisor, unless that divides the coefficient.
    bool isExact = term.coefficient % *divisor == 0;
    Affine others = without(a, term);
    Affine replaced = isExact
                          ? context_.add(others, context_.scale(value, term.coefficient / *divisor))
                          : context_.add(context_.scale(others, *divisor),
                                         context_.scale(value, term.coefficient));
    return prove(replaced, depth - 1);
  }

  // x % s <= s - 1 for a symbolic s that is positive.
  bool proveByRemainder(Affine a, const AffineTerm &term, int depth) {
    Affine divisor = term.atom->operands[1];
    if (divisor.isConstant() || term.coefficient > 0)
      return false;
    AffineBounds found = context_.bounds(divisor, ranges_);
    if (!found.lower || *found.lower <= 0)
      return false;
    Affine largest = context_.scale(context_.add(divisor, -1), term.coefficient);
    return prove(context_.add(without(a, term), largest), depth - 1);
  }

  bool proveByOperands(Affine a, const AffineTerm &term, int depth) {
    Affine others = without(a, term);
    auto holdsFor = [&](Affine operand) {
      return prove(context_.add(others, context_.scale(operand, term.coefficient)), depth - 1);
    };
    ArrayRef<Affine> operands = term.atom->operands;
    if (term.atom->kind == AffineKind::Select)
      return proveBySides(*term.atom, holdsFor);
    // -min(a, b) is at least -a and at least -b, so one of them is enough.
    bool oneIsEnough = (term.atom->kind == AffineKind::Min) == (term.coefficient < 0);
    return oneIsEnough ? llvm::any_of(operands, holdsFor) : llvm::all_of(operands, holdsFor);
  }

  // Each side under what the condition says when it is chosen.
  bool proveBySides(const AffineAtom &select, function_ref<bool(Affine)> holdsFor) {
    Affine condition = select.operands[0];
    Affine negated = context_.scale(condition, -1);
    bool isZero = select.relation == AffineRelation::Zero;
    SmallVector<Affine, 8> saved = chosen_;
    chosen_.push_back(condition);
    if (isZero)
      chosen_.push_back(negated);
    bool holds = holdsFor(select.operands[1]);
    chosen_ = saved;
    if (holds && !isZero)
      chosen_.push_back(context_.add(negated, -1));
    holds = holds && holdsFor(select.operands[2]);
    chosen_ = saved;
    return holds;
  }

  AffineContext &context_;
  const AffineRanges &ranges_;
  SmallVector<Affine, 8> chosen_; // conditions of the select sides under proof
  llvm::SmallDenseMap<const AffineSum *, int, 16> triedDepths_;
  int fuel_ = 64;
};

Proof AffineContext::proveLessEqual(Affine a, Affine b, const AffineRanges &ranges) {
  return prove({AffineRelation::NonNegative, subtract(b, a)}, ranges);
}

Proof AffineContext::proveLess(Affine a, Affine b, const AffineRanges &ranges) {
  return prove({AffineRelation::NonNegative, add(subtract(b, a), -1)}, ranges);
}

Proof AffineContext::prove(AffineCondition condition, const AffineRanges &ranges) {
  Affine value = condition.value;
  if (!value.isKnown())
    return Proof::Unknown;
  auto isNonNegative = [&](Affine a) { return NonNegativeProver(*this, ranges).prove(a); };
  Affine negated = scale(value, -1);
  if (condition.relation == AffineRelation::NonNegative) {
    if (isNonNegative(value))
      return Proof::True;
    return isNonNegative(add(negated, -1)) ? Proof::False : Proof::Unknown;
  }
  if (value.isConstant(0))
    return Proof::True;
  if (cannotBeZero(value) || isNonNegative(add(value, -1)) || isNonNegative(add(negated, -1)))
    return Proof::False;
  return isNonNegative(value) && isNonNegative(negated) ? Proof::True : Proof::Unknown;
}

} // namespace tilescope
