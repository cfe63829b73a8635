#include "core/analysis/thread_sum.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

// Signed numbers of 32 bits and more are taken not to overflow.
bool isPlain(DType dtype) { return dtype.isInteger() && !dtype.isUnsigned() && dtype.bits >= 32; }

class Decomposer {
public:
  explicit Decomposer(const ThreadSumQuery &query) : query_(query) {}

  ThreadSum sumOf(const Expr *expr) {
    query_.lanes.spend(1);
    if (query_.lanes.isSpent() || !isPlain(expr->dtype()))
      return {};
    if (Lanes own = query_.lanes.evaluate(expr); !own.empty())
      return {std::move(own), 0};
    if (ThreadSum sum = sumOfParts(expr); sum.isKnown())
      return sum;
    return query_.isAgreed(expr) ? ThreadSum{{0}, 1} : ThreadSum();
  }

private:
  ThreadSum sumOfParts(const Expr *expr) {
    if (const auto *var = llvm::dyn_cast<Var>(expr)) {
      const Expr *value = query_.valueOf(var);
      return value ? sumOf(value) : ThreadSum();
    }
    if (const auto *cast = llvm::dyn_cast<Cast>(expr))
      return cast->dtype().bits >= cast->operand->dtype().bits ? sumOf(cast->operand) : ThreadSum();
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (!binary)
      return {};
    switch (binary->op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return add(binary->op, sumOf(binary->lhs), sumOf(binary->rhs));
    case BinaryOp::Mul:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
      return scale(*binary);
    default:
      return {};
    }
  }

  ThreadSum add(BinaryOp op, const ThreadSum &a, const ThreadSum &b) {
    Lanes own = query_.lanes.combine(op, a.own, b.own);
    return {std::move(own), std::gcd(a.common, b.common)};
  }

  // By a constant.
  ThreadSum scale(const Binary &binary) {
    const auto *left = llvm::dyn_cast<IntImm>(binary.lhs);
    bool isLeft = left && binary.op == BinaryOp::Mul;
    const auto *by = isLeft ? left : llvm::dyn_cast<IntImm>(binary.rhs);
    if (!by || by->value <= 0)
      return {};
    ThreadSum sum = sumOf(isLeft ? binary.rhs : binary.lhs);
    Lanes own = query_.lanes.combine(binary.op, sum.own, {by->value});
    if (binary.op == BinaryOp::Mul) {
      bool overflows = __builtin_mul_overflow(sum.common, by->value, &sum.common);
      return overflows ? ThreadSum() : ThreadSum{std::move(own), sum.common};
    }
    if (sum.common % by->value != 0)
      return {};
    return {std::move(own), binary.op == BinaryOp::FloorDiv ? sum.common / by->value : 0};
  }

  const ThreadSumQuery &query_;
};

// Of some threads: `least` to `most`, and whether one of them is a multiple of `common`.
struct Spread {
  int64_t least = 0;
  int64_t most = 0;
  bool hasMultiple = false;
};

Spread spreadOf(const ThreadSum &sum, size_t begin, size_t end) {
  Spread spread{laneOf(sum.own, begin), laneOf(sum.own, begin), false};
  for (size_t thread = begin; thread != end; ++thread) {
    int64_t value = laneOf(sum.own, thread);
    spread.least = std::min(spread.least, value);
    spread.most = std::max(spread.most, value);
    spread.hasMultiple |= sum.common == 0 ? value == 0 : value % sum.common == 0;
  }
  return spread;
}

bool hasMultipleIn(int64_t common, int64_t first, int64_t last) {
  if (common == 0)
    return first <= 0 && 0 <= last;
  return first <= last && llvm::divideFloorSigned(last, common) * common >= first;
}

// Whether all threads have the same of `sum <op> 0`. They differ where what they agree on lies
// between the value at which one of them changes its mind and that at which the last one does.
bool agreesOnSign(BinaryOp op, const Spread &spread, int64_t common) {
  if (spread.least == spread.most)
    return true;
  switch (op) {
  case BinaryOp::Less:
  case BinaryOp::GreaterEqual:
    return !hasMultipleIn(common, -spread.most, -spread.least - 1);
  case BinaryOp::LessEqual:
  case BinaryOp::Greater:
    return !hasMultipleIn(common, -spread.most + 1, -spread.least);
  case BinaryOp::Equal:
  case BinaryOp::NotEqual:
    return !spread.hasMultiple;
  default:
    return false;
  }
}

bool isComparison(BinaryOp op) {
  return llvm::is_contained({BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater,
                             BinaryOp::GreaterEqual, BinaryOp::Equal, BinaryOp::NotEqual},
                            op);
}

bool areSmall(const ThreadSum &sum) {
  constexpr int64_t Most = int64_t(1) << 61;
  return llvm::all_of(sum.own, [](int64_t value) { return -Most < value && value < Most; });
}

} // namespace

ThreadSum threadSumOf(const Expr *expr, const ThreadSumQuery &query) {
  return Decomposer(query).sumOf(expr);
}

bool agreesOn(const Expr *expr, const ThreadSumQuery &query, size_t width) {
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  ThreadSum sum{query.lanes.evaluate(expr), 0};
  bool isCompared = !sum.isKnown() && binary && isComparison(binary->op);
  if (!sum.isKnown())
    sum = threadSumOf(isCompared ? binary->lhs : expr, query);
  if (isCompared) {
    ThreadSum other = threadSumOf(binary->rhs, query);
    sum = {query.lanes.combine(BinaryOp::Sub, sum.own, other.own),
           std::gcd(sum.common, other.common)};
  }
  if (!sum.isKnown() || !areSmall(sum))
    return false;
  for (size_t begin = 0; begin < sum.own.size(); begin += width) {
    Spread spread = spreadOf(sum, begin, std::min(begin + width, sum.own.size()));
    bool agrees =
        isCompared ? agreesOnSign(binary->op, spread, sum.common) : spread.least == spread.most;
    if (!agrees)
      return false;
  }
  return true;
}

} // namespace tilescope
