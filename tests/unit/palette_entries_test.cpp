// Run alone: unit_tests --gtest_filter='PaletteEntries*'
#include "viewer/shell/palette_entries.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

class PaletteEntriesTest : public testing::Test {
protected:
  PaletteEntriesTest() {
    auto buffers = std::make_shared<std::vector<BufferRecord>>();
    BufferRecord &buffer = buffers->emplace_back();
    buffer.name = "A_shared";
    buffer.key = {"matmul", "A_shared", 0, ""};
    trace.snapshots.emplace_back().buffers = buffers;
    trace.passes.emplace_back().name = "elaborate";
    trace.passes.emplace_back().name = "inject-pipeline";
  }

  std::vector<std::string> titles(llvm::StringRef typed) {
    std::vector<std::string> result;
    for (const PaletteEntry &entry : offeredEntries(document, {}, typed))
      result.push_back(entry.group + ": " + entry.title);
    return result;
  }

  Trace trace;
  Document document;
};

TEST_F(PaletteEntriesTest, PassesPanelsAndBuffersAreFound) {
  EXPECT_TRUE(titles("inject").empty());
  document.trace = &trace;
  EXPECT_EQ(titles("inject"), std::vector<std::string>{"Pass: inject-pipeline"});
  EXPECT_EQ(titles("panel aren"), std::vector<std::string>{"Panel: Arena"});
  EXPECT_EQ(titles("a_sh"), std::vector<std::string>{"Buffer: A_shared"});
  EXPECT_EQ(titles("").size(), allCommands().size());
}

TEST_F(PaletteEntriesTest, SlotsOfABufferAreFound) {
  document.trace = &trace;
  auto buffers = std::make_shared<std::vector<BufferRecord>>(*trace.snapshots[0].buffers);
  buffers->front().versions = 2;
  trace.snapshots[0].buffers = buffers;
  EXPECT_EQ(titles("a_shared"), (std::vector<std::string>{"Buffer: A_shared", "Slot: A_shared[0]",
                                                          "Slot: A_shared[1]"}));
  EXPECT_EQ(allPaletteEntries(document, {}).back().version, 1);
}

TEST_F(PaletteEntriesTest, ArgumentsOfALiveKernelAreFound) {
  trace.header.parameters = {{.name = "stages", .type = "int", .value = "2", .defaultValue = "3"}};
  document.trace = &trace;
  EXPECT_TRUE(titles("stages=1").empty()); // it is not live
  document.isLive = true;
  EXPECT_EQ(titles("stages=1"), std::vector<std::string>{"Argument: stages=1"});
  EXPECT_EQ(titles("stages=7"), std::vector<std::string>{"Argument: stages=7"});
  EXPECT_TRUE(titles("stage=7").empty());
}

TEST_F(PaletteEntriesTest, WhatWasTriedIsFoundByItsOutcome) {
  document.trace = &trace;
  document.isLive = true;
  auto trials = std::make_shared<PeakTrials>();
  trials->changes.push_back({.arguments = {{"stages", "1"}}, .peakBytes = 1024, .blocksPerSm = 4});
  trials->changes.push_back({.arguments = {{"stages", "2"}}, .peakBytes = 2048, .blocksPerSm = 2});
  trials->edits.push_back({.what = "num_stages=1 in line 4", .peakBytes = 1024});
  document.trials = trials;
  EXPECT_EQ(titles("2 blocks").front(), "Argument: stages=2");
  EXPECT_EQ(titles("edit num_stages=1"),
            std::vector<std::string>{"Edit of the IR: num_stages=1 in line 4"});
}

TEST_F(PaletteEntriesTest, WhatCannotBeDoneIsMarked) {
  auto isPossible = [&](llvm::StringRef typed) {
    return matchingEntries(allPaletteEntries(document, {}), typed).front().isPossible;
  };
  EXPECT_FALSE(isPossible("stop comparing"));
  EXPECT_FALSE(isPossible("next pass"));
  EXPECT_TRUE(isPossible("quit"));
  document.trace = &trace;
  EXPECT_TRUE(isPossible("next pass"));
  EXPECT_FALSE(isPossible("drop all edits"));
  document.other = &trace;
  EXPECT_TRUE(isPossible("stop comparing"));
}

} // namespace
