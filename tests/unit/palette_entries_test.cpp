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
    for (const PaletteEntry &entry : matchingEntries(allPaletteEntries(document, {}), typed))
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
