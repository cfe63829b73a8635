// Nodes and sums: interning, addition, products, recombination. Division is in affine_divide.cpp,
// bounds and proofs in affine_prove.cpp, printing and evaluation in affine_walk.cpp.
#include "core/support/affine.h"

#include "core/support/checked_math.h"

#include <algorithm>

using namespace llvm;

namespace tilescope {

namespace {

int compareSums(Affine a, Affine b);

// A structural order: it must not depend on the order in which nodes were made.
int compareAtoms(const AffineAtom *a, const AffineAtom *b) {
  if (a == b)
    return 0;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->symbol != b->symbol)
    return a->symbol < b->symbol ? -1 : 1;
  if (a->relation != b->relation)
    return a->relation < b->relation ? -1 : 1;
  if (a->operands.size() != b->operands.size())
    return a->operands.size() < b->operands.size() ? -1 : 1;
  for (size_t i = 0; i < a->operands.size(); ++i)
    if (int order = compareSums(a->operands[i], b->operands[i]))
      return order;
  return 0;
}

int compareSums(Affine a, Affine b) {
  if (a == b)
    return 0;
  if (a.sum->terms.size() != b.sum->terms.size())
    return a.sum->terms.size() < b.sum->terms.size() ? -1 : 1;
  for (size_t i = 0; i < a.sum->terms.size(); ++i) {
    const AffineTerm &left = a.sum->terms[i];
    const AffineTerm &right = b.sum->terms[i];
    if (int order = compareAtoms(left.atom, right.atom))
      return order;
    if (left.coefficient != right.coefficient)
      return left.coefficient < right.coefficient ? -1 : 1;
  }
  return a.sum->constant < b.sum->constant ? -1 : 1;
}

void profileSum(FoldingSetNodeID &id, int64_t constant, ArrayRef<AffineTerm> terms) {
  id.AddInteger(constant);
  for (const AffineTerm &term : terms) {
    id.AddInteger(term.coefficient);
    id.AddPointer(term.atom);
  }
}

void profileAtom(FoldingSetNodeID &id, AffineKind kind, AffineRelation relation, SymbolId symbol,
                 ArrayRef<Affine> operands) {
  id.AddInteger(unsigned(kind));
  id.AddInteger(unsigned(relation));
  id.AddInteger(symbol.value);
  for (Affine operand : operands)
    id.AddPointer(operand.sum);
}

void appendFactors(const AffineAtom *atom, SmallVectorImpl<Affine> &factors, Affine atomAsSum) {
  if (atom->kind == AffineKind::Product)
    factors.append(atom->operands.begin(), atom->operands.end());
  else
    factors.push_back(atomAsSum);
}

// Products of long sums are not worth expanding.
constexpr size_t MaxProductTerms = 64;

} // namespace

void AffineSum::Profile(FoldingSetNodeID &id) const { profileSum(id, constant, terms); }

void AffineAtom::Profile(FoldingSetNodeID &id) const {
  profileAtom(id, kind, relation, symbol, operands);
}

const AffineAtom *Affine::asAtom() const {
  if (!sum || sum->constant != 0 || sum->terms.size() != 1 || sum->terms[0].coefficient != 1)
    return nullptr;
  return sum->terms[0].atom;
}

Affine AffineContext::internSum(int64_t constant, ArrayRef<AffineTerm> terms) {
  FoldingSetNodeID id;
  profileSum(id, constant, terms);
  void *position = nullptr;
  if (AffineSum *known = sums_.FindNodeOrInsertPos(id, position))
    return {known};
  auto *node = new (arena_) AffineSum(constant, terms.copy(arena_));
  sums_.InsertNode(node, position);
  return {node};
}

Affine AffineContext::makeAtom(AffineKind kind, ArrayRef<Affine> operands, AffineRelation relation,
                               SymbolId symbol) {
  FoldingSetNodeID id;
  profileAtom(id, kind, relation, symbol, operands);
  void *position = nullptr;
  AffineAtom *atom = atoms_.FindNodeOrInsertPos(id, position);
  if (!atom) {
    atom = new (arena_) AffineAtom(kind, relation, symbol, operands.copy(arena_));
    atoms_.InsertNode(atom, position);
  }
  return atomExpr(atom);
}

// Sorts and merges `terms`, which may repeat atoms.
Affine AffineContext::makeSum(int64_t constant, SmallVectorImpl<AffineTerm> &terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const AffineTerm &a, const AffineTerm &b) {
    return compareAtoms(a.atom, b.atom) < 0;
  });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size();) {
    AffineTerm merged = terms[i];
    for (++i; i < terms.size() && terms[i].atom == merged.atom; ++i) {
      std::optional<int64_t> total = checkedAdd(merged.coefficient, terms[i].coefficient);
      if (!total)
        return {};
      merged.coefficient = *total;
    }
    if (merged.coefficient != 0)
      terms[kept++] = merged;
  }
  terms.truncate(kept);
  return internSum(constant, terms);
}

Affine AffineContext::constant(int64_t value) { return internSum(value, {}); }

Affine AffineContext::symbol(SymbolId symbol) {
  return makeAtom(AffineKind::Symbol, {}, AffineRelation::NonNegative, symbol);
}

Affine AffineContext::add(Affine a, Affine b) {
  if (!a.isKnown() || !b.isKnown())
    return {};
  std::optional<int64_t> constant = checkedAdd(a.sum->constant, b.sum->constant);
  if (!constant)
    return {};
  SmallVector<AffineTerm, 8> terms(a.sum->terms.begin(), a.sum->terms.end());
  if (b.isConstant())
    return internSum(*constant, terms);
  terms.append(b.sum->terms.begin(), b.sum->terms.end());
  return recombine(makeSum(*constant, terms));
}

Affine AffineContext::scale(Affine a, int64_t factor) {
  if (!a.isKnown() || factor == 1)
    return a;
  if (factor == 0)
    return constant(0);
  std::optional<int64_t> constant = checkedMul(a.sum->constant, factor);
  SmallVector<AffineTerm, 8> terms;
  for (const AffineTerm &term : a.sum->terms) {
    std::optional<int64_t> coefficient = checkedMul(term.coefficient, factor);
    if (!coefficient)
      return {};
    terms.push_back({*coefficient, term.atom});
  }
  return constant ? internSum(*constant, terms) : Affine();
}

Affine AffineContext::multiplyAtoms(const AffineAtom *a, const AffineAtom *b) {
  SmallVector<Affine, 4> factors;
  appendFactors(a, factors, atomExpr(a));
  appendFactors(b, factors, atomExpr(b));
  std::stable_sort(factors.begin(), factors.end(),
                   [](Affine left, Affine right) { return compareSums(left, right) < 0; });
  return makeAtom(AffineKind::Product, factors);
}

Affine AffineContext::multiply(Affine a, Affine b) {
  if (!a.isKnown() || !b.isKnown())
    return {};
  if (b.isConstant())
    return scale(a, b.sum->constant);
  if (a.isConstant())
    return scale(b, a.sum->constant);
  if (a.sum->terms.size() * b.sum->terms.size() > MaxProductTerms)
    return {};
  Affine result = add(scale(a, b.sum->constant), scale(b, a.sum->constant));
  std::optional<int64_t> constants = checkedMul(a.sum->constant, b.sum->constant);
  if (!constants)
    return {};
  // Both scaled operands carry the product of the constants.
  result = subtract(result, constant(*constants));
  for (const AffineTerm &left : a.sum->terms)
    for (const AffineTerm &right : b.sum->terms) {
      std::optional<int64_t> coefficient = checkedMul(left.coefficient, right.coefficient);
      if (!coefficient)
        return {};
      result = add(result, scale(multiplyAtoms(left.atom, right.atom), *coefficient));
    }
  return result;
}

namespace {

// True if every term of `part` stands in `whole` with the same coefficient.
bool containsTerms(Affine whole, Affine part) {
  return std::all_of(part.sum->terms.begin(), part.sum->terms.end(),
                     [&](const AffineTerm &term) { return is_contained(whole.sum->terms, term); });
}

} // namespace

// k*d*(x // d) + k*(x % d) is k*x, seen from the modulo; also, one level up,
// k*d*((x // d) % e) + k*(x % d) is k*(x % (d*e)).
Affine AffineContext::recombineModulo(Affine a, AffineTerm modulo) {
  Affine value = modulo.atom->operands[0];
  Affine divisor = modulo.atom->operands[1];
  Affine quotient = floorDiv(value, divisor);
  Affine part = atomExpr(modulo.atom, modulo.coefficient);
  Affine whole = scale(multiply(quotient, divisor), modulo.coefficient);
  if (whole.isKnown() && containsTerms(a, whole))
    return add(subtract(subtract(a, whole), part), scale(value, modulo.coefficient));
  if (!divisor.isConstant())
    return a;
  std::optional<int64_t> outerFactor = checkedMul(modulo.coefficient, divisor.sum->constant);
  for (const AffineTerm &outer : a.sum->terms) {
    if (outer.atom->kind != AffineKind::Mod || outer.coefficient != outerFactor ||
        outer.atom->operands[0] != quotient || !outer.atom->operands[1].isConstant())
      continue;
    Affine joined = mod(value, multiply(divisor, outer.atom->operands[1]));
    Affine rest = subtract(subtract(a, atomExpr(outer.atom, outer.coefficient)), part);
    return add(rest, scale(joined, modulo.coefficient));
  }
  return a;
}

// The same seen from the division: the modulo may have taken another shape than `x % d`.
Affine AffineContext::recombineDivision(Affine a, AffineTerm division) {
  Affine value = division.atom->operands[0];
  std::optional<int64_t> divisor = division.atom->operands[1].asConstant();
  if (!divisor || division.coefficient % *divisor != 0)
    return a;
  int64_t factor = division.coefficient / *divisor;
  Affine rest = scale(mod(value, division.atom->operands[1]), factor);
  if (!rest.isKnown() || !containsTerms(a, rest))
    return a;
  Affine part = atomExpr(division.atom, division.coefficient);
  return add(subtract(subtract(a, part), rest), scale(value, factor));
}

Affine AffineContext::recombine(Affine a) {
  if (!a.isKnown())
    return a;
  for (const AffineTerm &term : a.sum->terms) {
    Affine joined = a;
    if (term.atom->kind == AffineKind::Mod)
      joined = recombineModulo(a, term);
    else if (term.atom->kind == AffineKind::FloorDiv)
      joined = recombineDivision(a, term);
    if (joined.isKnown() && joined != a)
      return joined;
  }
  return a;
}

Affine AffineContext::extremum(AffineKind kind, Affine a, Affine b, const AffineRanges &ranges) {
  if (!a.isKnown() || !b.isKnown())
    return {};
  SmallVector<Affine, 4> operands;
  for (Affine side : {a, b}) {
    const AffineAtom *atom = side.asAtom();
    if (atom && atom->kind == kind)
      operands.append(atom->operands.begin(), atom->operands.end());
    else
      operands.push_back(side);
  }
  SmallVector<Affine, 4> kept;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool isNeeded = true;
    for (size_t j = 0; j < operands.size() && isNeeded; ++j) {
      // Of two that are equal the first stays.
      if (i == j || (operands[i] == operands[j] && i < j))
        continue;
      bool isMin = kind == AffineKind::Min;
      Affine low = isMin ? operands[j] : operands[i];
      Affine high = isMin ? operands[i] : operands[j];
      bool loses = operands[i] == operands[j] || proveLess(low, high, ranges) == Proof::True ||
                   (i > j && proveLessEqual(low, high, ranges) == Proof::True);
      isNeeded = !loses;
    }
    if (isNeeded)
      kept.push_back(operands[i]);
  }
  // Contradictory ranges can rule out every operand.
  if (kept.size() <= 1)
    return kept.empty() ? operands[0] : kept[0];
  std::stable_sort(kept.begin(), kept.end(),
                   [](Affine left, Affine right) { return compareSums(left, right) < 0; });
  return makeAtom(kind, kept);
}

Affine AffineContext::min(Affine a, Affine b, const AffineRanges &ranges) {
  return extremum(AffineKind::Min, a, b, ranges);
}

Affine AffineContext::max(Affine a, Affine b, const AffineRanges &ranges) {
  return extremum(AffineKind::Max, a, b, ranges);
}

Affine AffineContext::select(AffineCondition condition, Affine ifTrue, Affine ifFalse,
                             const AffineRanges &ranges) {
  if (!condition.value.isKnown() || !ifTrue.isKnown() || !ifFalse.isKnown())
    return {};
  if (ifTrue == ifFalse)
    return ifTrue;
  Proof proof = prove(condition, ranges);
  if (proof != Proof::Unknown)
    return proof == Proof::True ? ifTrue : ifFalse;
  return makeAtom(AffineKind::Select, {condition.value, ifTrue, ifFalse}, condition.relation);
}

} // namespace tilescope
