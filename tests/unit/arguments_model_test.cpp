#include "core/views/arguments_model.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

using Stops = std::vector<int64_t>;

TEST(ArgumentsModel, PowersOfTwoStayPowersOfTwo) {
  EXPECT_EQ(integerStops({64, 128}), (Stops{16, 32, 64, 128, 256, 512}));
}

TEST(ArgumentsModel, SmallNumbersCountFromZero) {
  EXPECT_EQ(integerStops({2, 3}), (Stops{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(ArgumentsModel, OtherNumbersAreReachedExactlyAndHaveMultiplesAround) {
  Stops stops = integerStops({1000});
  EXPECT_TRUE(std::is_sorted(stops.begin(), stops.end()));
  EXPECT_NE(std::find(stops.begin(), stops.end(), 1000), stops.end());
  EXPECT_NE(std::find(stops.begin(), stops.end(), 1024), stops.end());
  EXPECT_LT(stops.size(), 100u);
}

TEST(ArgumentsModel, DetailsHaveTheHelpOfAnOption) {
  ArgumentRow option{"inject-pipeline.tma", "bool", "true", "false", {"false", "true"}};
  EXPECT_EQ(detailsOf(option, "copy by TMA"),
            "inject-pipeline.tma: bool, by default false\ncopy by TMA");
  ArgumentRow stages{"num_stages", "int", "2", "1", {"0", "1", "2"}};
  EXPECT_EQ(detailsOf(stages, ""),
            "num_stages: int, by default 1\nfrom 0 to 2; others can be typed");
}

TEST(ArgumentsModel, HostileNumbersGiveShortLists) {
  EXPECT_TRUE(integerStops({}).empty());
  EXPECT_TRUE(integerStops({-1, INT64_MIN}).empty());
  EXPECT_TRUE(integerStops({INT64_MAX}).empty());
  EXPECT_LT(integerStops({(int64_t(1) << 40) - 1}).size(), 200u);
}

} // namespace
} // namespace tilescope
