#include "core/analysis/fragment_digits.h"

#include "core/analysis/layouts/layout_state.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope {
namespace {

TEST(FragmentDigits, MergesNeighbours) {
  DigitList merged = mergeDigits({{2, true, 4}, {4, true, 1}, {1, false, 7}, {2, false, 1}});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0], (Digit{8, true, 1}));
  EXPECT_EQ(merged[1], (Digit{2, false, 1}));
}

TEST(FragmentDigits, MakesRegistersDense) {
  Context context;
  const Layout *layout =
      makeDenseFragment(context, {{{8, true, 4}, {2, false, 8}}, {{2, false, 1}}});
  EXPECT_EQ(toString(*layout), "fragment(8@t4 2@r2 | 2@r1)");
}

TEST(Permutation, GivesEachElementOnePlace) {
  Context context;
  auto isDense = [&](llvm::StringRef text) {
    return isPermutation(parseLayout(context, text)->dims, {16, 8});
  };
  EXPECT_TRUE(isDense("permuted(16@8 | 8@1)"));
  EXPECT_TRUE(isDense("permuted(2@64 8@4 | 2@32 4@1)"));
  EXPECT_FALSE(isDense("permuted(2@64 8@4 | 2@64 4@1)")) << "two elements at one place";
  EXPECT_FALSE(isDense("permuted(16@16 | 8@1)")) << "places that no element has";
  EXPECT_FALSE(isDense("permuted(3@64 8@4 | 2@32 4@1)")) << "24 rows";
  EXPECT_FALSE(isDense("permuted(16@8)"));
}

TEST(Permutation, KnowsWhatLiesSideBySide) {
  Context context;
  auto adjacent = [&](llvm::StringRef text) {
    return adjacentElements(*parseLayout(context, text));
  };
  EXPECT_EQ(adjacent("permuted(4@8 16@32 | 8@1)"), 8);
  EXPECT_EQ(adjacent("permuted(2@64 8@4 | 2@32 4@1)"), 4);
  EXPECT_EQ(adjacent("permuted(8@12 | 12@1)"), 4) << "rows start at multiples of 12";
  EXPECT_EQ(adjacent("permuted(16@1 | 8@16)"), 1);
}

TEST(FragmentDigits, PlansVectorsThenThreads) {
  Context context;
  auto plan = [&](llvm::ArrayRef<int64_t> extents, int64_t vector, int64_t threads, bool copies) {
    return toString(*planPartition(context, extents, vector, threads, copies));
  };
  EXPECT_EQ(plan({64, 32}, 8, 128, false), "fragment(2@r8 32@t4 | 4@t1 8@r1)");
  EXPECT_EQ(plan({16}, 1, 64, false), "fragment(16@t1)");
  EXPECT_EQ(plan({16}, 1, 64, true), "fragment(16@t1 ; 4@t16)");
  // 9 vectors in a row: 16 threads a row, seven of them idle.
  EXPECT_EQ(plan({16, 18}, 2, 128, false), "fragment(2@r2 8@t16 | 16@t1 2@r1)");
  EXPECT_EQ(plan({}, 1, 32, false), "fragment()");
}

TEST(FragmentDigits, PlansSerialDimensionsOnRegisters) {
  Context context;
  auto plan = [&](llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<bool> serial, int64_t vector) {
    return toString(*planPartition(context, extents, serial, vector, 32, /*replicate=*/true));
  };
  EXPECT_EQ(plan({4, 64}, {false, false}, 2), "fragment(4@r2 | 32@t1 2@r1)");
  EXPECT_EQ(plan({4, 64}, {true, false}, 1), "fragment(4@r2 | 2@r1 32@t1)");
  EXPECT_EQ(plan({64, 4}, {false, true}, 4), "fragment(2@r4 32@t1 | 4@r1)");
  EXPECT_EQ(plan({8, 16}, {true, true}, 1), "fragment(8@r16 | 16@r1 ; 32@t1)");
}

void expectEveryElementOnce(const Layout &layout, int64_t rows, int64_t columns) {
  std::set<std::pair<int64_t, int64_t>> places;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      FragmentPlace place = placeOf(layout, {row, column});
      places.insert({place.thread, place.reg});
      auto back = coordinatesOf(layout, place.thread, place.reg);
      EXPECT_EQ(*back, (llvm::SmallVector<int64_t>{row, column}));
    }
  }
  EXPECT_EQ(places.size(), static_cast<size_t>(rows * columns));
}

TEST(FragmentDigits, PlansPlaceEveryElementOnce) {
  Context context;
  for (int64_t rows : {1, 3, 16, 48, 100}) {
    for (int64_t columns : {8, 24, 33, 128}) {
      for (int64_t threads : {32, 96, 128, 256}) {
        int64_t vector = columns % 8 == 0 ? 8 : 1;
        const Layout *layout = planPartition(context, {rows, columns}, vector, threads, false);
        EXPECT_LE(layout->threadCount(), threads);
        expectEveryElementOnce(*layout, rows, columns);
      }
    }
  }
}

TEST(FragmentDigits, DropDimensionKeepsCopies) {
  Context context;
  const Layout *layout = parseLayout(context, "fragment(2@r2 8@t4 | 4@t1 2@r1)");
  EXPECT_EQ(toString(*dropDimension(context, *layout, 1)), "fragment(2@r1 8@t4 ; 4@t1)");
  EXPECT_EQ(toString(*dropDimension(context, *layout, 0)), "fragment(4@t1 2@r1 ; 8@t4)");
}

} // namespace
} // namespace tilescope
