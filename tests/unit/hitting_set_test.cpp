// Run alone: unit_tests --gtest_filter='HittingSet*'
#include "core/plan/hitting_set.h"

#include "gtest/gtest.h"

#include <random>

using namespace tilescope;

namespace {

struct Problem {
  HittingSet solve(const std::vector<double> &weights,
                   const std::vector<std::vector<unsigned>> &sets) {
    std::vector<llvm::BitVector> bits;
    for (const std::vector<unsigned> &set : sets) {
      bits.emplace_back(static_cast<unsigned>(weights.size()));
      for (unsigned element : set)
        bits.back().set(element);
    }
    std::vector<const llvm::BitVector *> pointers;
    pointers.reserve(bits.size());
    for (const llvm::BitVector &set : bits)
      pointers.push_back(&set);
    return findHittingSet(weights, pointers);
  }
};

TEST(HittingSetTest, NoSetsTakeNoElements) {
  HittingSet found = Problem().solve({1, 1}, {});
  EXPECT_TRUE(found.elements.empty());
  EXPECT_TRUE(found.isLeast);
}

TEST(HittingSetTest, OfEqualElementsTheLastIsTaken) {
  EXPECT_EQ(Problem().solve({1, 1, 1}, {{0, 1, 2}}).elements, std::vector<unsigned>{2});
  EXPECT_EQ(Problem().solve({1, 1, 1, 1}, {{0, 1, 2}, {1, 2, 3}}).elements,
            std::vector<unsigned>{2});
}

TEST(HittingSetTest, HeavyElementIsAvoided) {
  EXPECT_EQ(Problem().solve({16, 1, 1}, {{0, 1}, {0, 2}}).elements, (std::vector<unsigned>{1, 2}));
}

// Element 2 is in most sets, and then takes two others besides; 0 and 1 are enough.
TEST(HittingSetTest, WhatHitsMostIsNotAlwaysTaken) {
  HittingSet found = Problem().solve({1, 1, 1}, {{0}, {0, 2}, {1}, {1, 2}, {0, 2}, {1, 2}});
  EXPECT_EQ(found.elements, (std::vector<unsigned>{0, 1}));
  found = Problem().solve({1, 1, 1, 1, 1},
                          {{0, 2}, {0, 2}, {0, 3}, {1, 2}, {1, 2}, {1, 4}, {0, 2, 3}, {1, 2, 4}});
  EXPECT_EQ(found.elements, (std::vector<unsigned>{0, 1}));
  EXPECT_TRUE(found.isLeast);
}

TEST(HittingSetTest, RandomSetsGetTheLeastOfAll) {
  int isLeast = 0;
  constexpr int Count = 600;
  for (unsigned seed = 0; seed != Count; ++seed) {
    std::mt19937 random(seed);
    std::vector<double> weights(2 + random() % 8);
    for (double &weight : weights)
      weight = static_cast<double>(1 + random() % 3);
    std::vector<std::vector<unsigned>> sets(1 + random() % 10);
    for (std::vector<unsigned> &set : sets)
      for (unsigned element = 0; element != weights.size(); ++element)
        if (random() % 3 == 0 || (set.empty() && element + 1 == weights.size()))
          set.push_back(element);
    HittingSet found = Problem().solve(weights, sets);
    std::pair<double, int> least(1e9, 0);
    for (unsigned chosen = 0; chosen != 1U << weights.size(); ++chosen) {
      bool isEnough = true;
      for (const std::vector<unsigned> &set : sets) {
        bool isHit = false;
        for (unsigned element : set)
          isHit |= (chosen >> element & 1) != 0;
        isEnough &= isHit;
      }
      std::pair<double, int> cost;
      for (unsigned element = 0; element != weights.size(); ++element)
        if (chosen >> element & 1) {
          cost.first += weights[element];
          ++cost.second;
        }
      if (isEnough)
        least = std::min(least, cost);
    }
    std::pair<double, int> cost;
    for (unsigned element : found.elements) {
      cost.first += weights[element];
      ++cost.second;
    }
    isLeast += found.isLeast;
    EXPECT_GE(cost, least) << "seed " << seed;
    if (found.isLeast)
      EXPECT_EQ(cost, least) << "seed " << seed;
  }
  EXPECT_EQ(isLeast, Count);
}

// Too many to go through: what is found is enough, and nothing is proven.
TEST(HittingSetTest, LongSearchEndsWithoutAProof) {
  std::mt19937 random(7);
  std::vector<double> weights(60, 1);
  std::vector<std::vector<unsigned>> sets(120);
  for (std::vector<unsigned> &set : sets)
    for (int member = 0; member != 4; ++member)
      set.push_back(random() % 60);
  HittingSet found = Problem().solve(weights, sets);
  EXPECT_FALSE(found.isLeast);
  for (const std::vector<unsigned> &set : sets)
    EXPECT_TRUE(std::any_of(set.begin(), set.end(), [&](unsigned element) {
      return std::find(found.elements.begin(), found.elements.end(), element) !=
             found.elements.end();
    }));
}

} // namespace
