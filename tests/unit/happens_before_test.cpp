// What mbarriers and roles order: what must be shown, what must not, and random programs against
// all orders of their threads.
#include "core/access/happens_before.h"

#include "core/access/lifetimes.h"
#include "core/check/arena_check.h"
#include "tests/unit/mbarrier_interleavings.h"
#include "tests/unit/random_seeds.h"
#include "tests/unit/role_programs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

uint32_t firstOf(const AccessProgram &program, AccessNode::Kind kind, size_t number = 0) {
  for (uint32_t index = 0; index != program.nodes.size(); ++index)
    if (program.nodes[index].kind == kind && number-- == 0)
      return index;
  ADD_FAILURE() << "no such node";
  return 0;
}

void remove(AccessProgram &program, uint32_t gone) {
  for (AccessNode &node : program.nodes)
    llvm::erase(node.children, gone);
}

std::string gapsOf(const AccessProgram &program) {
  std::string text;
  for (const OrderGap &gap : computeHappensBefore(program).gaps)
    text += gap.why + "\n";
  return text;
}

void expectNotShown(const AccessProgram &program, llvm::StringRef why) {
  EXPECT_FALSE(computeHappensBefore(program).tail);
  EXPECT_FALSE(checkArena(program, sharedBytes(program)).empty());
  EXPECT_NE(gapsOf(program).find(why.str()), std::string::npos) << gapsOf(program);
}

TEST(HappensBefore, ARingIsReadWhenItHasArrivedAndReusedWhenItIsOver) {
  for (int64_t slots : {1, 2, 3})
    for (int64_t trips : {1, 2, 3, 4, 7})
      for (bool expectsFirst : {true, false}) {
        AccessProgram program =
            ring({.slots = slots, .trips = trips, .expectsFirst = expectsFirst});
        HappensBefore order = computeHappensBefore(program);
        EXPECT_EQ(gapsOf(program), "") << slots << " " << trips;
        ASSERT_TRUE(order.tail);
        EXPECT_EQ(order.tail->lane, 1U);
        EXPECT_EQ(order.tail->firstChild, 1U);
        EXPECT_TRUE(checkArena(program, sharedBytes(program)).empty());
      }
}

TEST(HappensBefore, WhatIsLoadedNextMayStillBeUnderWay) {
  AccessProgram program = ring({.slots = 2, .trips = 6});
  HappensBefore order = computeHappensBefore(program);
  auto reads = llvm::find_if(program.nodes, [](const AccessNode &node) {
    return node.accesses.size() == 1 && node.accesses[0].kind == AccessKind::Read;
  });
  EXPECT_FALSE(order.hasArrived(0, static_cast<uint32_t>(reads - program.nodes.begin())));
  AccessProgram early = ring({.slots = 2, .trips = 6, .isTailInLoop = true});
  EXPECT_FALSE(computeHappensBefore(early).tail);
  EXPECT_FALSE(checkArena(early, sharedBytes(early)).empty());
}

TEST(HappensBefore, AMissingArrivalOrdersNothing) {
  AccessProgram program = ring({});
  remove(program, firstOf(program, AccessNode::Kind::Arrive));
  expectNotShown(program, "what mbarrier 'm0' orders");
  program = ring({});
  program.mbarriers[3].arrivals = 3;
  EXPECT_NE(gapsOf(program).find("4 arrivals are no whole number of phases of 3"),
            std::string::npos);
}

TEST(HappensBefore, AWrongParityTeachesNothing) {
  AccessProgram program = ring({});
  program.nodes[firstOf(program, AccessNode::Kind::WaitPhase, 1)].parity.counter.offset = 2;
  EXPECT_FALSE(computeHappensBefore(program).tail);
  EXPECT_FALSE(checkArena(program, sharedBytes(program)).empty());
}

TEST(HappensBefore, BytesMustBeThoseExpected) {
  for (int64_t bytes : {32, 128}) {
    AccessProgram program = ring({});
    program.nodes[firstOf(program, AccessNode::Kind::Expect)].bytes = bytes;
    expectNotShown(program, "bytes are");
  }
  AccessProgram unknown = ring({});
  unknown.nodes[firstOf(unknown, AccessNode::Kind::Expect)].bytes = 0;
  expectNotShown(unknown, "it is not known how many bytes are copied");
}

TEST(HappensBefore, ASlotThatIsNotWaitedForMayBeArrivedAtTooEarly) {
  AccessProgram program = ring({});
  remove(program, firstOf(program, AccessNode::Kind::WaitPhase));
  expectNotShown(program, "an arrival for its next phase may come before a phase has ended");
}

TEST(HappensBefore, ConditionsAndLoopsOfUnknownLengthAreNotFollowed) {
  AccessProgram program = ring({});
  program.nodes[firstOf(program, AccessNode::Kind::Loop)].maxTrips.reset();
  expectNotShown(program, "in a loop of unknown length or under a condition");
  program = ring({});
  uint32_t arrive = firstOf(program, AccessNode::Kind::Arrive);
  AccessNode branch;
  branch.kind = AccessNode::Kind::If;
  branch.children = {arrive};
  uint32_t index = program.add(branch);
  for (uint32_t node = 0; node != index; ++node)
    std::replace(program.nodes[node].children.begin(), program.nodes[node].children.end(), arrive,
                 index);
  expectNotShown(program, "in a loop of unknown length or under a condition");
}

bool readsFirst(const AccessNode &node) {
  return node.kind == AccessNode::Kind::Leaf && node.accesses[0].kind == AccessKind::Read;
}

// All threads of both lanes arrive before the roles begin, one of them behind a copy of Q.
AccessProgram arrivalOfAll(int64_t arrivals, int64_t firstLane) {
  ProgramBuilder b;
  BufferId q = b.buffer("Q");
  b.buffer("O");
  uint32_t arrived = b.mbarrier(arrivals);
  b.program.threads = 3;
  uint32_t roles = b.lanes({b.leaf({test::read(q)}), b.leaf({test::read(q)})}, {firstLane, 2});
  return b.finish({b.oneThread(b.expect({arrived}, 64)),
                   b.oneThread(b.leaf({counted(write(q), {arrived}, 64)})), b.arrive({arrived}),
                   b.waitPhase({arrived}, {}), roles});
}

TEST(HappensBefore, ThreadsOfAllLanesArriveOutsideOfTheRoles) {
  AccessProgram program = arrivalOfAll(3, 1);
  HappensBefore order = computeHappensBefore(program);
  EXPECT_EQ(gapsOf(program), "");
  for (auto [index, node] : llvm::enumerate(program.nodes))
    if (readsFirst(node)) {
      EXPECT_TRUE(order.hasArrived(0, static_cast<uint32_t>(index)));
    }
  EXPECT_NE(gapsOf(arrivalOfAll(2, 1)).find("no whole number of phases"), std::string::npos);
  EXPECT_NE(gapsOf(arrivalOfAll(4, 1)).find("no whole number of phases"), std::string::npos);
  EXPECT_NE(gapsOf(arrivalOfAll(3, 0)).find("how often threads arrive"), std::string::npos);
}

// The second lane fills K first, then the first lane each time that it has been read.
AccessProgram otherwiseFilled(int64_t firstParity, bool waitsBefore = true) {
  ProgramBuilder b;
  BufferId k = b.buffer("K");
  b.buffer("O");
  uint32_t full = b.mbarrier(1);
  b.program.threads = 2;
  StmtId reads = b.stmt();
  auto fill = [&] {
    return std::vector<uint32_t>{b.expect({full}, 64), b.leaf({counted(write(k), {full}, 64)}),
                                 b.arrive({full})};
  };
  PhaseParity next{{1, {{reads, 1}}}, 1};
  std::vector<uint32_t> body = {b.leaf({test::read(k)})};
  llvm::append_range(body, fill());
  body.push_back(b.waitPhase({full}, next));
  std::vector<uint32_t> first = {b.loop(reads, 3, 3, body)};
  if (waitsBefore)
    first.insert(first.begin(), b.waitPhase({full}, {{firstParity, {}}, 1}));
  return b.finish({b.lanes({b.seq(first), b.seq(fill())}, {1, 1})});
}

TEST(HappensBefore, PhasesMayBeEndedByDifferentThreads) {
  AccessProgram program = otherwiseFilled(0);
  EXPECT_EQ(gapsOf(program), "");
  HappensBefore order = computeHappensBefore(program);
  for (auto [index, node] : llvm::enumerate(program.nodes))
    if (readsFirst(node)) {
      EXPECT_TRUE(order.hasArrived(0, static_cast<uint32_t>(index)));
      EXPECT_TRUE(order.hasArrived(1, static_cast<uint32_t>(index)));
    }
  // Whoever does not wait for the others may arrive first.
  EXPECT_NE(gapsOf(otherwiseFilled(1)), "");
  EXPECT_NE(gapsOf(otherwiseFilled(0, false)), "");
}

TEST(HappensBefore, ARangeOfIterationsIsKnown) {
  ProgramBuilder b;
  BufferId q = b.buffer("Q"), o = b.buffer("O");
  uint32_t arrived = b.mbarrier(1);
  b.program.threads = 64;
  StmtId loop = b.stmt();
  uint32_t wait = b.branch({b.waitPhase({arrived}, {})});
  b.program.nodes[wait].rangeLoop = loop;
  b.program.nodes[wait].rangeEnd = 1;
  uint32_t reads = b.leaf({test::read(q)});
  uint32_t last = b.leaf({write(o)});
  AccessProgram program =
      b.finish({b.oneThread(b.expect({arrived}, 8)), b.oneThread(b.arrive({arrived})),
                b.oneThread(b.leaf({counted(write(q), {arrived}, 8)})),
                b.loop(loop, 3, 3, {wait, reads}), last});
  HappensBefore order = computeHappensBefore(program);
  EXPECT_TRUE(order.hasArrived(0, reads));
  EXPECT_TRUE(order.hasArrived(0, last));
  program.nodes[wait].rangeBegin = 1;
  program.nodes[wait].rangeEnd = 2;
  order = computeHappensBefore(program);
  EXPECT_FALSE(order.hasArrived(0, reads));
  EXPECT_TRUE(order.hasArrived(0, last));
}

TEST(HappensBefore, WhatOneThreadWaitsForTheOthersLearnAtTheirBarrier) {
  for (bool meets : {false, true}) {
    ProgramBuilder b;
    BufferId q = b.buffer("Q"), o = b.buffer("O");
    uint32_t arrived = b.mbarrier(1);
    b.program.threads = 64;
    uint32_t wait = b.oneThread(b.waitPhase({arrived}, {}));
    uint32_t meet = meets ? b.namedBarrier(1, 64) : b.namedBarrier(1, 32);
    uint32_t reads = b.leaf({test::read(q), write(o)});
    AccessProgram program =
        b.finish({b.oneThread(b.expect({arrived}, 8)), b.oneThread(b.arrive({arrived})),
                  b.oneThread(b.leaf({counted(write(q), {arrived}, 8)})), wait, meet, reads});
    EXPECT_EQ(computeHappensBefore(program).hasArrived(0, reads), meets);
  }
}

TEST(HappensBefore, WhatOneThreadKnowsOfACopyTheOthersDoNot) {
  for (bool isByAll : {false, true}) {
    ProgramBuilder b;
    BufferId q = b.buffer("Q"), o = b.buffer("O");
    uint32_t arrived = b.mbarrier(1);
    b.program.threads = 64;
    uint32_t wait = b.waitPhase({arrived}, {});
    if (!isByAll)
      b.oneThread(wait);
    AccessProgram program = b.finish(
        {b.oneThread(b.expect({arrived}, 64)), b.oneThread(b.arrive({arrived})),
         b.oneThread(b.leaf({counted(write(q), {arrived}, 64)})), wait, b.oneThread(b.commit(7)),
         b.leaf({write(o)}), b.barrier(), b.leaf({test::read(o)})});
    EXPECT_EQ(checkArena(program, sharedBytes(program)).empty(), isByAll);
    std::vector<LiveInterval> whenByAll = {{2, 4}}, whenByOne = {{2, 4}, {5, 7}};
    EXPECT_EQ(computeLifetimes(program).buffers[0].intervals, isByAll ? whenByAll : whenByOne);
  }
}

TEST(HappensBefore, ABarrierOfTheBlockIsNoNamedOne) {
  for (int64_t id : {-1, 0, 1}) {
    ProgramBuilder b;
    BufferId q = b.buffer("Q"), o = b.buffer("O");
    b.program.threads = 4;
    uint32_t writes = b.seq(
        {b.namedBarrier(id, 2), b.leaf({write(o)}), b.namedBarrier(5, 2), b.leaf({test::read(o)})});
    uint32_t roles = b.lanes({writes, b.seq({b.leaf({test::read(q)})})}, {2, 2});
    AccessProgram program = b.finish({b.leaf({write(q)}), b.barrier(), roles, b.barrier()});
    EXPECT_FALSE(computeHappensBefore(program).tail) << id;
    EXPECT_FALSE(checkArena(program, sharedBytes(program)).empty()) << id;
  }
}

TEST(HappensBefore, EveryThreadIsOfOneOfSeveralLanes) {
  auto reasons = [](size_t lanes, int64_t threads) {
    ProgramBuilder b;
    BufferId q = b.buffer("Q"), o = b.buffer("O"), s = b.buffer("S");
    uint32_t arrived = b.mbarrier(128);
    b.program.threads = threads;
    std::vector<uint32_t> children;
    for (size_t lane = 0; lane != lanes; ++lane)
      children.push_back(b.seq({b.leaf({test::read(s)})}));
    uint32_t roles = b.lanes(children, std::vector<int64_t>(lanes, 128));
    AccessProgram program =
        b.finish({b.oneThread(b.expect({arrived}, 64)), b.arrive({arrived}),
                  b.oneThread(b.leaf({counted(write(q), {arrived}, 64)})), b.barrier(), roles,
                  b.waitPhase({arrived}, {}), b.barrier(), b.leaf({write(o)})});
    EXPECT_FALSE(checkArena(program, sharedBytes(program)).empty());
    return gapsOf(program);
  };
  EXPECT_NE(reasons(1, 256).find("its roles have no two lanes"), std::string::npos);
  EXPECT_NE(reasons(2, 384).find("its lanes have not as many threads as the block"),
            std::string::npos);
  EXPECT_NE(reasons(100, 12800).find("its roles have too many lanes"), std::string::npos);
}

// What lane 0 comes to in the roles, lane 1 may meet behind them: it goes on while lane 0 reads Q.
TEST(HappensBefore, BlockBarriersMeetNobodyWhereRolesComeToTheSame) {
  auto make = [](int barrier, bool isHazard) {
    ProgramBuilder b;
    BufferId q = b.buffer("Q"), o = b.buffer("O");
    b.program.threads = 4;
    uint32_t inside = barrier == 2 ? b.barrier() : b.namedBarrier(1 - barrier, 2);
    uint32_t first = b.seq({inside, b.leaf({test::read(q)})});
    uint32_t roles = b.lanes({first, b.seq({b.fence()})}, {2, 2});
    uint32_t last = b.leaf({write(isHazard ? q : o)});
    return b.finish({b.leaf({write(q)}), b.barrier(), roles, b.barrier(), last});
  };
  for (int barrier : {0, 1, 2}) {
    AccessProgram program = make(barrier, false);
    EXPECT_EQ(checkArena(program, sharedBytes(program)).empty(), barrier == 0) << barrier;
    EXPECT_EQ(computeHappensBefore(program).besideRoles.empty(), barrier == 0) << barrier;
    EXPECT_EQ(checkHazards(make(barrier, true), {}).empty(), barrier == 0) << barrier;
  }
}

// Nor does anybody learn there what lane 0 has waited for since.
TEST(HappensBefore, BlockBarriersTellNothingWhereRolesComeToTheSame) {
  for (int barrier : {0, 1, 2}) {
    ProgramBuilder b;
    BufferId q = b.buffer("Q");
    uint32_t arrived = b.mbarrier(1);
    b.program.threads = 4;
    uint32_t inside = barrier == 2 ? b.barrier() : b.namedBarrier(1 - barrier, 2);
    uint32_t roles = b.lanes({b.seq({inside, b.waitPhase({arrived}, {})}), b.seq({})}, {2, 2});
    uint32_t reads = b.leaf({test::read(q)});
    AccessProgram program = b.finish(
        {b.oneThread(b.expect({arrived}, 64)), b.oneThread(b.arrive({arrived})),
         b.oneThread(b.leaf({counted(write(q), {arrived}, 64)})), roles, b.barrier(), reads});
    EXPECT_EQ(computeHappensBefore(program).hasArrived(0, reads), barrier == 0) << barrier;
  }
}

TEST(HappensBefore, OneRoleRunsBesideThreadsThatAreOfNone) {
  for (bool meets : {false, true}) {
    ProgramBuilder b;
    BufferId a = b.buffer("A"), o = b.buffer("O");
    b.program.threads = 4;
    uint32_t role = b.seq({b.leaf({write(a)}), b.leaf({test::read(a)})});
    uint32_t meeting = meets ? b.barrier() : b.fence();
    AccessProgram program =
        b.finish({b.lanes({role}, {2}), meeting, b.leaf({write(o)}), b.leaf({test::read(o)})});
    EXPECT_EQ(checkArena(program, sharedBytes(program)).empty(), meets);
    std::vector<LiveInterval> apart = {{3, 5}}, beside = {{0, 2}, {3, 5}};
    EXPECT_EQ(computeLifetimes(program).buffers[1].intervals, meets ? apart : beside);
  }
}

// All of it takes moments, whatever the answer.
TEST(HappensBefore, GivesUpOnWhatIsTooMuch) {
  ProgramBuilder b;
  BufferId q = b.buffer("Q");
  StmtId loop = b.stmt();
  b.program.threads = 1;
  std::vector<uint32_t> body;
  for (uint32_t number = 0; number != 1000; ++number)
    body.push_back(b.arrive({b.mbarrier(1)}));
  for (uint32_t number = 0; number != 500; ++number)
    body.push_back(b.namedBarrier(number + 1, 1));
  body.push_back(b.waitPhase({0}, {{0, {{loop, 1}}}, 1}));
  AccessProgram program = b.finish({b.leaf({write(q)}), b.loop(loop, 1, 1, body)});
  EXPECT_LT(computeHappensBefore(program).gaps.size(), 2000U);
  AccessNode branch;
  branch.kind = AccessNode::Kind::If;
  branch.rangeLoop = loop;
  branch.rangeBegin = 1;
  branch.children = {b.arrive({0})};
  std::vector<uint32_t> branches;
  for (int number = 0; number != 2000; ++number)
    branches.push_back(b.program.add(branch));
  AccessProgram skipping = b.finish({b.loop(loop, 32000, 32000, branches)});
  EXPECT_NE(gapsOf(skipping).find("its loops are too long to follow"), std::string::npos);
}

// ---- Random programs ----------------------------------------------------------------------------

TEST(HappensBefore, NothingIsClaimedThatSomeOrderBreaks) {
  std::mt19937 random(1);
  int shown = 0, broken = 0;
  for (unsigned seed = 0; seed != seedsOf(3000); ++seed) {
    AccessProgram program = ring(randomShape(random));
    HappensBefore before = computeHappensBefore(program);
    for (unsigned changes = random() % 4; changes != 0; --changes)
      mutate(program, random);
    HappensBefore order = computeHappensBefore(program);
    shown += order.tail.has_value();
    EXPECT_FALSE(MbarrierInterleavings(program, order).canGoWrong()) << "seed " << seed << "\n"
                                                                     << toString(program);
    broken += before.copies == order.copies && MbarrierInterleavings(program, before).canGoWrong();
  }
  // The programs have something to show, and something to break.
  EXPECT_GT(shown, ofSeeds(200));
  EXPECT_GT(broken, ofSeeds(100));
}

TEST(HappensBefore, NothingIsClaimedOfRandomRolesThatSomeOrderBreaks) {
  int shown = 0;
  for (unsigned seed = 0; seed != seedsOf(2000); ++seed) {
    AccessProgram program = RandomRoles(seed).make();
    HappensBefore order = computeHappensBefore(program);
    shown += order.tail.has_value() ||
             llvm::any_of(order.arrived, [](const llvm::BitVector &all) { return all.any(); });
    EXPECT_FALSE(MbarrierInterleavings(program, order).canGoWrong()) << "seed " << seed << "\n"
                                                                     << toString(program);
  }
  EXPECT_GT(shown, ofSeeds(200));
}

} // namespace
} // namespace tilescope::test
