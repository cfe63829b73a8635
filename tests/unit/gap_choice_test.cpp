// Run alone: unit_tests --gtest_filter='GapChoice*'
#include "core/plan/gap_choice.h"

#include "gtest/gtest.h"

#include <random>

using namespace tilescope;

namespace {

struct Choice {
  GapChoice of(std::vector<double> runs, const std::vector<std::vector<unsigned>> &sets) {
    std::vector<llvm::BitVector> bits;
    for (const std::vector<unsigned> &set : sets) {
      bits.emplace_back(static_cast<unsigned>(runs.size()));
      for (unsigned gap : set)
        bits.back().set(gap);
    }
    std::vector<const llvm::BitVector *> pointers;
    for (const llvm::BitVector &set : bits)
      pointers.push_back(&set);
    return chooseGaps(runs, pointers);
  }
};

TEST(GapChoiceTest, NothingNeedsNothing) {
  GapChoice choice = Choice().of({1, 1}, {});
  EXPECT_TRUE(choice.gaps.empty());
  EXPECT_TRUE(choice.isFewest);
}

TEST(GapChoiceTest, OfEqualGapsTheLastIsTaken) {
  EXPECT_EQ(Choice().of({1, 1, 1}, {{0, 1, 2}}).gaps, std::vector<unsigned>{2});
  EXPECT_EQ(Choice().of({1, 1, 1, 1}, {{0, 1, 2}, {1, 2, 3}}).gaps, std::vector<unsigned>{2});
}

TEST(GapChoiceTest, GapInALoopIsAvoided) {
  EXPECT_EQ(Choice().of({16, 1, 1}, {{0, 1}, {0, 2}}).gaps, (std::vector<unsigned>{1, 2}));
}

// Gap 2 is in most sets, and then needs two others besides; 0 and 1 are enough.
TEST(GapChoiceTest, WhatSettlesMostIsNotAlwaysNeeded) {
  GapChoice choice = Choice().of({1, 1, 1}, {{0}, {0, 2}, {1}, {1, 2}, {0, 2}, {1, 2}});
  EXPECT_EQ(choice.gaps, (std::vector<unsigned>{0, 1}));
  choice = Choice().of({1, 1, 1, 1, 1},
                       {{0, 2}, {0, 2}, {0, 3}, {1, 2}, {1, 2}, {1, 4}, {0, 2, 3}, {1, 2, 4}});
  EXPECT_EQ(choice.gaps, (std::vector<unsigned>{0, 1}));
  EXPECT_TRUE(choice.isFewest);
}

TEST(GapChoiceTest, RandomSetsGetTheCheapestGapsOfAll) {
  int isFewest = 0;
  constexpr int Count = 600;
  for (unsigned seed = 0; seed != Count; ++seed) {
    std::mt19937 random(seed);
    std::vector<double> runs(2 + random() % 8);
    for (double &run : runs)
      run = static_cast<double>(1 + random() % 3);
    std::vector<std::vector<unsigned>> sets(1 + random() % 10);
    for (std::vector<unsigned> &set : sets)
      for (unsigned gap = 0; gap != runs.size(); ++gap)
        if (random() % 3 == 0 || (set.empty() && gap + 1 == runs.size()))
          set.push_back(gap);
    GapChoice choice = Choice().of(runs, sets);
    std::pair<double, int> fewest(1e9, 0);
    for (unsigned chosen = 0; chosen != 1U << runs.size(); ++chosen) {
      bool isEnough = true;
      for (const std::vector<unsigned> &set : sets) {
        bool isMet = false;
        for (unsigned gap : set)
          isMet |= (chosen >> gap & 1) != 0;
        isEnough &= isMet;
      }
      std::pair<double, int> cost;
      for (unsigned gap = 0; gap != runs.size(); ++gap)
        if (chosen >> gap & 1) {
          cost.first += runs[gap];
          ++cost.second;
        }
      if (isEnough)
        fewest = std::min(fewest, cost);
    }
    std::pair<double, int> cost;
    for (unsigned gap : choice.gaps) {
      cost.first += runs[gap];
      ++cost.second;
    }
    isFewest += choice.isFewest;
    EXPECT_GE(cost, fewest) << "seed " << seed;
    if (choice.isFewest)
      EXPECT_EQ(cost, fewest) << "seed " << seed;
  }
  EXPECT_EQ(isFewest, Count);
}

// Too many to go through: what is found is enough, and nothing is said of fewer.
TEST(GapChoiceTest, LongSearchEndsWithoutAProof) {
  std::mt19937 random(7);
  std::vector<double> runs(60, 1);
  std::vector<std::vector<unsigned>> sets(120);
  for (std::vector<unsigned> &set : sets)
    for (int member = 0; member != 4; ++member)
      set.push_back(random() % 60);
  GapChoice choice = Choice().of(runs, sets);
  EXPECT_FALSE(choice.isFewest);
  for (const std::vector<unsigned> &set : sets)
    EXPECT_TRUE(std::any_of(set.begin(), set.end(), [&](unsigned gap) {
      return std::find(choice.gaps.begin(), choice.gaps.end(), gap) != choice.gaps.end();
    }));
}

} // namespace
