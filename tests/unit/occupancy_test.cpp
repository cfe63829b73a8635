// Run alone: unit_tests --gtest_filter='Occupancy*'
#include "core/target/register_limit.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

const Target &target(llvm::StringRef name) { return *llvm::cantFail(findTarget(name)); }

std::vector<int64_t> firstSteps(llvm::StringRef name, int64_t staticBytes, size_t count) {
  std::vector<int64_t> bytes;
  for (const OccupancyStep &step : occupancySteps(target(name), staticBytes, 0))
    if (bytes.size() < count)
      bytes.push_back(step.dynamicBytes);
  return bytes;
}

// The figures are what cuda_occupancy.h of CUDA 13.0 computes.
TEST(Occupancy, StepsOfEachTarget) {
  EXPECT_EQ(firstSteps("sm_80", 0, 5), (std::vector<int64_t>{166912, 82944, 54912, 40960, 32512}));
  EXPECT_EQ(firstSteps("sm_89", 0, 4), (std::vector<int64_t>{101376, 50176, 33024, 24576}));
  EXPECT_EQ(firstSteps("sm_90a", 0, 4), (std::vector<int64_t>{232448, 115712, 76800, 57344}));
}

TEST(Occupancy, StaticBytesCountWithTheDynamicOnes) {
  EXPECT_EQ(firstSteps("sm_80", 1000, 2), (std::vector<int64_t>{165912, 81944}));
  EXPECT_TRUE(firstSteps("sm_80", 200000, 2).empty());
}

TEST(Occupancy, BlocksChangeExactlyAtTheStep) {
  const Target &sm80 = target("sm_80");
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 82944}), 2);
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 82945}), 1);
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 166912}), 1);
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 166913}), 0);
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 82944, .staticBytes = 1}), 1);
}

TEST(Occupancy, ThreadsAndBlockSlotsLimitToo) {
  const Target &sm80 = target("sm_80");
  EXPECT_EQ(blocksPerSm(sm80, {.threads = 1024}), 2);
  EXPECT_EQ(blocksPerSm(sm80, {.threads = 128}), 16);
  EXPECT_EQ(blocksPerSm(sm80, {}), 32);
  EXPECT_EQ(blocksPerSm(target("sm_89"), {}), 24);
  EXPECT_EQ(blocksPerSmByThreads(sm80, 4096), 0);
}

// The figures are what cuda_occupancy.h of CUDA 13.0 computes.
TEST(Occupancy, RegistersLimitWhereTheyAreKnown) {
  const Target &sm80 = target("sm_80");
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 16384, .threads = 128, .registersOfThread = 212}),
            2);
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 16384, .threads = 128}), 9);
  EXPECT_EQ(blocksPerSm(sm80, {.dynamicBytes = 82944, .threads = 128, .registersOfThread = 70}), 2);
  EXPECT_EQ(occupancySteps(sm80, {.threads = 128, .registersOfThread = 212}).size(), 2U);
  EXPECT_EQ(blocksPerSmWithoutShared(sm80, {.threads = 128, .registersOfThread = 70}), 7);
  EXPECT_EQ(blocksPerSmWithoutShared(sm80, {.registersOfThread = 70}), 32);
  EXPECT_EQ(occupancyOf(sm80, {.dynamicBytes = 16384, .threads = 128}, 212).blocks, 2);
  EXPECT_EQ(occupancyOf(sm80, {.dynamicBytes = 16384, .threads = 128}, 0).blocks, 9);
  EXPECT_EQ(blocksPerSmByRegisters(128, 96), 5);
  EXPECT_EQ(blocksPerSmByRegisters(128, 70), 7);
  // 65,536 registers hold 18.2 such warps, but a file of 16,384 only 4.
  EXPECT_EQ(blocksPerSmByRegisters(32, 105), 16);
  EXPECT_EQ(blocksPerSmByRegisters(288, 105), 1);
  EXPECT_EQ(blocksPerSmByRegisters(1024, 65), 0);
  EXPECT_EQ(blocksPerSmByRegisters(32, 256), 0);
}

TEST(Occupancy, SaysWhatAllowsNoMore) {
  auto limits = [](const BlockDemand &demand, int64_t registers) {
    std::string text;
    for (OccupancyLimit limit : occupancyOf(target("sm_80"), demand, registers).limits)
      text += (text.empty() ? "" : " ") + toString(limit).str();
    return text;
  };
  EXPECT_EQ(limits({.dynamicBytes = 16384, .threads = 128}, 212), "registers");
  EXPECT_EQ(limits({.dynamicBytes = 82944, .threads = 128}, 212), "shared-memory registers");
  EXPECT_EQ(limits({.dynamicBytes = 16384, .threads = 128}, 0), "shared-memory");
  EXPECT_EQ(limits({.threads = 1024}, 0), "threads");
  EXPECT_EQ(limits({.threads = 64}, 0), "blocks threads");
  EXPECT_EQ(limits({}, 0), "blocks");
  EXPECT_EQ(limits({.dynamicBytes = 200000}, 0), "shared-memory");
}

} // namespace
