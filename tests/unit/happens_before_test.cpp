// What mbarriers and roles order: what must be shown, what must not, and random programs against
// all orders of their threads.
#include "core/access/happens_before.h"

#include "core/access/lifetimes.h"
#include "core/check/arena_check.h"
#include "tests/unit/access_programs.h"
#include "tests/unit/mbarrier_interleavings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope::test {
namespace {

// One lane loads a ring, the other reads it and then writes O over its bytes.
struct RingShape {
  int64_t slots = 2;
  int64_t trips = 5;
  int64_t loaders = 1; // threads
  int64_t readers = 2;
  int64_t bytes = 64;
  bool expectsFirst = true; // and arrives with that; else it arrives behind the copy
  bool isTailInLoop = false;
  bool loadsQuery = false; // Q, once, before the roles; it is waited for in the first iteration
  bool oneWaits = false;   // of the readers, who then meet
};

// K in slots of 64 bytes, then O over all of them.
std::vector<BufferBytes> sharedBytes(const AccessProgram &program) {
  int64_t slots = program.buffers[0].versions;
  return {{program.buffers[0].id, 0, 64, 64}, {program.buffers[1].id, 0, 64 * slots, 64 * slots}};
}

void addQuery(ProgramBuilder &b, StmtId loop, std::vector<uint32_t> &before,
              std::vector<uint32_t> &reads) {
  BufferId q = b.buffer("Q");
  uint32_t arrived = b.mbarrier(1);
  before = {b.oneThread(b.expect({arrived}, 64)), b.oneThread(b.arrive({arrived})),
            b.oneThread(b.leaf({counted(write(q), {arrived}, 64)})), b.barrier()};
  uint32_t wait = b.branch({b.waitPhase({arrived}, {})});
  b.program.nodes[wait].rangeLoop = loop;
  b.program.nodes[wait].rangeEnd = 1;
  reads.push_back(wait);
  reads.push_back(b.leaf({test::read(q)}));
}

AccessProgram ring(const RingShape &shape) {
  ProgramBuilder b;
  int64_t slots = shape.slots;
  BufferId k = b.buffer("K", slots), o = b.buffer("O");
  for (int64_t slot = 0; slot != slots; ++slot)
    b.mbarrier(1);
  for (int64_t slot = 0; slot != slots; ++slot)
    b.mbarrier(shape.readers);
  b.program.threads = shape.loaders + shape.readers;
  StmtId load = b.stmt(), read = b.stmt();
  auto empty = static_cast<uint32_t>(slots);
  MbarrierRef full = ringOf(0, slots, load);
  uint32_t wait = b.waitPhase(ringOf(empty, slots, load), phaseOf(load, slots, slots));
  uint32_t expect = b.oneThread(b.expect(full, shape.bytes));
  uint32_t arrive = b.oneThread(b.arrive(full));
  uint32_t copy =
      b.oneThread(b.leaf({counted(write(k, inLoop(load, 0, slots)), full, shape.bytes)}));
  std::vector<uint32_t> loads = shape.expectsFirst
                                    ? std::vector<uint32_t>{wait, expect, arrive, copy}
                                    : std::vector<uint32_t>{wait, expect, copy, arrive};
  std::vector<uint32_t> all;
  std::vector<uint32_t> reads = {b.waitPhase(ringOf(0, slots, read), phaseOf(read, slots))};
  if (shape.oneWaits) {
    b.oneThread(reads[0]);
    reads.push_back(b.namedBarrier(1, shape.readers));
  }
  if (shape.loadsQuery)
    addQuery(b, read, all, reads);
  reads.push_back(b.leaf({test::read(k, inLoop(read, 0, slots))}));
  reads.push_back(b.arrive(ringOf(empty, slots, read)));
  uint32_t tail = b.leaf({write(o)});
  if (shape.isTailInLoop)
    reads.push_back(tail);
  std::vector<uint32_t> consumer = {b.loop(read, shape.trips, shape.trips, reads)};
  if (!shape.isTailInLoop)
    consumer.push_back(tail);
  uint32_t producer = b.seq({b.loop(load, shape.trips, shape.trips, loads)});
  all.push_back(b.lanes({producer, b.seq(consumer)}, {shape.loaders, shape.readers}));
  return b.finish(all);
}

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

// Changes one thing that a node says.
void mutate(AccessProgram &program, std::mt19937 &random) {
  auto pick = [&](size_t count) { return static_cast<uint32_t>(random() % count); };
  AccessNode &node = program.nodes[pick(program.nodes.size())];
  switch (pick(9)) {
  case 0:
    if (!node.children.empty())
      node.children.erase(node.children.begin() + pick(node.children.size()));
    break;
  case 1:
    if (node.children.size() > 1 && node.kind == AccessNode::Kind::Seq)
      std::swap(node.children[pick(node.children.size())], node.children[0]);
    break;
  case 2:
    node.parity.counter.offset += 1;
    break;
  case 3:
    node.count = node.kind == AccessNode::Kind::Arrive ? 1 + pick(2) : 0;
    break;
  case 4:
    node.bytes = node.kind == AccessNode::Kind::Expect ? 32 << pick(3) : 0;
    break;
  case 5:
    program.mbarriers[pick(program.mbarriers.size())].arrivals = 1 + pick(3);
    break;
  case 6:
    node.oneThread = isLeaf(node) && pick(2) == 0;
    break;
  case 7:
    if (node.kind == AccessNode::Kind::Loop)
      node.minTrips = *(node.maxTrips = pick(5));
    break;
  default:
    if (node.mbarrier)
      node.mbarrier->counter.offset += 1;
  }
}

TEST(HappensBefore, NothingIsClaimedThatSomeOrderBreaks) {
  std::mt19937 random(1);
  int shown = 0, broken = 0;
  for (int seed = 0; seed != 3000; ++seed) {
    RingShape shape;
    shape.slots = 1 + static_cast<int64_t>(random() % 2);
    shape.trips = 1 + static_cast<int64_t>(random() % 3);
    shape.loaders = 1 + static_cast<int64_t>(random() % 2);
    shape.readers = 1 + static_cast<int64_t>(random() % 2);
    shape.expectsFirst = random() % 2;
    shape.isTailInLoop = random() % 4 == 0;
    shape.loadsQuery = random() % 2;
    shape.oneWaits = random() % 4 == 0;
    AccessProgram program = ring(shape);
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
  EXPECT_GT(shown, 200);
  EXPECT_GT(broken, 100);
}

} // namespace
} // namespace tilescope::test
