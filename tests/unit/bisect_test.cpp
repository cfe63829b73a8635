// Run alone: unit_tests --gtest_filter='Bisect*'
#include "core/driver/bisect.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

// "ggsb": the verdict about each. What is asked is counted.
struct Verdicts {
  std::string text;
  std::vector<size_t> asked;

  std::string outcome() {
    llvm::Expected<BisectOutcome> outcome =
        bisect(text.size(), [&](size_t index) -> llvm::Expected<BisectVerdict> {
          asked.push_back(index);
          if (text[index] == 'e')
            return llvm::createStringError("broken");
          return text[index] == 'g'   ? BisectVerdict::Good
                 : text[index] == 'b' ? BisectVerdict::Bad
                                      : BisectVerdict::Skip;
        });
    if (!outcome)
      return llvm::toString(outcome.takeError());
    if (outcome->kind != BisectOutcome::Kind::Found)
      return outcome->kind == BisectOutcome::Kind::NeverFails ? "never" : "always";
    std::string found = std::to_string(outcome->first);
    for (size_t index : outcome->skipped)
      found += " " + std::to_string(index);
    return found;
  }
};

std::string outcomeOf(std::string text) { return Verdicts{std::move(text), {}}.outcome(); }

TEST(BisectTest, FindsTheFirstThatFails) {
  for (size_t size = 2; size != 12; ++size)
    for (size_t first = 1; first != size; ++first) {
      Verdicts verdicts{std::string(first, 'g') + std::string(size - first, 'b'), {}};
      EXPECT_EQ(verdicts.outcome(), std::to_string(first));
      llvm::sort(verdicts.asked);
      EXPECT_EQ(llvm::unique(verdicts.asked), verdicts.asked.end()); // each at most once
    }
}

TEST(BisectTest, AsksFewOfMany) {
  Verdicts verdicts{std::string(700, 'g') + std::string(324, 'b'), {}};
  EXPECT_EQ(verdicts.outcome(), "700");
  EXPECT_LE(verdicts.asked.size(), 12U);
}

TEST(BisectTest, EndsMustDiffer) {
  EXPECT_EQ(outcomeOf("gggg"), "never");
  EXPECT_EQ(outcomeOf("bgbb"), "always");
  EXPECT_EQ(outcomeOf("sb"), "the first compile was skipped, so nothing is known to be good");
  EXPECT_EQ(outcomeOf("gs"), "the last compile was skipped, so nothing is known to be bad");
  EXPECT_EQ(outcomeOf("geb"), "broken");
}

TEST(BisectTest, WhatIsSkippedMayBeTheCause) {
  EXPECT_EQ(outcomeOf("gsb"), "2 1");
  EXPECT_EQ(outcomeOf("gsssb"), "4 1 2 3");
  EXPECT_EQ(outcomeOf("gssgsbsb"), "5 4");
  EXPECT_EQ(outcomeOf("ggssgbssb"), "5");
}

CompileRequest requestOf(std::string passes) {
  CompileRequest request;
  request.passes = std::move(passes);
  return request;
}

TEST(BisectCompilesTest, StepsAddUp) {
  CompileRequest request = requestOf("simplify,vectorize,tidy(simplify,legalize-indices)");
  EXPECT_EQ(improvingPasses(request),
            (std::vector<std::string>{"simplify", "vectorize", "simplify#2"}));
  BisectCompiles compiles =
      llvm::cantFail(BisectCompiles::make(request, {"simplify#2", "vectorize"}));
  EXPECT_EQ(compiles.steps(), (std::vector<std::string>{"vectorize", "simplify#2"}));
  EXPECT_EQ(*compiles.request(0).passes, "simplify,tidy(legalize-indices)");
  EXPECT_EQ(*compiles.request(1).passes, "simplify,vectorize,tidy(legalize-indices)");
  EXPECT_EQ(*compiles.request(2).passes, "simplify,vectorize,tidy(simplify,legalize-indices)");
}

TEST(BisectCompilesTest, OptionsComeLast) {
  CompileRequest request = requestOf("simplify,inject-pipeline,merge-shared-memory");
  request.passOptions = {{"merge-shared-memory.search-nodes", "5"},
                         {"inject-pipeline.peel-epilogue", "true"}};
  BisectCompiles compiles = llvm::cantFail(BisectCompiles::make(request, {"simplify"}));
  EXPECT_EQ(compiles.steps(),
            (std::vector<std::string>{"simplify", "merge-shared-memory.search-nodes=5",
                                      "inject-pipeline.peel-epilogue=true"}));
  EXPECT_EQ(*compiles.request(0).passes, "inject-pipeline,merge-shared-memory");
  EXPECT_EQ(*compiles.request(2).passes,
            "simplify,inject-pipeline,merge-shared-memory{search-nodes=5}");
  EXPECT_EQ(*compiles.request(3).passes,
            "simplify,inject-pipeline{peel-epilogue=true},merge-shared-memory{search-nodes=5}");
  EXPECT_TRUE(compiles.request(3).passOptions.empty());
}

TEST(BisectCompilesTest, WhatDoesNotRunIsNoStep) {
  auto faultOf = [](CompileRequest request, const std::vector<std::string> &passes) {
    auto compiles = BisectCompiles::make(std::move(request), passes);
    return compiles ? "" : llvm::toString(compiles.takeError());
  };
  EXPECT_EQ(
      faultOf(requestOf("simplify,vectorize"), {"simplify#2"}),
      "no pass 'simplify#2' runs here that could be left out; there are: simplify, vectorize");
  CompileRequest request = requestOf("simplify");
  request.passOptions = {{"vectorize.width", "4"}};
  EXPECT_NE(faultOf(request, {}), "");
  EXPECT_NE(faultOf(requestOf("no-such-pass"), {}), "");
}

} // namespace
