#include "core/analysis/mma_layouts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tilescope {
namespace {

// Every coordinate has one place, no two share one, and the inverse finds it.
void expectBijection(const Layout &layout, int64_t rows, int64_t columns) {
  std::set<std::pair<int64_t, int64_t>> places;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      FragmentPlace place = placeOf(layout, {row, column});
      EXPECT_TRUE(places.insert({place.thread, place.reg}).second) << row << ", " << column;
      auto back = coordinatesOf(layout, place.thread, place.reg);
      ASSERT_TRUE(back.has_value());
      EXPECT_EQ((*back)[0], row);
      EXPECT_EQ((*back)[1], column);
    }
  }
}

// Coordinates that lane l holds in register i, by the PTX ISA's tables "Matrix Fragments for mma":
// groupID = l / 4, threadID_in_group = l % 4, and e = 32 / bits elements in a 32-bit register.
struct Place {
  int64_t row;
  int64_t column;
};

Place ptxAccumulator(int64_t lane, int64_t i) {
  return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + i % 2};
}

Place ptxOperandA(int64_t lane, int64_t i, int64_t perWord) {
  int64_t word = i / perWord;
  return {lane / 4 + (word % 2 == 0 ? 0 : 8),
          lane % 4 * perWord + i % perWord + (word < 2 ? 0 : 4 * perWord)};
}

// {k, n}
Place ptxOperandB(int64_t lane, int64_t i, int64_t perWord) {
  int64_t word = i / perWord;
  return {lane % 4 * perWord + i % perWord + (word == 0 ? 0 : 4 * perWord), lane / 4};
}

TEST(MmaLayouts, AccumulatorOfOneTile) {
  Context context;
  const Layout *layout = mmaAccumulator(context, 16, 8, {1, 1});
  for (int64_t lane = 0; lane < 32; ++lane) {
    for (int64_t i = 0; i < 4; ++i) {
      Place place = ptxAccumulator(lane, i);
      FragmentPlace found = placeOf(*layout, {place.row, place.column});
      EXPECT_EQ(found.thread, lane);
      EXPECT_EQ(found.reg, i);
    }
  }
}

TEST(MmaLayouts, OperandAOfOneTile) {
  Context context;
  for (DType dtype : {DType::float16(), DType{DTypeKind::Int, 8}, DType::float32()}) {
    int64_t perWord = 32 / dtype.bits;
    const Layout *layout = mmaOperandA(context, 16, mmaDepth(dtype), dtype, {1, 1});
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < 4 * perWord; ++i) {
        Place place = ptxOperandA(lane, i, perWord);
        FragmentPlace found = placeOf(*layout, {place.row, place.column});
        EXPECT_EQ(found.thread, lane);
        EXPECT_EQ(found.reg, i);
      }
    }
  }
}

TEST(MmaLayouts, LargeTilesAreBijections) {
  Context context;
  expectBijection(*mmaAccumulator(context, 128, 128, {2, 2}), 128, 128);
  expectBijection(*mmaAccumulator(context, 64, 96, {1, 4}), 64, 96);
  expectBijection(*mmaOperandA(context, 64, 48, DType::float16(), {4, 1}), 64, 48);
  EXPECT_EQ(mmaAccumulator(context, 128, 128, {2, 2})->registerCount(), 128);
  EXPECT_EQ(mmaAccumulator(context, 128, 128, {2, 2})->threadCount(), 128);
}

TEST(MmaLayouts, TilesOfAWarpAreConsecutiveRegisters) {
  Context context;
  const Layout *layout = mmaAccumulator(context, 64, 64, {2, 2});
  // Tile (1, 3) of 2 x 4 tiles a warp starts at register (1 * 4 + 3) * 4.
  EXPECT_EQ(placeOf(*layout, {16, 24}).reg, 28);
  EXPECT_EQ(placeOf(*layout, {32, 0}).thread, 32);
  EXPECT_EQ(placeOf(*layout, {0, 32}).thread, 64);
}

// Value of thread digits for a thread number.
int64_t evaluateDigits(llvm::ArrayRef<Digit> digits, int64_t thread) {
  int64_t value = 0;
  for (const Digit &digit : digits)
    value = value * digit.extent + thread / digit.stride % digit.extent;
  return value;
}

// What ldmatrix puts into a lane: of matrix m the row l / 4 (its addresses come from lanes 8m to
// 8m + 7), elements 2 * (l % 4) and the next; with .trans, column l / 4 of those rows.
Place loadedElement(const LdmatrixRows &rows, int64_t lane, int64_t i, bool transposed) {
  int64_t matrix = i / 2;
  int64_t major = lane / 4;
  int64_t minor = lane % 4 * 2 + i % 2;
  int64_t source = matrix * 8 + (transposed ? minor : major);
  int64_t inChunk = transposed ? major : minor;
  return {evaluateDigits(rows.row, source), evaluateDigits(rows.chunk, source) * 8 + inChunk};
}

TEST(MmaLayouts, LdmatrixGivesOperandA) {
  for (bool transposed : {false, true}) {
    LdmatrixRows rows = ldmatrixRowsA(transposed);
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < 8; ++i) {
        Place loaded = loadedElement(rows, lane, i, transposed);
        Place wanted = ptxOperandA(lane, i, 2);
        EXPECT_EQ(transposed ? loaded.column : loaded.row, wanted.row);
        EXPECT_EQ(transposed ? loaded.row : loaded.column, wanted.column);
      }
    }
  }
}

// Two neighbouring tiles of 8 columns: registers 0 to 3 are the first, 4 to 7 the second.
TEST(MmaLayouts, LdmatrixGivesTwoOperandsB) {
  for (bool kIsRow : {false, true}) {
    LdmatrixRows rows = ldmatrixRowsB(kIsRow);
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < 8; ++i) {
        Place loaded = loadedElement(rows, lane, i, kIsRow);
        Place wanted = ptxOperandB(lane, i % 4, 2);
        wanted.column += i / 4 * 8;
        EXPECT_EQ(kIsRow ? loaded.row : loaded.column, wanted.row);
        EXPECT_EQ(kIsRow ? loaded.column : loaded.row, wanted.column);
      }
    }
  }
}

// The eight rows of a matrix lie in different banks, for every tile position and row length.
TEST(MmaLayouts, LdmatrixHasNoBankConflicts) {
  Context context;
  for (int64_t columns : {16, 32, 64, 128}) {
    const Layout *layout = swizzleForRow(context, columns * 2);
    for (int64_t row = 0; row < 64; row += 8) {
      for (int64_t column = 0; column < columns; column += 8) {
        std::set<int64_t> banks;
        for (int64_t r = 0; r < 8; ++r)
          banks.insert(byteOffset(*layout, {64, columns}, 16, {row + r, column}) % 128 / 16);
        EXPECT_EQ(banks.size(), 8u) << columns << " columns, row " << row;
      }
    }
  }
}

TEST(MmaLayouts, SwizzlesKeepChunksAndAreBijections) {
  Context context;
  for (int64_t columns : {16, 32, 64, 192}) {
    const Layout *layout = swizzleForRow(context, columns * 2);
    std::set<int64_t> offsets;
    for (int64_t row = 0; row < 24; ++row)
      for (int64_t column = 0; column < columns; column += 8) {
        int64_t offset = byteOffset(*layout, {24, columns}, 16, {row, column});
        EXPECT_EQ(offset % 16, 0);
        EXPECT_EQ(byteOffset(*layout, {24, columns}, 16, {row, column + 7}), offset + 14);
        EXPECT_LT(offset, 24 * columns * 2);
        offsets.insert(offset);
      }
    EXPECT_EQ(offsets.size(), static_cast<size_t>(24 * columns / 8));
  }
}

TEST(MmaLayouts, WarpPartition) {
  auto grid = [](int64_t m, int64_t n, int64_t warps, WarpPolicy policy) {
    std::optional<WarpGrid> found = partitionWarps(m, n, warps, policy);
    return found ? std::pair(found->rows, found->columns) : std::pair<int64_t, int64_t>(0, 0);
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(grid(128, 128, 4, WarpPolicy::Square), Pair(2, 2));
  EXPECT_EQ(grid(128, 128, 4, WarpPolicy::FullRow), Pair(4, 1));
  EXPECT_EQ(grid(128, 128, 4, WarpPolicy::FullCol), Pair(1, 4));
  EXPECT_EQ(grid(64, 256, 8, WarpPolicy::Square), Pair(2, 4));
  // 16 rows are one tile: the warps go along the columns whatever is asked for.
  EXPECT_EQ(grid(16, 64, 4, WarpPolicy::FullRow), Pair(1, 4));
  EXPECT_EQ(grid(16, 8, 2, WarpPolicy::Square), Pair(0, 0));
}

} // namespace
} // namespace tilescope
