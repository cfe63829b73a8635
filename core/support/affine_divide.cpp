// Floor division and modulo: every division is first split into what divides evenly and a rest.
#include "core/support/affine.h"

#include "core/support/checked_math.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace tilescope {

// value = divisor * quotient + rest.
struct AffineContext::Division {
  Affine quotient;
  Affine rest;
};

namespace {

int64_t floorQuotient(int64_t a, int64_t b) { return divideFloorSigned(a, b); }

// The q with `q*size <= bounds < (q+1)*size`, if there is one.
std::optional<int64_t> commonBlock(const AffineBounds &bounds, int64_t size) {
  if (!bounds.lower || !bounds.upper)
    return std::nullopt;
  int64_t first = floorQuotient(*bounds.lower, size);
  return first == floorQuotient(*bounds.upper, size) ? std::optional(first) : std::nullopt;
}

// The only term of `a`, if its coefficient is 1; a constant beside it is allowed.
const AffineAtom *onlyAtom(Affine a) {
  bool isSingle = a.sum->terms.size() == 1 && a.sum->terms[0].coefficient == 1;
  return isSingle ? a.sum->terms[0].atom : nullptr;
}

bool isConstantAtom(const AffineAtom *atom, AffineKind kind) {
  return atom && atom->kind == kind && atom->operands[1].isConstant();
}

// `product` without the factor `divisor`, both products of atoms.
std::optional<SmallVector<Affine, 4>> cancelFactors(const AffineAtom *product,
                                                    const AffineAtom *divisor, Affine productExpr,
                                                    Affine divisorExpr) {
  SmallVector<Affine, 4> left(product->operands);
  SmallVector<Affine, 4> right(divisor->operands);
  if (product->kind != AffineKind::Product)
    left = {productExpr};
  if (divisor->kind != AffineKind::Product)
    right = {divisorExpr};
  for (Affine factor : right) {
    auto *found = llvm::find(left, factor);
    if (found == left.end())
      return std::nullopt;
    left.erase(found);
  }
  return left;
}

} // namespace

// Coefficients of the rest are smaller than the divisor, its constant is in [0, divisor).
std::optional<AffineContext::Division> AffineContext::splitMultiples(Affine a, int64_t divisor) {
  SmallVector<AffineTerm, 8> quotient;
  SmallVector<AffineTerm, 8> rest;
  for (const AffineTerm &term : a.sum->terms) {
    if (term.coefficient / divisor != 0)
      quotient.push_back({term.coefficient / divisor, term.atom});
    if (term.coefficient % divisor != 0)
      rest.push_back({term.coefficient % divisor, term.atom});
  }
  int64_t constantQuotient = floorQuotient(a.sum->constant, divisor);
  int64_t constantRest = a.sum->constant - constantQuotient * divisor;
  Division division{recombine(makeSum(constantQuotient, quotient)),
                    recombine(makeSum(constantRest, rest))};
  if (!division.quotient.isKnown() || !division.rest.isKnown())
    return std::nullopt;
  return division;
}

// Splits into `factor * quotient + rest` with `0 <= rest < factor`, if the terms that `factor` does
// not divide stay inside one block.
std::optional<AffineContext::Division> AffineContext::splitByFactor(Affine a, int64_t factor,
                                                                    const AffineRanges &ranges) {
  SmallVector<AffineTerm, 8> high;
  SmallVector<AffineTerm, 8> low;
  for (const AffineTerm &term : a.sum->terms) {
    if (term.coefficient % factor == 0)
      high.push_back({term.coefficient / factor, term.atom});
    else
      low.push_back(term);
  }
  Affine lowSum = makeSum(a.sum->constant, low);
  std::optional<int64_t> block = commonBlock(bounds(lowSum, ranges), factor);
  std::optional<int64_t> shift = block ? checkedMul(*block, -factor) : std::nullopt;
  if (!shift)
    return std::nullopt;
  Division division{makeSum(*block, high), add(lowSum, *shift)};
  if (!division.quotient.isKnown() || !division.rest.isKnown())
    return std::nullopt;
  return division;
}

// The same with the largest factor of `divisor` for which it works; answers with that factor too.
std::optional<std::pair<int64_t, AffineContext::Division>>
AffineContext::splitByCommonFactor(Affine a, int64_t divisor, const AffineRanges &ranges) {
  SmallVector<int64_t, 8> factors;
  for (const AffineTerm &term : a.sum->terms)
    factors.push_back(std::gcd(term.coefficient, divisor));
  llvm::sort(factors, std::greater<int64_t>());
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  for (int64_t factor : factors) {
    if (factor <= 1)
      break;
    if (std::optional<Division> division = splitByFactor(a, factor, ranges))
      return std::pair(factor, *division);
  }
  return std::nullopt;
}

// g*x + low >= 0 depends on x alone if low stays inside [m*g, (m+1)*g).
Affine AffineContext::dropIdleTerms(Affine a, const AffineRanges &ranges) {
  if (!a.isKnown())
    return a;
  Affine best = a;
  for (const AffineTerm &candidate : a.sum->terms) {
    int64_t factor = candidate.coefficient;
    if (factor == INT64_MIN || std::abs(factor) <= 1)
      continue;
    factor = std::abs(factor);
    SmallVector<AffineTerm, 8> high;
    SmallVector<AffineTerm, 8> low;
    for (const AffineTerm &term : a.sum->terms)
      (term.coefficient % factor == 0 ? high : low).push_back(term);
    int64_t constant = a.sum->constant;
    std::optional<int64_t> block = commonBlock(bounds(makeSum(constant, low), ranges), factor);
    if (block == floorQuotient(constant, factor) && high.size() < best.sum->terms.size())
      best = makeSum(constant, high);
  }
  return best;
}

Affine AffineContext::divideByConstant(Affine a, int64_t divisor, const AffineRanges &ranges) {
  if (divisor == 1)
    return a;
  // Before anything is taken apart: `(8 - j) // 8` is easier to bound than `-j // 8`.
  if (std::optional<int64_t> block = commonBlock(bounds(a, ranges), divisor))
    return constant(*block);
  std::optional<Division> split = splitMultiples(a, divisor);
  if (!split)
    return {};
  return add(split->quotient, divideRest(split->rest, divisor, ranges));
}

Affine AffineContext::divideRest(Affine rest, int64_t divisor, const AffineRanges &ranges) {
  if (std::optional<int64_t> block = commonBlock(bounds(rest, ranges), divisor))
    return constant(*block);
  if (auto grouped = splitByCommonFactor(rest, divisor, ranges))
    return divideByConstant(grouped->second.quotient, divisor / grouped->first, ranges);
  const AffineAtom *atom = onlyAtom(rest);
  if (isConstantAtom(atom, AffineKind::FloorDiv)) {
    int64_t inner = atom->operands[1].sum->constant;
    std::optional<int64_t> product = checkedMul(inner, divisor);
    std::optional<int64_t> shift = checkedMul(inner, rest.sum->constant);
    if (product && shift)
      return floorDiv(add(atom->operands[0], *shift), constant(*product), ranges);
  }
  if (isConstantAtom(atom, AffineKind::Mod) && rest.sum->constant == 0) {
    int64_t inner = atom->operands[1].sum->constant;
    if (inner % divisor == 0)
      return mod(floorDiv(atom->operands[0], constant(divisor), ranges), constant(inner / divisor),
                 ranges);
  }
  return makeAtom(AffineKind::FloorDiv, {rest, constant(divisor)});
}

// k*(x % m) is k*x modulo `divisor` if that divides k*m.
Affine AffineContext::dropInnerModulos(Affine a, int64_t divisor) {
  Affine result = a;
  for (const AffineTerm &term : a.sum->terms) {
    if (!isConstantAtom(term.atom, AffineKind::Mod))
      continue;
    std::optional<int64_t> period =
        checkedMul(term.coefficient, term.atom->operands[1].sum->constant);
    if (!period || *period % divisor != 0)
      continue;
    result = subtract(result, atomExpr(term.atom, term.coefficient));
    result = add(result, scale(term.atom->operands[0], term.coefficient));
  }
  return result.isKnown() ? result : a;
}

Affine AffineContext::moduloByConstant(Affine a, int64_t divisor, const AffineRanges &ranges) {
  if (divisor == 1)
    return constant(0);
  if (std::optional<int64_t> block = commonBlock(bounds(a, ranges), divisor)) {
    std::optional<int64_t> shift = checkedMul(*block, -divisor);
    return shift ? add(a, *shift) : Affine();
  }
  std::optional<Division> split = splitMultiples(a, divisor);
  if (!split)
    return {};
  Affine rest = split->rest;
  Affine flat = dropInnerModulos(rest, divisor);
  if (flat != rest)
    return moduloByConstant(flat, divisor, ranges);
  if (rest != a && commonBlock(bounds(rest, ranges), divisor))
    return moduloByConstant(rest, divisor, ranges);
  if (auto grouped = splitByCommonFactor(rest, divisor, ranges)) {
    auto [factor, parts] = *grouped;
    return add(scale(moduloByConstant(parts.quotient, divisor / factor, ranges), factor),
               parts.rest);
  }
  return makeAtom(AffineKind::Mod, {rest, constant(divisor)});
}

// Terms that contain the divisor as a factor go into the quotient.
std::optional<AffineContext::Division> AffineContext::splitSymbolicMultiples(Affine a,
                                                                             Affine divisor) {
  Division division{constant(0), a};
  if (divisor.sum->constant != 0 || divisor.sum->terms.size() != 1)
    return division;
  AffineTerm unit = divisor.sum->terms[0];
  for (const AffineTerm &term : a.sum->terms) {
    // The second condition keeps INT64_MIN / -1 out.
    if (unit.coefficient < 0 || term.coefficient % unit.coefficient != 0)
      continue;
    auto factors = cancelFactors(term.atom, unit.atom, atomExpr(term.atom), atomExpr(unit.atom));
    if (!factors)
      continue;
    Affine quotient = constant(term.coefficient / unit.coefficient);
    for (Affine factor : *factors)
      quotient = multiply(quotient, factor);
    division.quotient = add(division.quotient, quotient);
    division.rest = subtract(division.rest, atomExpr(term.atom, term.coefficient));
  }
  if (!division.quotient.isKnown() || !division.rest.isKnown())
    return std::nullopt;
  return division;
}

Affine AffineContext::floorDiv(Affine a, Affine b, const AffineRanges &ranges) {
  if (!a.isKnown() || !b.isKnown() || b.isConstant(0))
    return {};
  if (b.isConstant())
    return b.sum->constant > 0 ? divideByConstant(a, b.sum->constant, ranges)
                               : floorDiv(scale(a, -1), scale(b, -1), ranges);
  if (a == b)
    return constant(1);
  std::optional<Division> split = splitSymbolicMultiples(a, b);
  if (!split)
    return {};
  if (split->rest.isConstant(0) ||
      (proveLessEqual(constant(0), split->rest, ranges) == Proof::True &&
       proveLess(split->rest, b, ranges) == Proof::True))
    return split->quotient;
  return add(split->quotient, makeAtom(AffineKind::FloorDiv, {split->rest, b}));
}

Affine AffineContext::mod(Affine a, Affine b, const AffineRanges &ranges) {
  if (!a.isKnown() || !b.isKnown() || b.isConstant(0))
    return {};
  if (b.isConstant())
    return b.sum->constant > 0 ? moduloByConstant(a, b.sum->constant, ranges)
                               : scale(mod(scale(a, -1), scale(b, -1), ranges), -1);
  if (a == b)
    return constant(0);
  std::optional<Division> split = splitSymbolicMultiples(a, b);
  if (!split)
    return {};
  if (split->rest.isConstant(0) ||
      (proveLessEqual(constant(0), split->rest, ranges) == Proof::True &&
       proveLess(split->rest, b, ranges) == Proof::True))
    return split->rest;
  return makeAtom(AffineKind::Mod, {split->rest, b});
}

} // namespace tilescope
