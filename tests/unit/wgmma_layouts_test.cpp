#include "core/analysis/mma_layouts.h"
#include "core/analysis/wgmma_layouts.h"

#include "core/ir/stmt.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// Row and column that thread t of a warp group holds in register i of m64nNk*, by the PTX ISA's
// figure of the accumulator.
void expectAccumulator(const Layout &layout, int64_t threadBase, int64_t regBase, int64_t row,
                       int64_t column, int64_t columns) {
  for (int64_t t = 0; t != WarpGroupThreads; ++t)
    for (int64_t i = 0; i != columns / 2; ++i) {
      int64_t lane = t % 32;
      FragmentPlace place = placeOf(layout, {row + t / 32 * 16 + lane / 4 + i / 2 % 2 * 8,
                                             column + i / 4 * 8 + lane % 4 * 2 + i % 2});
      EXPECT_EQ(place.thread, threadBase + t);
      EXPECT_EQ(place.reg, regBase + i);
    }
}

TEST(WgmmaLayouts, AccumulatorOfOneInstruction) {
  Context context;
  for (int64_t columns = 8; columns <= WgmmaMaxColumns; columns += 8) {
    const Layout *layout = wgmmaAccumulator(context, 64, columns, {1, 1});
    expectAccumulator(*layout, 0, 0, 0, 0, columns);
    EXPECT_EQ(layout->threadCount(), WarpGroupThreads);
    EXPECT_EQ(layout->registerCount(), columns / 2);
    EXPECT_EQ(*layout, *mmaAccumulator(context, 64, columns, {4, 1}));
  }
}

TEST(WgmmaLayouts, RowsOfAWarpGroupFollowInBlocksOf64) {
  Context context;
  const Layout *layout = wgmmaAccumulator(context, 256, 128, {2, 1});
  expectAccumulator(*layout, 0, 0, 0, 0, 128);
  expectAccumulator(*layout, 0, 64, 64, 0, 128);
  expectAccumulator(*layout, 128, 0, 128, 0, 128);
  expectAccumulator(*layout, 128, 64, 192, 0, 128);
}

TEST(WgmmaLayouts, WarpGroupsBesideOneAnother) {
  Context context;
  const Layout *layout = wgmmaAccumulator(context, 64, 256, {1, 2});
  expectAccumulator(*layout, 0, 0, 0, 0, 128);
  expectAccumulator(*layout, 128, 0, 0, 128, 128);
}

// By the PTX ISA's figure of A in registers, which is that of an accumulator.
TEST(WgmmaLayouts, AnOperandInRegistersLiesAsAnAccumulator) {
  Context context;
  for (WarpGroupGrid grid : {WarpGroupGrid{1, 1}, {2, 1}})
    EXPECT_EQ(*wgmmaOperandA(context, 256, 64, 16, grid),
              *wgmmaAccumulator(context, 256, 64, grid));
  const Layout *shared = wgmmaOperandA(context, 64, 32, 16, {1, 2});
  EXPECT_EQ(shared->registerCount(), 16);
  EXPECT_EQ(shared->threadCount(), 2 * WarpGroupThreads);
  expectAccumulator(*shared, 0, 0, 0, 0, 32);
}

// By the PTX ISA's figure of A in registers for .e4m3 and .e5m2: four elements in each word.
TEST(WgmmaLayouts, AnOperandOfEightBitsInRegisters) {
  Context context;
  const Layout *layout = wgmmaOperandA(context, 128, 64, 8, {1, 1});
  EXPECT_EQ(layout->registerCount(), 64);
  for (int64_t t = 0; t != WarpGroupThreads; ++t)
    for (int64_t i = 0; i != 16; ++i)
      for (int64_t block = 0; block != 2; ++block)
        for (int64_t step = 0; step != 2; ++step) {
          int64_t row = t / 32 * 16 + t % 32 / 4 + i / 4 % 2 * 8;
          int64_t k = t % 4 * 4 + i % 4 + i / 8 * 16;
          FragmentPlace place = placeOf(*layout, {64 * block + row, 32 * step + k});
          EXPECT_EQ(place.thread, t);
          EXPECT_EQ(place.reg, 32 * block + 16 * step + i);
        }
}

TEST(WgmmaLayouts, WidestColumnsThatDivide) {
  using Columns = std::pair<int64_t, int64_t>;
  for (auto [columns, widest] : {Columns{64, 64}, {192, 192}, {384, 192}, {512, 256}})
    EXPECT_EQ(wgmmaColumns(columns, 64), widest);
  for (auto [columns, widest] : {Columns{8, 8}, {176, 176}, {272, 136}})
    EXPECT_EQ(wgmmaColumns(columns, 8), widest);
  EXPECT_EQ(wgmmaColumns(176, 64), std::nullopt);
  EXPECT_EQ(wgmmaColumns(0, 8), std::nullopt);
}

TEST(WgmmaLayouts, TypesOfInstructions) {
  EXPECT_TRUE(hasWgmma(DType::float16(), DType::float16(), DType::float32()));
  EXPECT_TRUE(hasWgmma(DType::float16(), DType::float16(), DType::float16()));
  EXPECT_TRUE(hasWgmma(DType::bfloat16(), DType::bfloat16(), DType::float32()));
  EXPECT_FALSE(hasWgmma(DType::bfloat16(), DType::bfloat16(), DType::bfloat16()));
  constexpr DType E4m3{DTypeKind::Float8E4M3, 8}, E5m2{DTypeKind::Float8E5M2, 8};
  EXPECT_TRUE(hasWgmma(E4m3, E5m2, DType::float32()));
  EXPECT_TRUE(hasWgmma(E5m2, E5m2, DType::float16()));
  EXPECT_FALSE(hasWgmma(E4m3, E4m3, DType::bfloat16()));
  EXPECT_FALSE(hasWgmma(E4m3, DType::float16(), DType::float32()));
  EXPECT_FALSE(hasWgmma(DType::float16(), DType::bfloat16(), DType::float32()));
  EXPECT_FALSE(hasWgmma(DType::float32(), DType::float32(), DType::float32()));
  constexpr DType Int8{DTypeKind::Int, 8}, UInt8{DTypeKind::UInt, 8};
  EXPECT_TRUE(hasWgmma(Int8, UInt8, DType::int32()));
  EXPECT_FALSE(hasWgmma(Int8, Int8, DType::float32()));
}

} // namespace
} // namespace tilescope
