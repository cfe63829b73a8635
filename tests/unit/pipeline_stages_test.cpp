// Run alone: unit_tests --gtest_filter='PipelineStages*'
#include "access_programs.h"

#include "core/stages/pipeline_stages.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

// A tile of two slots, copied one iteration ahead.
struct DoubleBuffered {
  ProgramBuilder builder;
  BufferId tile = builder.buffer("tile", 2);
  StmtId loop = builder.stmt();
  PipelineRecord record;

  explicit DoubleBuffered(std::optional<int64_t> trips, Slot readSlot) {
    uint32_t first = builder.leaf({async(write(tile, at(0)))});
    uint32_t firstCommit = builder.commit();
    uint32_t wait = builder.wait(0);
    uint32_t copy =
        builder.guarded(loop, 1, builder.leaf({async(write(tile, inLoop(loop, 1, 2)))}));
    uint32_t commit = builder.commit();
    uint32_t use = builder.leaf({read(tile, readSlot)});
    uint32_t body = builder.loop(loop, trips.value_or(0), trips, {wait, copy, commit, use});
    builder.program.root = builder.seq({first, firstCommit, body});
    record.loop = loop;
    record.numStages = 2;
    record.versions = {{tile, 2}};
  }

  PipelineStages stages() const {
    TraceSnapshot snapshot;
    AccessRecord accesses{"kernel", builder.program, {}};
    snapshot.accesses = std::make_shared<std::vector<AccessRecord>>(1, accesses);
    snapshot.pipelines = std::make_shared<std::vector<PipelineRecord>>(1, record);
    return pipelineStagesOf(snapshot).front();
  }
};

std::vector<std::string> stepsOf(const PipelineStages &stages) {
  std::vector<std::string> names;
  names.reserve(stages.steps.size());
  for (const StageStep &step : stages.steps)
    names.push_back(step.kind == StageStep::Kind::Prologue  ? "prologue"
                    : step.kind == StageStep::Kind::LeftOut ? "..."
                                                            : toText(step.iteration));
  return names;
}

using Names = std::vector<std::string>;

TEST(PipelineStages, ReadsPointAtTheCopyOfTheirTile) {
  StmtId loop(0);
  PipelineStages stages = DoubleBuffered(4, inLoop(loop, 0, 2)).stages();
  EXPECT_EQ(stages.refusal, "");
  EXPECT_EQ(stepsOf(stages), (Names{"prologue", "0", "1", "2", "3"}));
  int64_t iteration = 0;
  for (const StageEvent &event : stages.events) {
    if (event.access != StageAccess::Read)
      continue;
    ASSERT_NE(event.producer, StageEvent::None);
    const StageEvent &fill = stages.events[event.producer];
    EXPECT_EQ(event.tile.value, iteration);
    EXPECT_EQ(fill.tile.value, iteration);
    EXPECT_EQ(fill.group.value, iteration);
    EXPECT_EQ(fill.row, event.row);
    EXPECT_EQ(fill.step + 1, event.step);
    ++iteration;
  }
  EXPECT_EQ(iteration, 4);
}

TEST(PipelineStages, TilesAreReadyAfterTheirWait) {
  PipelineStages stages = DoubleBuffered(4, inLoop(StmtId(0), 0, 2)).stages();
  ASSERT_EQ(stages.occupancies.size(), 4u);
  for (const SlotOccupancy &occupancy : stages.occupancies) {
    EXPECT_LT(occupancy.begin, occupancy.ready);
    EXPECT_LT(occupancy.ready, occupancy.end);
  }
  // The group of the last iteration is empty: nothing is left to copy.
  EXPECT_TRUE(stages.syncs.back().groups.empty());
}

TEST(PipelineStages, MiddleIterationsAreLeftOut) {
  PipelineStages stages = DoubleBuffered(1001, inLoop(StmtId(0), 0, 2)).stages();
  EXPECT_EQ(stepsOf(stages), (Names{"prologue", "0", "1", "2", "...", "999", "1000"}));
  const StageEvent &last = stages.events.back();
  EXPECT_EQ(last.tile.value, 1000);
  EXPECT_EQ(stages.rows[last.row].slot, 1000 % 2);
  EXPECT_EQ(stages.events[last.producer].group.value, 1000);
}

TEST(PipelineStages, UnknownTripsCountFromTheEnd) {
  PipelineStages stages = DoubleBuffered(std::nullopt, inLoop(StmtId(0), 0, 2)).stages();
  EXPECT_EQ(stepsOf(stages), (Names{"prologue", "0", "1", "2", "...", "n-2", "n-1"}));
  EXPECT_EQ(toText(stages.events.back().tile), "n-1");
}

TEST(PipelineStages, SlotsOfTheRunAreLeftOut) {
  PipelineStages stages = DoubleBuffered(4, anySlot()).stages();
  EXPECT_TRUE(stages.hasHidden);
  for (const StageEvent &event : stages.events)
    EXPECT_NE(event.access, StageAccess::Read);
}

// A trace is untrusted.
TEST(PipelineStages, SenselessFiguresAreRefused) {
  DoubleBuffered kernel(4, inLoop(StmtId(0), INT64_MAX, 2));
  kernel.record.versions = {{kernel.tile, INT64_MAX}};
  EXPECT_NE(kernel.stages().refusal, "");
  kernel.record.versions = {{kernel.tile, 2}};
  kernel.record.schedule = {{StmtId(3), INT64_MIN, INT64_MAX, INT64_MAX},
                            {StmtId(4), 0, INT64_MIN}};
  EXPECT_NE(kernel.stages().refusal, "");
  kernel.record.schedule.clear();
  for (AccessNode &node : kernel.builder.program.nodes)
    if (node.guardLoop.isValid())
      node.guardDistance = INT64_MAX;
  EXPECT_NE(kernel.stages().refusal, "");
}

// As many loops as a trace may have, each of which could be shown alone, and rows by the thousand.
TEST(PipelineStages, LoopsTogetherAreNotUnrolledWithoutEnd) {
  DoubleBuffered kernel(4, inLoop(StmtId(0), 0, 2));
  std::vector<Access> reads(3000, read(kernel.tile, at(0)));
  AccessProgram &program = kernel.builder.program;
  for (AccessNode &node : program.nodes)
    if (node.kind == AccessNode::Kind::Leaf)
      node.accesses.insert(node.accesses.end(), reads.begin(), reads.end());
  TraceSnapshot snapshot;
  snapshot.accesses =
      std::make_shared<std::vector<AccessRecord>>(1, AccessRecord{"kernel", program, {}});
  snapshot.pipelines = std::make_shared<std::vector<PipelineRecord>>(256, kernel.record);
  std::vector<PipelineStages> all = pipelineStagesOf(snapshot);
  EXPECT_EQ(all.front().refusal, "");
  EXPECT_EQ(all.back().refusal, "the loop is too large to be unrolled");
  size_t events = 0;
  for (const PipelineStages &stages : all)
    events += stages.events.size();
  EXPECT_LT(events, 300'000U);
}

TEST(PipelineStages, TooManySlotsAreRefused) {
  DoubleBuffered kernel(4, inLoop(StmtId(0), 0, 2));
  for (uint32_t id = 100; id != 200; ++id)
    kernel.record.versions.emplace_back(BufferId(id), 64);
  PipelineStages stages = kernel.stages();
  EXPECT_EQ(stages.refusal, "the loop is too large to be unrolled");
  EXPECT_TRUE(stages.rows.empty());
}

} // namespace
} // namespace tilescope::test
