// Integer expressions in canonical form: what index arithmetic is proven with.
//
// An expression is a constant plus a sum of integer coefficients times atoms:
//
//     128*by + 8*(tx // 4) + min(K, 64) + 3
//
// An atom is a symbol, a product of symbols, or a term the sum cannot look into: floor division,
// modulo, min, max, select. Equal expressions are the same node, so equality is a pointer compare.
// Division and modulo are the floor kind (Python's), and each has one spelling:
//
//     (a*c + r) // c        a               where 0 <= r < c
//     (a*c + r) % c         r               where 0 <= r < c
//     (g*a + r) % (g*b)     g*(a % b) + r   where 0 <= r < g
//     (x // a) // b         x // (a*b)
//     (x % (a*b)) % a       x % a
//     (x % (a*b)) // a      (x // a) % b
//     (x // c)*c + x % c    x
//
// Symbols have ids of their own; core/analysis/ir_affine joins them to the IR. Arithmetic is
// 64-bit. What overflows, and division by zero, gives the null `Affine`: "unknown". Every function
// takes a null operand and answers with null, unbounded or `Proof::Unknown`.
#pragma once

#include "core/support/ids.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Allocator.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

using SymbolId = Id<struct SymbolTag>;

struct AffineAtom;

struct AffineTerm {
  int64_t coefficient;
  const AffineAtom *atom;

  friend bool operator==(const AffineTerm &, const AffineTerm &) = default;
};

// The node of an expression. Terms are sorted by atom and have no zero coefficients.
struct AffineSum : llvm::FoldingSetNode {
  int64_t constant;
  llvm::ArrayRef<AffineTerm> terms;

  AffineSum(int64_t constant, llvm::ArrayRef<AffineTerm> terms)
      : constant(constant), terms(terms) {}
  void Profile(llvm::FoldingSetNodeID &id) const;
};

// An expression, or unknown when null. Belongs to the `AffineContext` that made it.
struct Affine {
  const AffineSum *sum = nullptr;

  bool isKnown() const { return sum != nullptr; }
  bool isConstant() const { return sum && sum->terms.empty(); }
  bool isConstant(int64_t value) const { return isConstant() && sum->constant == value; }
  std::optional<int64_t> asConstant() const {
    return isConstant() ? std::optional(sum->constant) : std::nullopt;
  }
  // The atom, if the expression is exactly one atom.
  const AffineAtom *asAtom() const;
  // Node identity: an unknown expression equals only another unknown one and proves nothing.
  friend bool operator==(Affine, Affine) = default;
};

// `Select` has operands {condition, ifTrue, ifFalse}; the relation says what of the condition is
// asked.
enum class AffineKind : uint8_t { Symbol, Product, FloorDiv, Mod, Min, Max, Select };
enum class AffineRelation : uint8_t { NonNegative, Zero };

struct AffineAtom : llvm::FoldingSetNode {
  AffineKind kind;
  AffineRelation relation; // of a Select
  SymbolId symbol;         // of a Symbol
  llvm::ArrayRef<Affine> operands;

  AffineAtom(AffineKind kind, AffineRelation relation, SymbolId symbol,
             llvm::ArrayRef<Affine> operands)
      : kind(kind), relation(relation), symbol(symbol), operands(operands) {}
  void Profile(llvm::FoldingSetNodeID &id) const;
};

struct AffineCondition {
  AffineRelation relation = AffineRelation::NonNegative;
  Affine value;
};

// Both ends belong to the range; an absent end is unbounded.
struct AffineBounds {
  std::optional<int64_t> lower;
  std::optional<int64_t> upper;

  bool within(int64_t first, int64_t last) const {
    return lower && upper && *lower >= first && *upper <= last;
  }
};

enum class Proof : uint8_t { Unknown, True, False };

// What is known about symbols: `lower <= symbol < upper`, and facts that hold where the question is
// asked (conditions of enclosing ifs). Either end may be unknown, and may mention other symbols.
class AffineRanges {
public:
  struct Range {
    Affine lower;
    Affine upper;
  };

  void set(SymbolId symbol, Affine lower, Affine upper) { ranges_[symbol.value] = {lower, upper}; }
  void assumeNonNegative(Affine value) { facts_.push_back(value); }
  // Removes the facts after the first `count`, so that a walk can leave a scope.
  void keepFacts(size_t count) { facts_.resize(count); }

  Range get(SymbolId symbol) const { return ranges_.lookup(symbol.value); }
  llvm::ArrayRef<Affine> facts() const { return facts_; }
  // For what must hold outside of the scope of the facts too.
  std::vector<Affine> takeFacts() { return std::exchange(facts_, {}); }
  void restoreFacts(std::vector<Affine> facts) { facts_ = std::move(facts); }

private:
  llvm::DenseMap<uint32_t, Range> ranges_;
  std::vector<Affine> facts_;
};

// Makes and owns expressions. Results depend on the operands only, never on what was made before.
class AffineContext {
public:
  Affine constant(int64_t value);
  Affine symbol(SymbolId symbol);
  Affine term(AffineTerm term) { return internSum(0, term); }

  Affine add(Affine a, Affine b);
  Affine add(Affine a, int64_t b) { return add(a, constant(b)); }
  Affine subtract(Affine a, Affine b) { return add(a, scale(b, -1)); }
  Affine scale(Affine a, int64_t factor);
  Affine multiply(Affine a, Affine b);

  // The divisor is assumed not to be zero where it is not a constant.
  Affine floorDiv(Affine a, Affine b, const AffineRanges &ranges = {});
  Affine mod(Affine a, Affine b, const AffineRanges &ranges = {});
  Affine min(Affine a, Affine b, const AffineRanges &ranges = {});
  Affine max(Affine a, Affine b, const AffineRanges &ranges = {});
  Affine select(AffineCondition condition, Affine ifTrue, Affine ifFalse,
                const AffineRanges &ranges = {});

  // The same value for all assignments within `ranges`, in canonical form.
  Affine simplify(Affine a, const AffineRanges &ranges);
  // `replacement` answers with an unknown expression for symbols that stay.
  Affine substitute(Affine a, llvm::function_ref<Affine(SymbolId)> replacement,
                    const AffineRanges &ranges = {});

  AffineBounds bounds(Affine a, const AffineRanges &ranges) const;
  // `a >= 0` in its tightest form: 2*x - 1 is x - 1, x // 4 - 1 is x - 4.
  Affine tightenNonNegative(Affine a);
  // `a >= 0` without the terms that cannot decide it: 1000 - 8*x - v - 1 with v in [0, 8) is
  // 1000 - 8*x - 1. The same expression if there are none.
  Affine dropIdleTerms(Affine a, const AffineRanges &ranges);
  Proof proveLess(Affine a, Affine b, const AffineRanges &ranges);
  Proof proveLessEqual(Affine a, Affine b, const AffineRanges &ranges);
  Proof prove(AffineCondition condition, const AffineRanges &ranges);

private:
  friend class NonNegativeProver;
  struct Division;

  Affine makeSum(int64_t constant, llvm::SmallVectorImpl<AffineTerm> &terms);
  Affine internSum(int64_t constant, llvm::ArrayRef<AffineTerm> terms);
  Affine atomExpr(const AffineAtom *atom, int64_t coefficient = 1) {
    return term({coefficient, atom});
  }
  Affine makeAtom(AffineKind kind, llvm::ArrayRef<Affine> operands,
                  AffineRelation relation = AffineRelation::NonNegative, SymbolId symbol = {});

  Affine recombine(Affine a);
  Affine recombineModulo(Affine a, AffineTerm modulo);
  Affine recombineDivision(Affine a, AffineTerm division);
  Affine multiplyAtoms(const AffineAtom *a, const AffineAtom *b);

  std::optional<Division> splitMultiples(Affine a, int64_t divisor);
  std::optional<Division> splitSymbolicMultiples(Affine a, Affine divisor);
  std::optional<Division> splitByFactor(Affine a, int64_t factor, const AffineRanges &ranges);
  std::optional<std::pair<int64_t, Division>> splitByCommonFactor(Affine a, int64_t divisor,
                                                                  const AffineRanges &ranges);
  Affine divideByConstant(Affine a, int64_t divisor, const AffineRanges &ranges);
  Affine divideRest(Affine rest, int64_t divisor, const AffineRanges &ranges);
  Affine moduloByConstant(Affine a, int64_t divisor, const AffineRanges &ranges);
  Affine dropInnerModulos(Affine a, int64_t divisor);
  Affine extremum(AffineKind kind, Affine a, Affine b, const AffineRanges &ranges);
  Affine rebuildAtom(const AffineAtom &atom, llvm::function_ref<Affine(SymbolId)> replacement,
                     const AffineRanges &ranges);

  llvm::BumpPtrAllocator arena_;
  llvm::FoldingSet<AffineSum> sums_;
  llvm::FoldingSet<AffineAtom> atoms_;
};

// The value under an assignment; nothing on overflow and division by zero.
std::optional<int64_t> evaluate(Affine a, llvm::function_ref<int64_t(SymbolId)> valueOf);
void forEachSymbol(Affine a, llvm::function_ref<void(SymbolId)> visit);
// "128*s0 + s3 // 4 + 1", with names from `nameOf`; "unknown" for the null expression.
std::string toString(Affine a, llvm::function_ref<std::string(SymbolId)> nameOf);

} // namespace tilescope
