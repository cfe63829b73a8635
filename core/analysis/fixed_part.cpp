#include "core/analysis/fixed_part.h"

#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

bool addTerms(FixedPart &sum, const FixedPart &terms, int64_t factor) {
  for (const FixedTerm &term : terms) {
    auto known = llvm::find_if(
        sum, [&](const FixedTerm &other) { return isSameExpr(other.expr, term.expr); });
    if (known == sum.end())
      known = sum.insert(sum.end(), {term.expr, 0});
    int64_t scaled = 0;
    if (__builtin_mul_overflow(term.coefficient, factor, &scaled) ||
        __builtin_add_overflow(known->coefficient, scaled, &known->coefficient))
      return false;
    if (known->coefficient == 0)
      sum.erase(known);
  }
  return true;
}

bool isSameFixedPart(const FixedPart &a, const FixedPart &b) {
  FixedPart difference = a;
  return addTerms(difference, b, -1) && difference.empty();
}

int64_t periodOf(const FixedPart &fixed) {
  int64_t period = 0;
  for (const FixedTerm &term : fixed)
    period = std::gcd(period, term.coefficient);
  return period;
}

} // namespace tilescope
