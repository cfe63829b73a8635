#include "core/support/affine.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace tilescope;

namespace {

class AffineTest : public testing::Test {
protected:
  Affine declare(int64_t lower, int64_t upper) {
    SymbolId id(count++);
    ranges.set(id, context.constant(lower), context.constant(upper));
    return context.symbol(id);
  }
  Affine constant(int64_t value) { return context.constant(value); }
  Affine floorDiv(Affine a, int64_t b) { return context.floorDiv(a, constant(b), ranges); }
  Affine mod(Affine a, int64_t b) { return context.mod(a, constant(b), ranges); }
  Affine times(Affine a, int64_t b) { return context.scale(a, b); }
  Affine plus(Affine a, Affine b) { return context.add(a, b); }
  std::string text(Affine a) {
    return toString(a, [](SymbolId id) { return std::string(1, char('a' + id.value)); });
  }

  AffineContext context;
  AffineRanges ranges;
  uint32_t count = 0;
};

TEST_F(AffineTest, EqualSumsAreOneNode) {
  Affine a = declare(0, 8), b = declare(0, 8);
  EXPECT_EQ(plus(plus(a, b), a), plus(times(a, 2), b));
  EXPECT_TRUE(context.subtract(plus(a, b), plus(b, a)).isConstant(0));
}

TEST_F(AffineTest, PrintsTermsInSymbolOrder) {
  Affine a = declare(0, 8), b = declare(0, 80);
  EXPECT_EQ(text(plus(context.add(floorDiv(b, 4), 3), times(a, -2))), "-2*a + b // 4 + 3");
}

TEST_F(AffineTest, DivisionSplitsMultiplesFromABoundedRest) {
  Affine a = declare(-100, 100), r = declare(0, 32);
  Affine sum = plus(times(a, 32), r);
  EXPECT_EQ(floorDiv(sum, 32), a);
  EXPECT_EQ(mod(sum, 32), r);
}

TEST_F(AffineTest, DivisionGroupsByACommonFactor) {
  Affine tx = declare(0, 128), v = declare(0, 8);
  Affine sum = plus(times(tx, 8), v);
  EXPECT_EQ(floorDiv(sum, 64), floorDiv(tx, 8));
  EXPECT_EQ(mod(sum, 64), plus(times(mod(tx, 8), 8), v));
}

TEST_F(AffineTest, NestedDivisionHasOneSpelling) {
  Affine x = declare(0, 4096);
  EXPECT_EQ(floorDiv(floorDiv(x, 4), 8), floorDiv(x, 32));
  EXPECT_EQ(mod(mod(x, 32), 8), mod(x, 8));
  EXPECT_EQ(floorDiv(mod(x, 32), 8), mod(floorDiv(x, 8), 4));
  EXPECT_EQ(text(mod(floorDiv(x, 8), 4)), "(a // 8) % 4");
}

TEST_F(AffineTest, BoundsDecideDivision) {
  Affine x = declare(0, 32);
  EXPECT_EQ(mod(x, 32), x);
  EXPECT_TRUE(floorDiv(x, 32).isConstant(0));
  EXPECT_EQ(mod(context.add(x, 64), 32), x);
  Affine j = declare(1, 9);
  EXPECT_EQ(text(mod(context.subtract(constant(8), j), 8)), "-1*b + 8");
}

TEST_F(AffineTest, QuotientAndRemainderRecombine) {
  Affine x = declare(-500, 500);
  EXPECT_EQ(plus(times(floorDiv(x, 32), 32), mod(x, 32)), x);
  EXPECT_EQ(plus(mod(x, 32), times(floorDiv(x, 32), 32)), x);
  Affine inner = plus(times(mod(floorDiv(x, 8), 4), 8), mod(x, 8));
  EXPECT_EQ(inner, mod(x, 32));
  EXPECT_EQ(plus(inner, times(floorDiv(x, 32), 32)), x);
  Affine shifted = context.add(x, 7);
  EXPECT_EQ(plus(times(floorDiv(shifted, 32), 64), times(mod(shifted, 32), 2)), times(shifted, 2));
}

TEST_F(AffineTest, SymbolicDivisorsRecombine) {
  Affine x = declare(0, 1000), s = declare(1, 1000);
  Affine quotient = context.floorDiv(x, s, ranges);
  Affine rest = context.mod(x, s, ranges);
  EXPECT_EQ(plus(context.multiply(quotient, s), rest), x);
  Affine row = declare(0, 50);
  Affine column = context.symbol(SymbolId(count));
  ranges.set(SymbolId(count++), constant(0), s);
  Affine flat = plus(context.multiply(row, s), column);
  EXPECT_EQ(context.floorDiv(flat, s, ranges), row);
  EXPECT_EQ(context.mod(flat, s, ranges), column);
}

TEST_F(AffineTest, MinimumKeepsOnlyWhatCanWin) {
  Affine a = declare(0, 8), b = declare(0, 100);
  EXPECT_EQ(context.min(a, constant(8), ranges), a);
  EXPECT_EQ(context.max(a, constant(-1), ranges), a);
  EXPECT_EQ(context.min(b, context.add(b, 1), ranges), b);
  EXPECT_EQ(context.min(context.min(a, b, ranges), a, ranges), context.min(b, a, ranges));
}

TEST_F(AffineTest, SelectIsDecidedByItsCondition) {
  Affine a = declare(0, 8), b = declare(0, 100);
  AffineCondition isPositive{AffineRelation::NonNegative, a};
  EXPECT_EQ(context.select(isPositive, a, b, ranges), a);
  AffineCondition isZero{AffineRelation::Zero, a};
  EXPECT_EQ(text(context.select(isZero, a, b, ranges)), "select(a == 0, a, b)");
  EXPECT_EQ(context.select(isZero, b, b, ranges), b);
}

TEST_F(AffineTest, OverflowIsUnknown) {
  Affine a = declare(0, 8);
  Affine huge = times(a, INT64_MAX);
  EXPECT_FALSE(times(huge, 2).isKnown());
  EXPECT_FALSE(plus(huge, huge).isKnown());
  EXPECT_FALSE(floorDiv(a, 0).isKnown());
  EXPECT_EQ(context.bounds(huge, ranges).upper, std::nullopt);
  EXPECT_EQ(context.proveLess(times(huge, 2), a, ranges), Proof::Unknown);
}

// ko < ceildiv(K, 32) and r < 32 say nothing about ko*32 + r < K; ko < K // 32 does.
TEST_F(AffineTest, ProvesWithSymbolicBounds) {
  Affine extent = context.symbol(SymbolId(count));
  ranges.set(SymbolId(count++), constant(1), {});
  Affine r = declare(0, 32);
  SymbolId ko(count++);
  Affine index = plus(times(context.symbol(ko), 32), r);
  ranges.set(ko, constant(0), floorDiv(extent, 32));
  EXPECT_EQ(context.proveLess(index, extent, ranges), Proof::True);
  ranges.set(ko, constant(0), floorDiv(context.add(extent, 31), 32));
  EXPECT_EQ(context.proveLess(index, extent, ranges), Proof::Unknown);
  ranges.assumeNonNegative(context.add(context.subtract(extent, index), -1));
  EXPECT_EQ(context.proveLess(index, extent, ranges), Proof::True);
  EXPECT_EQ(context.proveLessEqual(extent, index, ranges), Proof::False);
}

TEST_F(AffineTest, UsesAFactAsOftenAsNeeded) {
  Affine ko = declare(0, 32), row = declare(0, 32);
  Affine index = plus(times(context.add(ko, 2), 32), row);
  EXPECT_EQ(context.proveLess(index, constant(1024), ranges), Proof::Unknown);
  ranges.assumeNonNegative(context.subtract(constant(29), ko));
  EXPECT_EQ(context.proveLess(index, constant(1024), ranges), Proof::True);
}

TEST_F(AffineTest, ProvesThroughMinimum) {
  Affine n = declare(1, 1000), m = declare(1, 1000);
  Affine smaller = context.min(n, m, ranges);
  EXPECT_EQ(context.proveLessEqual(smaller, n, ranges), Proof::True);
  EXPECT_EQ(context.proveLess(n, smaller, ranges), Proof::False);
  EXPECT_EQ(context.proveLess(smaller, n, ranges), Proof::Unknown);
}

TEST_F(AffineTest, ProvesEachSideOfASelectUnderItsCondition) {
  Affine r = declare(0, 1000), n = declare(1, 1000);
  AffineCondition isZero{AffineRelation::NonNegative, times(r, -1)};
  Affine wrapped = context.select(isZero, context.add(n, -1), context.add(r, -1), ranges);
  EXPECT_EQ(context.proveLessEqual(constant(0), wrapped, ranges), Proof::True);
  EXPECT_EQ(context.proveLess(constant(0), wrapped, ranges), Proof::Unknown);
}

TEST_F(AffineTest, InequalitiesAreTightened) {
  Affine a = declare(-50, 50);
  EXPECT_EQ(context.tightenNonNegative(context.add(times(a, 2), -1)), context.add(a, -1));
  EXPECT_EQ(context.tightenNonNegative(context.add(floorDiv(a, 4), -1)), context.add(a, -4));
  Affine atMostOne = context.subtract(constant(1), floorDiv(a, 4));
  EXPECT_EQ(context.tightenNonNegative(atMostOne), context.subtract(constant(7), a));
}

TEST_F(AffineTest, TermsThatCannotDecideAreDropped) {
  Affine x = declare(0, 500), v = declare(0, 8);
  Affine below = context.subtract(constant(999), plus(times(x, 8), v));
  EXPECT_EQ(context.dropIdleTerms(below, ranges), context.subtract(constant(999), times(x, 8)));
  Affine odd = context.subtract(constant(1000), plus(times(x, 8), v));
  EXPECT_EQ(context.dropIdleTerms(odd, ranges), odd);
}

TEST_F(AffineTest, ProvesInequalityByDivisibility) {
  Affine a = declare(-50, 50), b = declare(-50, 50);
  Affine difference = context.subtract(times(a, 4), times(b, 6));
  EXPECT_EQ(context.prove({AffineRelation::Zero, context.add(difference, -1)}, ranges),
            Proof::False);
  EXPECT_EQ(context.prove({AffineRelation::Zero, difference}, ranges), Proof::Unknown);
}

TEST_F(AffineTest, CircularRangesEnd) {
  Affine a = context.symbol(SymbolId(0)), b = context.symbol(SymbolId(1));
  ranges.set(SymbolId(0), constant(0), b);
  ranges.set(SymbolId(1), constant(0), a);
  EXPECT_EQ(context.proveLess(a, constant(100), ranges), Proof::Unknown);
}

// Random expressions, built twice: as closures that are evaluated plainly, and as affine
// expressions.
struct Reference {
  Affine affine;
  std::function<int64_t(const std::vector<int64_t> &)> value;
};

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

class RandomAffineTest : public AffineTest {
protected:
  int64_t pick(int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  }
  int64_t pickDivisor() {
    constexpr int64_t Divisors[] = {1, 2, 3, 4, 4, 8, 8, 12, 16, 32, -4, -3};
    return Divisors[pick(0, 11)];
  }

  Reference leaf() {
    if (pick(0, 4) == 0) {
      int64_t value = pick(-40, 40);
      return {constant(value), [value](auto &) { return value; }};
    }
    uint32_t index = uint32_t(pick(0, count - 1));
    return {context.symbol(SymbolId(index)), [index](auto &values) { return values[index]; }};
  }

  Reference divided(const Reference &a, bool isMod) {
    int64_t d = pickDivisor();
    const AffineRanges &used = pick(0, 1) ? ranges : none;
    auto value = a.value;
    if (isMod)
      return {context.mod(a.affine, constant(d), used),
              [value, d](auto &v) { return value(v) - d * floorDivide(value(v), d); }};
    return {context.floorDiv(a.affine, constant(d), used),
            [value, d](auto &v) { return floorDivide(value(v), d); }};
  }

  Reference binary(const Reference &a, const Reference &b) {
    auto x = a.value, y = b.value;
    switch (pick(0, 4)) {
    case 0:
      return {context.min(a.affine, b.affine, ranges),
              [x, y](auto &v) { return std::min(x(v), y(v)); }};
    case 1:
      return {context.max(a.affine, b.affine, ranges),
              [x, y](auto &v) { return std::max(x(v), y(v)); }};
    case 2: {
      bool isZero = pick(0, 1);
      Affine difference = context.subtract(a.affine, b.affine);
      AffineCondition condition{isZero ? AffineRelation::Zero : AffineRelation::NonNegative,
                                difference};
      return {context.select(condition, a.affine, b.affine, ranges),
              [=](auto &v) { return (isZero ? x(v) == y(v) : x(v) >= y(v)) ? x(v) : y(v); }};
    }
    case 3:
      return {context.multiply(a.affine, b.affine), [x, y](auto &v) { return x(v) * y(v); }};
    default:
      return {context.floorDiv(a.affine, context.symbol(positive), ranges),
              [this, x](auto &v) { return floorDivide(x(v), v[positive.value]); }};
    }
  }

  Reference generate(int depth) {
    if (depth == 0)
      return leaf();
    Reference a = generate(depth - 1);
    switch (pick(0, 6)) {
    case 0:
    case 1:
    case 2:
      return divided(a, pick(0, 1));
    case 3:
      return binary(a, generate(std::max(0, depth - 2)));
    default: {
      int64_t k = pick(0, 2) ? pickDivisor() : pick(-33, 33);
      Reference b = generate(depth - 1);
      auto x = a.value, y = b.value;
      return {context.add(context.scale(a.affine, k), b.affine),
              [x, y, k](auto &v) { return k * x(v) + y(v); }};
    }
    }
  }

  void declareRandomSymbols() {
    ranges = {};
    lowers.clear();
    uppers.clear();
    for (count = 0; count < 4;) {
      lowers.push_back(pick(0, 2) ? 0 : pick(-20, 20));
      uppers.push_back(lowers.back() + (pick(0, 1) ? int64_t(1) << pick(0, 6) : pick(1, 40)));
      declare(lowers.back(), uppers.back());
    }
    positive = SymbolId(count);
    lowers.push_back(1);
    uppers.push_back(20);
    declare(1, 20);
  }

  static bool agrees(Proof proof, bool truth) {
    return proof == Proof::Unknown || (proof == Proof::True) == truth;
  }

  std::vector<int64_t> assign() {
    std::vector<int64_t> values;
    values.reserve(lowers.size());
    for (size_t i = 0; i < lowers.size(); ++i)
      values.push_back(pick(lowers[i], uppers[i] - 1));
    return values;
  }

  std::mt19937_64 random{20240901};
  AffineRanges none;
  SymbolId positive;
  std::vector<int64_t> lowers, uppers;
};

TEST_F(RandomAffineTest, SimplificationKeepsTheValue) {
  for (int round = 0; round < 4000; ++round) {
    declareRandomSymbols();
    Reference made = generate(int(pick(1, 5)));
    Affine simplified = context.simplify(made.affine, ranges);
    AffineBounds bounds = context.bounds(simplified, ranges);
    Affine sign = context.dropIdleTerms(simplified, ranges);
    for (int sample = 0; sample < 12; ++sample) {
      std::vector<int64_t> values = assign();
      auto valueOf = [&](SymbolId id) { return values[id.value]; };
      int64_t expected = made.value(values);
      ASSERT_EQ(evaluate(made.affine, valueOf), expected) << text(made.affine);
      ASSERT_EQ(evaluate(simplified, valueOf), expected) << text(simplified);
      ASSERT_EQ(*evaluate(sign, valueOf) >= 0, expected >= 0) << text(simplified);
      ASSERT_TRUE(!bounds.lower || *bounds.lower <= expected) << text(simplified);
      ASSERT_TRUE(!bounds.upper || *bounds.upper >= expected) << text(simplified);
    }
  }
}

TEST_F(RandomAffineTest, ProofsHoldForEveryAssignmentOfTheFacts) {
  for (int round = 0; round < 4000; ++round) {
    declareRandomSymbols();
    Reference a = generate(int(pick(0, 3))), b = generate(int(pick(0, 3)));
    Reference fact = generate(int(pick(0, 2)));
    size_t facts = ranges.facts().size();
    ranges.assumeNonNegative(context.tightenNonNegative(context.subtract(fact.affine, b.affine)));
    Affine difference = context.subtract(a.affine, b.affine);
    Proof equal = context.prove({AffineRelation::Zero, difference}, ranges);
    Proof lessEqual = context.proveLessEqual(a.affine, b.affine, ranges);
    ranges.keepFacts(facts);
    for (int sample = 0; sample < 12; ++sample) {
      std::vector<int64_t> values = assign();
      int64_t x = a.value(values), y = b.value(values);
      if (fact.value(values) < y)
        continue;
      ASSERT_TRUE(agrees(equal, x == y)) << text(a.affine) << " and " << text(b.affine);
      ASSERT_TRUE(agrees(lessEqual, x <= y)) << text(a.affine) << " and " << text(b.affine);
    }
  }
}

// The last symbol's range names the others.
TEST_F(RandomAffineTest, SymbolicRangesHoldForEveryAssignment) {
  for (int round = 0; round < 4000; ++round) {
    declareRandomSymbols();
    Reference limit = generate(int(pick(0, 2))), other = generate(int(pick(0, 2)));
    SymbolId last(count);
    ranges.set(last, constant(-5), limit.affine);
    int64_t factor = pick(-3, 3);
    Affine left = context.scale(context.symbol(last), factor);
    Proof less = context.proveLess(left, other.affine, ranges);
    for (int sample = 0; sample < 12; ++sample) {
      std::vector<int64_t> values = assign();
      int64_t end = limit.value(values);
      if (end <= -5)
        continue;
      int64_t value = pick(-5, end - 1);
      ASSERT_TRUE(agrees(less, factor * value < other.value(values)))
          << factor << " times less than " << text(limit.affine) << " and " << text(other.affine);
    }
  }
}

} // namespace
