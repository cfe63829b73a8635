// Who wrote the bytes of a block last, over the steps of its run.
// Run alone: unit_tests --gtest_filter='StepBoxesTest.*'
#include "core/views/step_boxes.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope {
namespace {

using Kind = StepTouch::Kind;
using Texts = std::vector<std::string>;

BlockSteps blockOf(std::vector<StepTouch> touches, std::vector<std::vector<int64_t>> steps) {
  BlockSteps block;
  block.bytes = 64;
  block.statements.resize(1);
  block.touches = std::move(touches);
  block.steps = std::move(steps);
  for (std::vector<int64_t> &step : block.steps)
    step.insert(step.begin(), 0); // the statement
  return block;
}

// "[0, 8) steps [0, 2) by 0", a copy in flight with "~".
Texts textsOf(const BlockSteps &block) {
  Texts texts;
  for (const StepBox &box : stepBoxesOf(block))
    texts.push_back(llvm::formatv("[{0}, {1}) steps [{2}, {3}) by {4}{5}", box.begin, box.end,
                                  box.from, box.until, box.writer, box.isInFlight ? "~" : ""));
  return texts;
}

TEST(StepBoxesTest, AWriteEndsWhatItWritesOver) {
  BlockSteps block = blockOf(
      {{Kind::Write, BufferId(1), 0, {0, 8}}, {Kind::Write, BufferId(2), 0, {2, 4}}}, {{0}, {1}});
  EXPECT_EQ(textsOf(block), (Texts{"[0, 8) steps [0, 1) by 0", "[0, 2) steps [1, 2) by 0",
                                   "[2, 4) steps [1, 2) by 1", "[4, 8) steps [1, 2) by 0"}));
}

TEST(StepBoxesTest, ReadsLeaveEverythingAsItIs) {
  BlockSteps block =
      blockOf({{Kind::Write, BufferId(1), 0, {0, 8}}, {Kind::Read, BufferId(1), 0, {0, 4}}},
              {{0}, {1}, {1}});
  EXPECT_EQ(textsOf(block), Texts{"[0, 8) steps [0, 3) by 0"});
}

TEST(StepBoxesTest, ACopyIsInFlightUntilItIsWaitedFor) {
  BlockSteps block = blockOf(
      {{Kind::Copy, BufferId(1), 0, {0, 8, 16, 24}}, {Kind::Arrival, BufferId(1), 0, {0, 24}}},
      {{0}, {}, {1}});
  EXPECT_EQ(textsOf(block), (Texts{"[0, 8) steps [0, 2) by 0~", "[16, 24) steps [0, 2) by 0~",
                                   "[0, 8) steps [2, 3) by 0", "[16, 24) steps [2, 3) by 0"}));
}

TEST(StepBoxesTest, WhatArrivesTwiceArrivesOnce) {
  BlockSteps block =
      blockOf({{Kind::Copy, BufferId(1), 0, {0, 8}}, {Kind::Arrival, BufferId(1), 0, {0, 8}}},
              {{0}, {1}, {1}});
  EXPECT_EQ(textsOf(block), (Texts{"[0, 8) steps [0, 1) by 0~", "[0, 8) steps [1, 3) by 0"}));
}

// By byte and step, straight from what the steps say.
struct Held {
  int64_t writer = -1;
  bool isInFlight = false;

  friend bool operator==(const Held &, const Held &) = default;
};

void take(const StepTouch &touch, int64_t step, Held &held) {
  if (touch.kind == Kind::Arrival)
    held.isInFlight = false;
  else if (touch.kind != Kind::Read)
    held = {step, touch.kind == Kind::Copy};
}

std::vector<std::vector<Held>> heldAfterEach(const BlockSteps &block) {
  std::vector<Held> bytes(static_cast<size_t>(block.bytes));
  std::vector<std::vector<Held>> result;
  for (size_t step = 0; step != block.steps.size(); ++step) {
    for (int64_t index : block.touchesOf(step)) {
      const StepTouch &touch = block.touches[static_cast<size_t>(index)];
      for (size_t at = 0; at != touch.bytes.size(); at += 2)
        for (int64_t byte = touch.bytes[at]; byte != touch.bytes[at + 1]; ++byte)
          take(touch, static_cast<int64_t>(step), bytes[static_cast<size_t>(byte)]);
    }
    result.push_back(bytes);
  }
  return result;
}

// No two boxes hold a byte in one step.
std::vector<std::vector<Held>> heldByBoxes(const BlockSteps &block) {
  std::vector<std::vector<Held>> result(block.steps.size(),
                                        std::vector<Held>(static_cast<size_t>(block.bytes)));
  for (const StepBox &box : stepBoxesOf(block))
    for (size_t step = box.from; step != box.until; ++step)
      for (int64_t byte = box.begin; byte != box.end; ++byte) {
        Held &held = result[step][static_cast<size_t>(byte)];
        EXPECT_EQ(held, Held()) << "byte " << byte << " in step " << step;
        held = {static_cast<int64_t>(box.writer), box.isInFlight};
      }
  return result;
}

StepTouch randomTouch(std::mt19937 &random) {
  auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  StepTouch touch{static_cast<Kind>(below(4)), BufferId(static_cast<uint32_t>(below(3))), 0, {}};
  for (int64_t at = below(20); at < 60; at += 1 + below(20)) {
    touch.bytes.push_back(at);
    at += 1 + below(4);
    touch.bytes.push_back(at);
  }
  return touch;
}

TEST(StepBoxesTest, RandomStepsAreByteByByte) {
  std::mt19937 random(1);
  for (int round = 0; round != 200; ++round) {
    std::vector<StepTouch> touches;
    for (int touch = 0; touch != 6; ++touch)
      touches.push_back(randomTouch(random));
    std::vector<std::vector<int64_t>> steps(8);
    for (std::vector<int64_t> &step : steps)
      for (uint32_t count = random() % 3; count != 0; --count)
        step.push_back(static_cast<int64_t>(random() % 6));
    BlockSteps block = blockOf(touches, steps);
    EXPECT_EQ(heldByBoxes(block), heldAfterEach(block)) << "round " << round;
  }
}

} // namespace
} // namespace tilescope
