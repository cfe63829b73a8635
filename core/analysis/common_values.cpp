#include "core/analysis/common_values.h"

#include "core/support/checked_math.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope {

namespace {

// Between variables and opaque expressions, as core/analysis/ir_affine numbers them.
constexpr uint32_t FirstSymbol = 1U << 30;

} // namespace

bool areKnown(const CommonValues &values) {
  return llvm::all_of(values, [](Affine value) { return value.isKnown(); });
}

const AffineRanges &CommonValueArithmetic::rangesAt(size_t access) {
  ranges_.restoreFacts(factsByAccess_[access]);
  return ranges_;
}

Affine CommonValueArithmetic::makeSymbol(Affine extent) {
  SymbolId symbol(FirstSymbol + symbols_++);
  ranges_.set(symbol, arithmetic_.constant(0), extent);
  return arithmetic_.symbol(symbol);
}

std::optional<CommonValueArithmetic::Parts>
CommonValueArithmetic::split(const CommonValues &values, int64_t factor, bool takesConstants,
                             llvm::function_ref<bool(const AffineAtom &)> isHigh) {
  Parts parts;
  for (Affine value : values) {
    Affine high = arithmetic_.constant(0);
    for (const AffineTerm &term : value.sum->terms)
      if (term.coefficient % factor == 0 && isHigh(*term.atom))
        high = arithmetic_.add(high, arithmetic_.term({term.coefficient / factor, term.atom}));
    if (takesConstants)
      high = arithmetic_.add(high, llvm::divideFloorSigned(value.sum->constant, factor));
    parts.low.push_back(arithmetic_.subtract(value, arithmetic_.scale(high, factor)));
    parts.high.push_back(high);
  }
  bool isSplit = areKnown(parts.high) && areKnown(parts.low) &&
                 !llvm::all_of(parts.high, [](Affine high) { return high.isConstant(0); }) &&
                 areInOneWindow(parts.low, factor);
  return isSplit ? std::optional(std::move(parts)) : std::nullopt;
}

bool CommonValueArithmetic::areInOneWindow(const CommonValues &values, int64_t size) {
  std::optional<int64_t> first = INT64_MAX;
  std::optional<int64_t> last = INT64_MIN;
  for (auto [access, value] : llvm::enumerate(values)) {
    AffineBounds bounds = arithmetic_.bounds(value, rangesAt(access));
    first = first && bounds.lower ? std::optional(std::min(*first, *bounds.lower)) : std::nullopt;
    last = last && bounds.upper ? std::optional(std::max(*last, *bounds.upper)) : std::nullopt;
  }
  std::optional<int64_t> below = first ? checkedAdd(*first, size - 1) : std::nullopt;
  if (below && last && *last <= *below)
    return true;
  // By what conditions say: in [0, size), or from the least on that the first value can be.
  if (areWithin(values, 0, size))
    return true;
  AffineBounds bounds = arithmetic_.bounds(values.front(), rangesAt(0));
  constexpr int64_t Most = int64_t{1} << 40;
  return bounds.within(-Most, Most) &&
         areWithin(values, provenLeast(values.front(), *bounds.lower, *bounds.upper), size);
}

bool CommonValueArithmetic::areWithin(const CommonValues &values, int64_t begin, int64_t size) {
  std::optional<int64_t> end = checkedAdd(begin, size);
  for (auto [access, value] : llvm::enumerate(values)) {
    const AffineRanges &ranges = rangesAt(access);
    if (!end || arithmetic_.proveLess(value, arithmetic_.constant(*end), ranges) != Proof::True ||
        arithmetic_.proveLessEqual(arithmetic_.constant(begin), value, ranges) != Proof::True)
      return false;
  }
  return true;
}

// Of the first access: the most that it is proven not to be below.
int64_t CommonValueArithmetic::provenLeast(Affine value, int64_t lower, int64_t upper) {
  const AffineRanges &ranges = rangesAt(0);
  while (lower < upper) {
    int64_t middle = upper - (upper - lower) / 2;
    if (arithmetic_.proveLessEqual(arithmetic_.constant(middle), value, ranges) == Proof::True)
      lower = middle;
    else
      upper = middle - 1;
  }
  return lower;
}

CommonValueArithmetic::Parts CommonValueArithmetic::divide(const CommonValues &values,
                                                           Affine size) {
  Parts parts;
  for (auto [access, value] : llvm::enumerate(values)) {
    parts.high.push_back(arithmetic_.floorDiv(value, size, rangesAt(access)));
    parts.low.push_back(arithmetic_.mod(value, size, rangesAt(access)));
  }
  return parts;
}

CommonValues CommonValueArithmetic::join(const CommonValues &high, const CommonValues &low,
                                         Affine size) {
  CommonValues joined;
  for (auto [quotient, rest] : llvm::zip_equal(high, low))
    joined.push_back(arithmetic_.add(arithmetic_.multiply(quotient, size), rest));
  return joined;
}

CommonValues CommonValueArithmetic::subtract(const CommonValues &values, Affine subtrahend) {
  CommonValues result;
  for (Affine value : values)
    result.push_back(arithmetic_.subtract(value, subtrahend));
  return result;
}

CommonValues CommonValueArithmetic::simplify(const CommonValues &values) {
  CommonValues result;
  for (auto [access, value] : llvm::enumerate(values))
    result.push_back(arithmetic_.simplify(value, rangesAt(access)));
  return result;
}

bool CommonValueArithmetic::isNowherePositive(Affine value) {
  for (size_t access = 0; access != accessCount(); ++access)
    if (arithmetic_.proveLessEqual(value, arithmetic_.constant(0), rangesAt(access)) != Proof::True)
      return false;
  return true;
}

bool CommonValueArithmetic::isZeroEverywhere(Affine value) const {
  Affine negated = arithmetic_.scale(value, -1);
  return llvm::all_of(factsByAccess_, [&](const std::vector<Affine> &facts) {
    return llvm::is_contained(facts, value) && llvm::is_contained(facts, negated);
  });
}

} // namespace tilescope
