// Run alone: unit_tests --gtest_filter='ArenaCheck*'
#include "core/check/arena_check.h"

#include "core/access/lifetimes.h"
#include "tests/unit/access_programs.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

using Kind = ArenaFault::Kind;

BufferBytes bytes(uint32_t buffer, int64_t offset, int64_t size) {
  return {BufferId(buffer), offset, size, size};
}

// Bytes of attention with two stages: Q, then two K, then two V; the output where `output` says.
std::vector<BufferBytes> attentionBytes(int64_t output) {
  int64_t tile = AttentionTileBytes;
  return {bytes(0, 0, tile), bytes(1, tile, tile), bytes(2, 3 * tile, tile),
          bytes(3, output, tile)};
}

TEST(ArenaCheckTest, AcceptsTheOutputOverTheQueryOrOverKeys) {
  AccessProgram program = attentionForward(2);
  EXPECT_TRUE(checkArena(program, attentionBytes(0)).empty());
  EXPECT_TRUE(checkArena(program, attentionBytes(AttentionTileBytes)).empty());
}

TEST(ArenaCheckTest, KeysOverTheQueryAreClobbering) {
  AccessProgram program = attentionForward(2);
  std::vector<BufferBytes> shifted = attentionBytes(0);
  shifted[1].offsetBytes -= 16;
  std::vector<ArenaFault> faults = checkArena(program, shifted);
  ASSERT_FALSE(faults.empty());
  bool found = false;
  for (const ArenaFault &fault : faults)
    if (fault.kind == Kind::ClobberedRead && fault.victim == BufferId(0)) {
      EXPECT_EQ(fault.culprit, BufferId(1));
      EXPECT_EQ(fault.beginByte, AttentionTileBytes - 16);
      EXPECT_EQ(fault.endByte, AttentionTileBytes);
      found = true;
    }
  EXPECT_TRUE(found);
}

TEST(ArenaCheckTest, KeysAndValuesShareOnlyWithoutStages) {
  int64_t tile = AttentionTileBytes;
  std::vector<BufferBytes> shared = {bytes(0, 0, tile), bytes(1, tile, tile), bytes(2, tile, tile),
                                     bytes(3, 0, tile)};
  EXPECT_TRUE(checkArena(attentionForward(0), shared).empty());
  EXPECT_FALSE(checkArena(attentionForward(1), shared).empty());
}

TEST(ArenaCheckTest, AWaitIsOneForTheThreadsThatMakeIt) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y"), z = b.buffer("z");
  std::vector<BufferBytes> places = {bytes(0, 0, 64), bytes(1, 0, 64), bytes(2, 64, 64)};
  for (bool isByAll : {true, false}) {
    uint32_t copy = b.leaf({async(write(x))}), wait = b.wait(0);
    if (!isByAll)
      b.oneThread(wait);
    AccessProgram program =
        b.finish({copy, b.commit(), wait, b.barrier(), b.leaf({write(y)}), b.leaf({read(y)})});
    EXPECT_EQ(checkArena(program, places).empty(), isByAll);
    EXPECT_EQ(computeLifetimes(program).buffers[0].intervals.back().end, isByAll ? 3 : 6);
  }
  // Those of one lane, or of a divergent branch, do not wait for what the others have begun.
  for (bool isDivergent : {false, true}) {
    uint32_t copy = b.leaf({async(write(x))});
    uint32_t waits = b.seq({b.wait(0), b.leaf({write(y)}), b.leaf({read(y)})});
    uint32_t some = isDivergent ? b.branch({waits}) : b.roles({waits, b.leaf({write(z)})});
    b.program.nodes[some].isDivergent = isDivergent;
    AccessProgram program = b.finish({copy, b.commit(), b.barrier(), some});
    EXPECT_FALSE(checkArena(program, places).empty());
  }
}

TEST(ArenaCheckTest, TouchingBytesUnderAnotherCopyIsAFault) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  auto run = [&](bool waitsFirst, uint32_t queue = CopyQueue) {
    ProgramBuilder p = b;
    std::vector<uint32_t> all = {p.leaf({async(write(x))}), p.commit()};
    if (waitsFirst)
      all.push_back(p.wait(0, queue));
    all.push_back(p.leaf({write(y)}));
    all.push_back(p.wait(0));
    all.push_back(p.leaf({read(y)}));
    return checkArena(p.finish(all), {bytes(0, 0, 64), bytes(1, 32, 64)});
  };
  EXPECT_TRUE(run(true).empty());
  EXPECT_FALSE(run(true, 1).empty());
  std::vector<ArenaFault> faults = run(false);
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].kind, Kind::InFlightAccess);
  EXPECT_EQ(faults[0].culprit, x);
}

TEST(ArenaCheckTest, OneLoopsRecordIsNotTrusted) {
  ProgramBuilder b;
  BufferId a = b.buffer("A", 2), c = b.buffer("C");
  StmtId loop = b.stmt();
  uint32_t body = b.loop(loop, 1, std::nullopt, {b.leaf({read(a, inLoop(loop, 0, 2))})});
  b.program.nodes[body].redefinesAllSlots = {a};
  AccessProgram program =
      b.finish({b.leaf({write(a, at(0))}), b.leaf({write(a, at(1))}), b.leaf({write(c)}), body});
  EXPECT_EQ(checkArena(program, {bytes(0, 0, 64), bytes(1, 64, 64)}).size(), 1U);
  EXPECT_TRUE(checkArena(program, {bytes(0, 0, 64), bytes(1, 128, 64)}).empty());
}

TEST(ArenaCheckTest, SecondSlotIsReadOnlyIfTheLoopRunsTwice) {
  auto run = [](std::optional<int64_t> maxTrips) {
    ProgramBuilder b;
    BufferId a = b.buffer("A", 2), c = b.buffer("C");
    StmtId loop = b.stmt();
    uint32_t body = b.loop(loop, 1, maxTrips, {b.leaf({read(a, inLoop(loop, 0, 2))})});
    AccessProgram program =
        b.finish({b.leaf({write(a, at(0))}), b.leaf({write(a, at(1))}), b.leaf({write(c)}), body});
    return checkArena(program, {bytes(0, 0, 64), bytes(1, 64, 64)}).size();
  };
  EXPECT_EQ(run(1), 0U);
  EXPECT_EQ(run(2), 1U);
  EXPECT_EQ(run(std::nullopt), 1U);
}

TEST(ArenaCheckTest, SourceAndDestinationOfOneStatementConflictUnlessInPlace) {
  for (bool inPlace : {false, true}) {
    ProgramBuilder b;
    BufferId x = b.buffer("x"), y = b.buffer("y");
    uint32_t both = b.leaf({read(x), write(y)});
    b.program.nodes[both].inPlace = inPlace;
    AccessProgram program = b.finish({b.leaf({write(x)}), both, b.leaf({read(y)})});
    EXPECT_EQ(checkArena(program, {bytes(0, 0, 64), bytes(1, 0, 64)}).empty(), inPlace);
  }
}

TEST(ArenaCheckTest, NothingOrdersTheWritesOfOneStatement) {
  for (bool isFirstRead : {true, false}) {
    ProgramBuilder b;
    BufferId x = b.buffer("x"), y = b.buffer("y");
    AccessProgram program =
        b.finish({b.leaf({write(x), write(y)}), b.leaf({read(isFirstRead ? x : y)})});
    EXPECT_TRUE(checkArena(program, {bytes(0, 0, 64), bytes(1, 64, 64)}).empty());
    std::vector<ArenaFault> faults = checkArena(program, {bytes(0, 0, 64), bytes(1, 32, 64)});
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, Kind::ClobberedRead);
  }
}

TEST(ArenaCheckTest, AWriteThatMayNotHappenGivesNothingBack) {
  for (bool mayNotHappen : {false, true})
    for (bool isFull : {true, false}) {
      ProgramBuilder b;
      BufferId x = b.buffer("x"), y = b.buffer("y");
      Access again = write(x);
      again.full = isFull;
      again.mayNotHappen = mayNotHappen;
      if (!isFull)
        again.parts = {{0, 8}};
      AccessProgram program =
          b.finish({b.leaf({write(x)}), b.leaf({write(y)}), b.leaf({again}), b.leaf({read(x)})});
      EXPECT_EQ(checkArena(program, {bytes(0, 0, 8), bytes(1, 0, 8)}).empty(), !mayNotHappen);
      EXPECT_EQ(computeLifetimes(program).buffers[0].intervals.size(),
                mayNotHappen || !isFull ? 1U : 2U);
    }
}

TEST(ArenaCheckTest, RolesMustNotShareBytes) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  uint32_t roles = b.roles({b.leaf({write(x)}), b.leaf({write(y)})});
  AccessProgram program = b.finish({roles});
  EXPECT_TRUE(checkArena(program, {bytes(0, 0, 64), bytes(1, 64, 64)}).empty());
  std::vector<ArenaFault> faults = checkArena(program, {bytes(0, 0, 64), bytes(1, 32, 64)});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::ConcurrentRoles);
}

TEST(ArenaCheckTest, OneRoleMayHandBytesOn) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y"), z = b.buffer("z");
  uint32_t roles = b.roles({b.leaf({write(z)}), b.seq({b.leaf({read(x)}), b.leaf({write(y)})})});
  uint32_t first = b.leaf({write(x)}), last = b.leaf({read(y)});
  AccessProgram program = b.finish({first, b.barrier(), roles, b.barrier(), last});
  EXPECT_TRUE(checkArena(program, {bytes(0, 0, 64), bytes(1, 0, 64), bytes(2, 64, 64)}).empty());
  EXPECT_FALSE(checkArena(program, {bytes(0, 0, 64), bytes(1, 0, 64), bytes(2, 32, 64)}).empty());
}

TEST(ArenaCheckTest, WhatStandsBesideRolesWithoutABarrierRunsWithThem) {
  std::vector<BufferBytes> places = {bytes(0, 0, 64), bytes(1, 0, 64), bytes(2, 64, 64)};
  for (bool isBehind : {false, true})
    for (bool meets : {false, true}) {
      ProgramBuilder b;
      BufferId x = b.buffer("x"), y = b.buffer("y"), z = b.buffer("z");
      uint32_t first = b.seq({b.leaf({write(x)}), b.leaf({read(x)})});
      uint32_t second = b.seq({b.leaf({write(y)}), b.leaf({read(y)})});
      uint32_t roles = b.lanes({isBehind ? first : second, b.leaf({write(z)})}, {0, 0});
      uint32_t meeting = meets ? b.barrier() : b.wait(0);
      AccessProgram program = b.finish(isBehind ? std::vector<uint32_t>{roles, meeting, second}
                                                : std::vector<uint32_t>{first, meeting, roles});
      EXPECT_EQ(checkArena(program, places).empty(), meets);
    }
}

TEST(ArenaCheckTest, UninitialisedReadsAndBuffersOutsideAreIgnored) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program = b.finish({b.leaf({write(y)}), b.leaf({read(x)}), b.leaf({read(y)})});
  EXPECT_TRUE(checkArena(program, {bytes(0, 0, 64), bytes(1, 0, 64)}).empty());
  EXPECT_TRUE(checkArena(program, {}).empty());
  EXPECT_EQ(checkArena(program, {bytes(0, -16, 8)})[0].kind, Kind::OutOfArena);
}

} // namespace
