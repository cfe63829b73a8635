// Lanes of linear layouts against figures worked out by hand, and against all registers one by one.
#include "core/access/linear_lanes.h"

#include "core/recorded/linear_banks.h"
#include "core/views/tile_layout.h"

#include <gtest/gtest.h>

#include <bit>

#include <random>

using namespace tilescope;

namespace {

using Bases = std::vector<int64_t>;
using Instruction = LinearAccess::Instruction;

// first, 2 * first, 4 * first ...
Bases powers(int64_t first, int count) {
  Bases bases;
  for (int bit = 0; bit != count; ++bit)
    bases.push_back(first << bit);
  return bases;
}

// Rows of `columns` elements, in which groups of `group` change places by the row.
Bases swizzled(int64_t rows, int64_t columns, int64_t group) {
  Bases places = powers(1, static_cast<int>(std::countr_zero<uint64_t>(columns)));
  for (int64_t row = 1; row < rows; row *= 2)
    places.push_back(row * columns + row * group % columns);
  return places;
}

std::pair<int64_t, int64_t> passesOf(const LinearAccess &access) {
  std::optional<LinearLanes> lanes = lanesOf(access);
  return lanes ? std::pair(lanes->passes.passes, lanes->passes.least)
               : std::pair<int64_t, int64_t>();
}

using Passes = std::pair<int64_t, int64_t>;

// A tile of 32 x 32 float32, a lane a row of it.
TEST(LinearLanes, CountsColumns) {
  LinearAccess access{32, powers(1, 5), powers(32, 5), {}, powers(1, 10), Instruction::Plain, 4};
  EXPECT_EQ(passesOf(access), Passes(32, 1));
  access.places = swizzled(32, 32, 1);
  EXPECT_EQ(passesOf(access), Passes(1, 1));
  access.places = swizzled(32, 32, 4); // four lanes of a group of four words
  EXPECT_EQ(passesOf(access), Passes(4, 1));
}

TEST(LinearLanes, CountsRows) {
  LinearAccess access{32, powers(32, 5), powers(1, 5), {}, powers(1, 10), Instruction::Plain, 4};
  EXPECT_EQ(passesOf(access), Passes(1, 1));
  access.places = swizzled(32, 32, 1);
  EXPECT_EQ(passesOf(access), Passes(1, 1));
}

// 16 bytes a lane, 8 lanes a row of 64 float16.
TEST(LinearLanes, CountsWideAccesses) {
  LinearAccess access{16, powers(1, 3), powers(8, 5), {256}, powers(1, 9), Instruction::Plain, 16};
  EXPECT_EQ(passesOf(access), Passes(4, 4));
  access.laneBytes = 4; // of a run of 16 bytes: one word of every four
  EXPECT_EQ(passesOf(access), Passes(4, 1));
  access.lanes = {64, 128, 8, 16, 32}; // in steps of rows
  access.laneBytes = 16;
  EXPECT_EQ(passesOf(access), Passes(4 * 4, 4));
}

// The first operand of mma: lanes 0 to 3 in a row of 64 float16, eight rows.
TEST(LinearLanes, CountsMatrices) {
  LinearAccess access{
      16, {1, 512, 8}, {2, 4, 64, 128, 256}, {1024}, powers(1, 11), Instruction::Matrices, 0};
  EXPECT_EQ(passesOf(access), Passes(8, 1));
  access.places = swizzled(32, 64, 8);
  EXPECT_EQ(passesOf(access), Passes(1, 1));
  std::optional<LinearLanes> lanes = lanesOf(access);
  ASSERT_EQ(lanes->places.size(), 2U);
  ASSERT_EQ(lanes->places[0].size(), 8U);
  EXPECT_EQ(lanes->places[0][3], 3 * 64 + 3 * 8);
  EXPECT_EQ(lanes->laneBytes, 16);
}

// The second one, which lies in rows of columns: lanes 0, 4, 8 ... in a row.
TEST(LinearLanes, CountsTransposedMatrices) {
  LinearAccess access{
      16, {64, 8 * 64}, {128, 256, 1, 2, 4}, {8}, powers(1, 10), Instruction::Transposed, 0};
  EXPECT_EQ(passesOf(access), Passes(8, 1));
  access.places = swizzled(16, 64, 8);
  EXPECT_EQ(passesOf(access), Passes(1, 1));
  access.elementBits = 32;
  EXPECT_EQ(passesOf(access), Passes());
}

TEST(LinearLanes, SayNothingOfWhatDoesNotFit) {
  const LinearAccess access{32, powers(1, 5), powers(32, 5), {}, powers(1, 10), Instruction::Plain,
                            4};
  auto changed = [&](auto change) {
    LinearAccess other = access;
    change(other);
    return passesOf(other);
  };
  EXPECT_EQ(changed([](LinearAccess &) {}), Passes(32, 1));
  EXPECT_EQ(changed([](LinearAccess &a) { a.instruction = Instruction::Unknown; }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.instruction = Instruction::Matrices; }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.laneBytes = 2; }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.laneBytes = 32; }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.elementBits = 24; }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.lanes.pop_back(); }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.places.pop_back(); }), Passes());
  EXPECT_EQ(changed([](LinearAccess &a) { a.places[3] = 3; }), Passes());
  // Neighbours lie in other lanes.
  EXPECT_EQ(changed([](LinearAccess &a) {
              std::swap(a.lanes, a.registers);
              a.laneBytes = 8;
            }),
            Passes());
}

// As the figures of register 0 are said to be those of all.
TEST(LinearLanes, AreAlikeForAllRegisters) {
  std::mt19937 random(7);
  for (int round = 0; round != 200; ++round) {
    Bases places = powers(1, 12);
    for (size_t bit = 2; bit != places.size(); ++bit)
      places[bit] |= static_cast<int64_t>(random() % (1U << bit)) & ~int64_t(3);
    Bases bits = powers(4, 10);
    std::shuffle(bits.begin(), bits.end(), random);
    LinearAccess access{
        32, {1, 2}, {bits.begin(), bits.begin() + 5}, {}, places, Instruction::Plain, 16};
    access.registers.insert(access.registers.end(), bits.begin() + 5, bits.end());
    ASSERT_TRUE(lanesOf(access)) << round;
    for (int64_t number = 0; number != 1 << 7; number += 4) {
      std::vector<std::optional<int64_t>> bytes;
      for (int64_t lane = 0; lane != WarpLanes; ++lane) {
        int64_t element =
            elementAtPlace(access.registers, number) ^ elementAtPlace(access.lanes, lane);
        bytes.emplace_back(*placeOfElement(places, element) * 4);
      }
      EXPECT_EQ(bankPassesOf(bytes, 16), lanesOf(access)->passes) << round << ' ' << number;
    }
  }
}

TEST(LinearLanes, BecomeBanksOfBuffers) {
  BufferRecord record;
  record.dtype = "float32";
  record.shape = {"32", "32"};
  record.scope = BufferScope::SharedDynamic;
  record.layout = "other(shared_linear)";
  record.places = swizzled(32, 32, 1);
  LinearRecord &access = record.linear.emplace_back();
  static_cast<LinearAccess &>(access) = {
      32, powers(1, 5), powers(32, 5), {}, record.places, Instruction::Plain, 4};
  auto records = std::make_shared<const std::vector<BufferRecord>>(2, record);
  BufferRecords made = withLinearBanks(records);
  ASSERT_NE(made, records);
  EXPECT_EQ(withLinearBanks(made), made);
  const BankRecord &bank = made->front().banks.at(0);
  EXPECT_EQ(std::pair(bank.passes, bank.leastPasses), Passes(1, 1));
  ASSERT_EQ(bank.warps.size(), 1U);
  EXPECT_EQ(unpackLanes(bank.warps[0])[5], 5 * 32);

  std::optional<TileLayout> tile = TileLayout::of(record);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->byteOf(3 * 32 + 1), 4 * (3 * 32 + (3 ^ 1)));
  EXPECT_EQ(tile->byteOf(32 * 32), std::nullopt);
  record.places.pop_back();
  EXPECT_FALSE(TileLayout::of(record));
}

} // namespace
