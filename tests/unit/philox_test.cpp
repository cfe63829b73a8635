// The generator of random numbers against what is published of it.
#include "core/support/philox.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilescope {
namespace {

std::vector<uint32_t> draw(uint64_t seed, uint64_t sequence, uint64_t offset, size_t count) {
  PhiloxState state;
  state.init(seed, sequence, offset);
  std::vector<uint32_t> words;
  for (size_t i = 0; i != count; ++i)
    words.push_back(state.bits());
  return words;
}

// Random123's known answers for philox4x32 with ten rounds: counter and key of zeros.
TEST(PhiloxTest, GivesThePublishedAnswers) {
  EXPECT_EQ(draw(0, 0, 0, 4),
            (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

// As curand() of cuRAND gives them for curand_init(42, 0, 0, &state).
TEST(PhiloxTest, GivesTheWordsOfCurand) {
  EXPECT_EQ(draw(42, 0, 0, 6), (std::vector<uint32_t>{2632642643, 2012563771, 314527917, 1463989207,
                                                      4242219303, 1404726525}));
}

TEST(PhiloxTest, AnOffsetSkipsWords) {
  std::vector<uint32_t> all = draw(42, 3, 0, 23);
  for (uint64_t offset : {1, 3, 4, 7, 10}) {
    std::vector<uint32_t> rest(all.begin() + static_cast<ptrdiff_t>(offset), all.end());
    EXPECT_EQ(draw(42, 3, offset, rest.size()), rest) << offset;
  }
}

TEST(PhiloxTest, FloatsAreInTheirRanges) {
  PhiloxState state;
  state.init(1, 2, 3);
  double sum = 0;
  double squares = 0;
  constexpr int Count = 4096;
  for (int i = 0; i != Count; ++i) {
    float uniform = state.uniform();
    EXPECT_TRUE(uniform > 0 && uniform <= 1) << uniform;
    double normal = i % 2 ? double{state.normal()} : state.normalDouble();
    sum += normal;
    squares += normal * normal;
  }
  EXPECT_NEAR(sum / Count, 0, 0.05);
  EXPECT_NEAR(squares / Count, 1, 0.1);
}

} // namespace
} // namespace tilescope
