// Run alone: unit_tests --gtest_filter='CompareTest.*'
//
// What counts as the same result.
#include "core/exec/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilescope {
namespace {

TEST(CompareTest, NanFailsAndInfinitiesAgree) {
  Tensor expected(DType::float32(), {4});
  for (int64_t i = 0; i != expected.size(); ++i)
    expected.set(i, Number{.f = 1});
  Tensor got = expected;
  EXPECT_TRUE(compareTensors(got, expected, 1e-2, {}, {}).passed());
  got.set(2, Number{.f = std::numeric_limits<double>::quiet_NaN()});
  TensorComparison bad = compareTensors(got, expected, 1e-2, {}, {});
  EXPECT_EQ(bad.wrong, 1);
  EXPECT_EQ(bad.worst[0], 2);
  expected.set(2, Number{.f = HUGE_VAL});
  EXPECT_FALSE(compareTensors(got, expected, 1e-2, {}, {}).passed());
  got.set(2, Number{.f = HUGE_VAL});
  EXPECT_TRUE(compareTensors(got, expected, 1e-2, {}, {}).passed());
}

TEST(CompareTest, ANumberWhoseSquareIsTooLarge) {
  Tensor got(DType{DTypeKind::Float, 64}, {1}), expected = got;
  got.set(0, Number{.f = 1e299});
  expected.set(0, Number{.f = 1e300});
  EXPECT_FALSE(compareTensors(got, expected, 1e-2, {}, {}).passed());
}

// A sum that is rounded the other way is a neighbour, not a second one.
TEST(CompareTest, OfFp8ANeighbourIsRight) {
  Tensor expected(DType{DTypeKind::Float8E4M3, 8}, {2});
  expected.set(0, Number{.f = 36});
  expected.set(1, Number{.f = -1});
  Tensor got = expected;
  got.set(0, Number{.f = 40});
  got.set(1, Number{.f = -1.125});
  EXPECT_TRUE(compareTensors(got, expected, 1e-2, {}, {}).passed());
  got.set(0, Number{.f = 44});
  EXPECT_FALSE(compareTensors(got, expected, 1e-2, {}, {}).passed());
}

} // namespace
} // namespace tilescope
