// Loops of unknown length whose copies mbarriers count: what is said of all lengths is held against
// each of many lengths, for programs as they should be and with faults planted in them.
#include "core/access/loop_lengths.h"

#include "core/check/step_hazards.h"
#include "tests/unit/access_programs.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

// Tiles that one thread copies `slots - 1` iterations ahead, and wgmma reads; then O has their
// bytes.
struct Pipeline {
  int64_t slots = 3;
  std::optional<int64_t> trips = std::nullopt;
  int64_t pending = 1;  // of wgmma, in the loop
  int64_t atEnd = 0;    // of wgmma, behind it
  int64_t phase = 0;    // of the wait in iteration 0
  int64_t ahead = 0;    // added to the slot that is copied to
  int64_t distance = 0; // added to that of the guard
  int64_t bytes = 64;   // expected
  bool waits = true;
  bool meets = true;
  bool isOneThread = true;
};

uint32_t load(ProgramBuilder &b, const Pipeline &shape, Slot slot, const MbarrierRef &full) {
  auto by = [&](uint32_t node) { return shape.isOneThread ? b.oneThread(node) : node; };
  Access copy = counted(write(b.program.buffers[0].id, slot), full, 64);
  copy.isOfAsyncProxy = true;
  return b.seq({by(b.expect(full, shape.bytes)), by(b.arrive(full)), by(b.leaf({copy}))});
}

AccessProgram pipeline(const Pipeline &shape) {
  ProgramBuilder b;
  int64_t slots = shape.slots, ahead = slots - 1;
  BufferId k = b.buffer("K", slots), o = b.buffer("O");
  b.program.threads = 64;
  for (int64_t slot = 0; slot != slots; ++slot)
    b.mbarrier(1);
  StmtId loop = b.stmt();
  std::vector<uint32_t> all;
  for (int64_t slot = 0; slot != ahead; ++slot) {
    uint32_t copy = load(b, shape, at(slot), {static_cast<uint32_t>(slot)});
    if (!shape.trips)
      all.push_back(b.guarded(loop, slot, copy));
    else if (slot < *shape.trips)
      all.push_back(copy);
  }
  std::vector<uint32_t> body;
  if (shape.waits)
    body.push_back(b.waitPhase(ringOf(0, slots, loop), phaseOf(loop, slots, shape.phase)));
  Access operand = async(read(k, inLoop(loop, 0, slots)), 1);
  operand.isOfAsyncProxy = true;
  operand.full = true;
  body.insert(body.end(), {b.leaf({operand}), b.commit(1), b.wait(shape.pending, 1)});
  if (shape.meets)
    body.push_back(b.barrier());
  body.push_back(b.guarded(
      loop, ahead + shape.distance,
      load(b, shape, inLoop(loop, ahead + shape.ahead, slots), ringOf(0, slots, loop, ahead))));
  all.push_back(b.loop(loop, shape.trips.value_or(0), shape.trips, body));
  all.insert(all.end(), {b.wait(shape.atEnd, 1), b.barrier(), b.leaf({write(o)})});
  return b.finish(all);
}

std::vector<BufferBytes> bytesOf(const AccessProgram &program) {
  int64_t slots = program.buffers[0].versions;
  return {{program.buffers[0].id, 0, 64, 64}, {program.buffers[1].id, 0, 64 * slots, 64 * slots}};
}

bool isFreeForAll(const Pipeline &shape) {
  AccessProgram program = pipeline(shape);
  std::vector<OfLength> lengths = followLengths(program);
  return !lengths.empty() && judgeLengths(lengths, bytesOf(program)).isFree();
}

bool isFreeFor(Pipeline shape, int64_t trips) {
  shape.trips = trips;
  AccessProgram program = pipeline(shape);
  return judgeSteps(program, bytesOf(program), followSteps(program)).isFree();
}

TEST(LoopLengths, ShowsForAllWhatHoldsForEach) {
  for (int64_t slots : {2, 3, 4, 5}) {
    Pipeline shape{.slots = slots};
    EXPECT_TRUE(isFreeForAll(shape)) << slots;
    EXPECT_TRUE(computeHappensBefore(pipeline(shape)).gaps.empty());
    EXPECT_TRUE(checkArena(pipeline(shape), bytesOf(pipeline(shape))).empty());
    for (int64_t trips = 0; trips != 80; ++trips)
      EXPECT_TRUE(isFreeFor(shape, trips)) << slots << " slots, " << trips << " trips";
  }
}

TEST(LoopLengths, FindsWhatSomeLengthLacks) {
  const Pipeline faults[] = {{.pending = 2},  {.atEnd = 1},          {.phase = 3},
                             {.ahead = 1},    {.ahead = 2},          {.distance = 1},
                             {.bytes = 48},   {.waits = false},      {.meets = false},
                             {.distance = 4}, {.isOneThread = false}};
  for (Pipeline fault : faults)
    for (int64_t slots : {3, 4}) {
      fault.slots = slots;
      fault.phase = fault.phase != 0 ? slots : 0;
      bool isFault = false;
      for (int64_t trips = 0; trips != 40; ++trips)
        isFault |= !isFreeFor(fault, trips);
      EXPECT_TRUE(isFault);
      EXPECT_FALSE(isFreeForAll(fault)) << &fault - faults << ", " << slots << " slots";
    }
}

// No longer than the loop may be.
TEST(LoopLengths, FollowsAFewLengthsOneByOne) {
  AccessProgram program = pipeline({});
  for (AccessNode &node : program.nodes)
    if (node.kind == AccessNode::Kind::Loop)
      node.maxTrips = 3;
  std::vector<OfLength> lengths = followLengths(program);
  ASSERT_EQ(lengths.size(), 4U);
  EXPECT_TRUE(judgeLengths(lengths, bytesOf(program)).isFree());
}

TEST(LoopLengths, LeavesAloneWhatItDoesNotKnow) {
  auto isFollowed = [](auto change) {
    AccessProgram program = pipeline({});
    change(program);
    return !followLengths(program).empty();
  };
  auto loopOf = [](AccessProgram &program) -> AccessNode & {
    return *llvm::find_if(
        program.nodes, [](const AccessNode &node) { return node.kind == AccessNode::Kind::Loop; });
  };
  EXPECT_TRUE(isFollowed([](AccessProgram &) {}));
  EXPECT_TRUE(isFollowed([&](AccessProgram &program) { loopOf(program).maxTrips = 100; }));
  EXPECT_FALSE(isFollowed([&](AccessProgram &program) { loopOf(program).isDivergent = true; }));
  EXPECT_FALSE(isFollowed([](AccessProgram &program) { program.mbarriers[0].arrivals = 2; }));
  EXPECT_FALSE(isFollowed([](AccessProgram &program) {
    for (AccessNode &node : program.nodes)
      if (node.kind == AccessNode::Kind::WaitPhase)
        node.parity.divisor = 40;
  }));
  EXPECT_FALSE(isFollowed([](AccessProgram &program) {
    for (AccessNode &node : program.nodes)
      node.guardLoop = StmtId();
  }));
  // Within another loop, and twice.
  EXPECT_FALSE(isFollowed([](AccessProgram &program) {
    AccessNode outer;
    outer.kind = AccessNode::Kind::Loop;
    outer.stmt = StmtId(1000);
    outer.children = {program.root};
    program.root = program.add(outer);
  }));
  EXPECT_FALSE(isFollowed([](AccessProgram &program) {
    AccessNode both;
    both.children = {program.root, program.root};
    program.root = program.add(both);
  }));
}

} // namespace
} // namespace tilescope::test
