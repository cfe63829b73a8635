// Hazards of roles and mbarriers by their steps: small programs of which one thing is wrong. All
// orders of random ones are in arena_orders_test.cpp.
#include "core/check/step_hazards.h"

#include "core/access/program_cases.h"
#include "tests/unit/role_programs.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

Access throughProxy(Access access) {
  access.isOfAsyncProxy = true;
  return access;
}

// Who stores a tile that 64 threads have written: where the fence stands, and who makes it.
struct Store {
  bool isFenceBefore = true;
  bool isFenceOfAll = true;
  bool hasFence = true;
  bool hasBarrier = true;
};

StepHazards storedTile(const Store &shape) {
  ProgramBuilder b;
  BufferId o = b.buffer("O");
  b.program.threads = 64;
  Access stored = throughProxy(async(read(o), 1));
  stored.full = true;
  uint32_t fence = b.fence(), writes = b.leaf({partial(o)});
  if (!shape.isFenceOfAll)
    b.oneThread(fence);
  std::vector<uint32_t> all = {writes};
  if (shape.hasFence && shape.isFenceBefore)
    all.push_back(fence);
  if (shape.hasBarrier)
    all.push_back(b.barrier());
  if (shape.hasFence && !shape.isFenceBefore)
    all.push_back(fence);
  all.push_back(b.oneThread(b.leaf({stored})));
  return judge(b.finish(all));
}

TEST(StepHazards, AStoreWantsAFenceOfAllWhoWroteOrOfWhoStores) {
  EXPECT_TRUE(storedTile({}).isFree());
  EXPECT_TRUE(storedTile({.isFenceBefore = false}).isFree());
  EXPECT_TRUE(storedTile({.isFenceBefore = false, .isFenceOfAll = false}).isFree());
  for (Store shape :
       {Store{.isFenceOfAll = false}, Store{.hasBarrier = false}, Store{.hasFence = false}}) {
    StepHazards hazards = storedTile(shape);
    ASSERT_TRUE(hazards.isFound());
    EXPECT_EQ(hazards.found[0].kind,
              shape.hasBarrier ? HazardFault::Kind::NotFenced : HazardFault::Kind::Unordered);
  }
}

TEST(StepHazards, ACopyOverWhatThreadsStillReadIsNotAccused) {
  ProgramBuilder b;
  BufferId k = b.buffer("K");
  uint32_t arrived = b.mbarrier(1);
  b.program.threads = 64;
  AccessProgram program =
      b.finish({b.leaf({read(k)}), b.barrier(), b.oneThread(b.expect({arrived}, 8)),
                b.oneThread(b.leaf({throughProxy(counted(write(k), {arrived}, 8))})),
                b.oneThread(b.arrive({arrived})), b.waitPhase({arrived}, {})});
  StepHazards hazards = judge(program);
  EXPECT_FALSE(hazards.isFound());
  ASSERT_EQ(hazards.open.size(), 1U);
  EXPECT_EQ(hazards.open[0].kind, HazardFault::Kind::NotFenced);
}

TEST(StepHazards, WgmmaHasReadWhenItsGroupIsWaitedFor) {
  for (int64_t pending : {0, 1}) {
    ProgramBuilder b;
    BufferId k = b.buffer("K");
    b.program.threads = 64;
    Access operand = throughProxy(async(read(k), 1));
    operand.full = true;
    AccessProgram program = b.finish(
        {b.leaf({operand}), b.commit(1), b.wait(pending, 1), b.barrier(), b.leaf({write(k)})});
    EXPECT_EQ(judge(program).isFree(), pending == 0);
    EXPECT_EQ(judge(program).isFound(), pending == 1);
  }
}

TEST(StepHazards, WhatThreadsCopyIsThereWhenTheyWaitAndMeet) {
  for (bool waits : {false, true})
    for (bool meets : {false, true}) {
      ProgramBuilder b;
      BufferId k = b.buffer("K");
      b.program.threads = 64;
      std::vector<uint32_t> all = {b.leaf({async(write(k))}), b.commit()};
      if (waits)
        all.push_back(b.wait(0));
      if (meets)
        all.push_back(b.barrier());
      all.push_back(b.leaf({read(k)}));
      StepHazards hazards = judge(b.finish(all));
      EXPECT_EQ(hazards.isFree(), waits && meets);
      // Behind its own wait a thread may read what it has copied itself.
      EXPECT_EQ(hazards.isFound(), !waits);
    }
}

TEST(StepHazards, OneThreadAnElementNeedsNoBarrier) {
  for (uint32_t token : {0U, 1U}) {
    ProgramBuilder b;
    BufferId s = b.buffer("S");
    b.program.threads = 64;
    Access writes = partial(s), reads = read(s);
    writes.sameThreadToken = 1;
    reads.sameThreadToken = token;
    AccessProgram program = b.finish({b.leaf({writes}), b.leaf({reads})});
    EXPECT_EQ(judge(program).isFree(), token == 1);
    EXPECT_FALSE(judge(program).isFound());
  }
}

// Of 4 elements of 32 bits.
const ElementThreads OwnElements = {32, 4, {0, 1, 2}, {}}; // 0 1 2 3
const ElementThreads Exchanged = {32, 4, {1, 1, 2}, {}};   // 1 0 3 2
const ElementThreads OfAllFour = {32, 4, {0, 0, 0}, {3, 0, 0}};

// Two accesses by 64 threads, with nothing between: a write of S, and `second`.
StepHazards judgeTwo(ProgramBuilder &b, Access first, Access second,
                     const std::vector<BufferBytes> &bytes = {}) {
  first.touchedBy = 1;
  second.touchedBy = 2;
  b.program.threads = 64;
  AccessProgram program = b.finish({b.leaf({first}), b.leaf({second})});
  return judgeSteps(program, bytes, followSteps(program));
}

TEST(StepHazards, WhoTouchesWhichElementTellsWhetherABarrierIsMissing) {
  for (const ElementThreads &readers : {OwnElements, Exchanged, OfAllFour}) {
    ProgramBuilder b;
    BufferId s = b.buffer("S");
    b.program.elementThreads = {OwnElements, readers};
    StepHazards hazards = judgeTwo(b, partial(s), read(s));
    EXPECT_EQ(hazards.isFree(), readers == OwnElements);
    EXPECT_EQ(hazards.isFound(), readers != OwnElements);
  }
}

TEST(StepHazards, WhatMayNotHappenIsNotAccusedByItsElements) {
  ProgramBuilder b;
  BufferId s = b.buffer("S");
  b.program.elementThreads = {OwnElements, Exchanged};
  Access reads = read(s);
  reads.mayNotHappen = true;
  StepHazards hazards = judgeTwo(b, partial(s), reads);
  EXPECT_FALSE(hazards.isFound() || hazards.isFree());
}

// Behind `if tx < n` the elements say which threads come; behind a condition that none may fulfil,
// and in a loop, it is not known whether one does.
TEST(StepHazards, WhatSomeThreadsDoIsAccusedByItsElements) {
  enum { OnThread, OnData, InLoop };
  for (int around : {OnThread, OnData, InLoop}) {
    ProgramBuilder b;
    BufferId s = b.buffer("S");
    b.program.elementThreads = {OwnElements, Exchanged};
    Access writes = partial(s), reads = read(s);
    writes.touchedBy = 1;
    reads.touchedBy = 2;
    b.program.threads = 64;
    uint32_t inside = b.leaf({reads});
    if (around == InLoop)
      inside = b.loop(StmtId(9), 0, std::nullopt, {inside});
    if (around == OnData)
      inside = b.branch({inside});
    uint32_t some = b.branch({inside});
    b.program.nodes[some].isDivergent = true;
    AccessProgram program = b.finish({b.leaf({writes}), some});
    StepHazards hazards = judgeSteps(program, {}, followSteps(program));
    EXPECT_FALSE(hazards.isFree());
    EXPECT_EQ(hazards.isFound(), around == OnThread);
  }
}

TEST(StepHazards, ElementsOfTwoBuffersMeetWhereTheirBytesDo) {
  // Element e of T lies where element e + `apart` of S does.
  for (int64_t apart : {0, 1, 4}) {
    ProgramBuilder b;
    BufferId s = b.buffer("S"), t = b.buffer("T");
    b.program.elementThreads = {OwnElements, OwnElements};
    StepHazards hazards =
        judgeTwo(b, partial(s), partial(t), {{s, 0, 16, 16}, {t, 4 * apart, 16, 16}});
    EXPECT_EQ(hazards.isFree(), apart != 1) << apart;
    EXPECT_EQ(hazards.isFound(), apart == 1) << apart;
  }
}

// Two elements of T in a byte: bytes 0 to 3 of threads 0, 0, 1, 1, or each of two threads.
TEST(StepHazards, ElementsSmallerThanAByteMeetInIt) {
  const ElementThreads pairs = {4, 8, {0, 0, 0, 1}, {}}, single = {4, 8, {0, 1, 2, 4}, {}};
  const ElementThreads bytes = {8, 4, {0, 0, 1}, {}};
  for (const auto &[writers, isFree] : {std::pair(pairs, true), std::pair(single, false)}) {
    ProgramBuilder b;
    BufferId s = b.buffer("S");
    b.program.elementThreads = {writers, bytes};
    StepHazards hazards = judgeTwo(b, partial(s), read(s));
    EXPECT_EQ(hazards.isFree(), isFree);
    EXPECT_EQ(hazards.isFound(), !isFree);
  }
}

TEST(StepHazards, HostileElementsTellNothing) {
  for (const ElementThreads &readers :
       {ElementThreads{32, int64_t(1) << 60, {0}, {}}, ElementThreads{0, 4, {0}, {}},
        ElementThreads{12, 4, {0}, {}}, ElementThreads{3, 4, {0}, {}},
        ElementThreads{32, 4, {}, {}}}) {
    ProgramBuilder b;
    BufferId s = b.buffer("S");
    b.program.elementThreads = {OwnElements, readers};
    StepHazards hazards = judgeTwo(b, partial(s), read(s));
    EXPECT_FALSE(hazards.isFound() || hazards.isFree());
  }
}

TEST(StepHazards, CasesHoldNothingThatTheyDoNotRun) {
  ProgramBuilder b;
  BufferId s = b.buffer("S");
  uint32_t roles = b.branch({b.roles({b.leaf({write(s)}), b.leaf({read(s)})})});
  b.program.nodes[roles].byCase = {0, 1};
  AccessProgram program = b.finish({roles});
  program.cases = 2;
  std::vector<AccessProgram> cases = casesOf(program);
  ASSERT_EQ(cases.size(), 2U);
  auto count = [](const AccessProgram &one, AccessNode::Kind kind) {
    return llvm::count_if(one.nodes, [&](const AccessNode &node) { return node.kind == kind; });
  };
  for (AccessNode::Kind kind : {AccessNode::Kind::Roles, AccessNode::Kind::Leaf}) {
    EXPECT_EQ(count(cases[0], kind), 0);
    EXPECT_EQ(count(cases[1], kind), count(program, kind));
  }
}

// What is not followed of a copy is not accused, what is never waited for is: K by queue 1, O by 2.
TEST(StepHazards, AWaitThatMayHaveBeenMadeIsNotAccused) {
  enum { InBothBranches, InLoop, BehindCommitInLoop };
  for (int where : {InBothBranches, InLoop, BehindCommitInLoop}) {
    ProgramBuilder b;
    BufferId k = b.buffer("K"), o = b.buffer("O");
    b.program.threads = 64;
    Access readsK = throughProxy(async(read(k), 1)), readsO = throughProxy(async(read(o), 2));
    readsK.full = readsO.full = true;
    uint32_t inside = where == BehindCommitInLoop ? b.commit(1) : b.wait(0, 1);
    uint32_t some = where == InBothBranches ? b.branch({inside, b.wait(0, 1)})
                                            : b.loop(StmtId(9), 0, std::nullopt, {inside});
    uint32_t waits = where == BehindCommitInLoop ? b.wait(1, 1) : b.barrier();
    StepHazards hazards =
        judge(b.finish({b.leaf({readsK}), b.commit(1), b.leaf({readsO}), b.commit(2), some, waits,
                        b.barrier(), b.leaf({write(k)}), b.leaf({write(o)})}));
    EXPECT_TRUE(hazards.isFound());
    for (const HazardFault &fault : hazards.found)
      EXPECT_EQ(fault.second, o);
  }
}

TEST(StepHazards, ThreadsMayReadInARoleWhatTheyCopiedBefore) {
  ProgramBuilder b;
  BufferId k = b.buffer("K"), o = b.buffer("O");
  b.program.threads = 128;
  uint32_t reads = b.seq({b.wait(0), b.leaf({read(k)})}), writes = b.seq({b.leaf({write(o)})});
  AccessProgram program =
      b.finish({b.leaf({async(write(k))}), b.commit(), b.lanes({writes, reads}, {64, 64})});
  EXPECT_FALSE(judge(program).isFound());
  EXPECT_FALSE(judge(program).isFree());
}

TEST(StepHazards, WhatMayNotHappenIsNotAccused) {
  for (bool isConditional : {false, true}) {
    ProgramBuilder b;
    BufferId o = b.buffer("O");
    b.program.threads = 64;
    Access written = partial(o), stored = throughProxy(async(read(o), 1));
    written.mayNotHappen = isConditional;
    stored.full = true;
    AccessProgram program =
        b.finish({b.leaf({written}), b.barrier(), b.oneThread(b.leaf({stored}))});
    EXPECT_EQ(judge(program).isFound(), !isConditional);
    EXPECT_FALSE(judge(program).isFree());
  }
}

TEST(StepHazards, ACopyIsWaitedForByWhoeverMadeIt) {
  ProgramBuilder b;
  BufferId s = b.buffer("S");
  b.program.threads = 64;
  Access copied = async(write(s)), reads = read(s);
  copied.sameThreadToken = reads.sameThreadToken = 1;
  EXPECT_TRUE(judge(b.finish({b.leaf({copied}), b.commit(), b.leaf({reads})})).isFound());
}

// Two tiles are copied, and nobody waits; what the threads then write lies over both.
TEST(StepHazards, AWriteOfAllOverTwoCopiesMeetsThem) {
  for (bool isFull : {true, false}) {
    ProgramBuilder b;
    BufferId k = b.buffer("K"), v = b.buffer("V"), o = b.buffer("O");
    b.program.threads = 64;
    std::vector<uint32_t> all;
    for (BufferId id : {k, v}) {
      Access copied = throughProxy(async(write(id), 1));
      copied.full = true;
      all.push_back(b.oneThread(b.leaf({copied})));
    }
    all.push_back(b.leaf({isFull ? write(o) : partial(o)}));
    AccessProgram program = b.finish(all);
    std::vector<BufferBytes> bytes = {{k, 0, 512, 512}, {v, 512, 512, 512}, {o, 0, 1024, 1024}};
    StepHazards hazards = judgeSteps(program, bytes, followSteps(program));
    EXPECT_EQ(hazards.isFound(), isFull);
    EXPECT_FALSE(hazards.isFree());
  }
}

TEST(StepHazards, LengthsByBlockAreJudgedOneByOne) {
  AccessProgram program = ring({.slots = 2, .trips = 3});
  program.cases = 4;
  for (AccessNode &node : program.nodes)
    if (node.kind == AccessNode::Kind::Loop) {
      node.byCase = {1, 2, 3, 7};
      node.minTrips = 1;
      node.maxTrips = 7;
    }
  EXPECT_FALSE(judge(program).isFree());
  for (const AccessProgram &one : casesOf(program))
    EXPECT_TRUE(judge(one).isFree());
  // One of the two roles goes on for longer.
  auto loop = llvm::find_if(
      program.nodes, [](const AccessNode &node) { return node.kind == AccessNode::Kind::Loop; });
  loop->byCase[3] = 8;
  EXPECT_TRUE(judge(casesOf(program)[2]).isFree());
  EXPECT_TRUE(judge(casesOf(program)[3]).isFound());
}

TEST(ProgramCases, ConditionsAreDecided) {
  ProgramBuilder b;
  BufferId a = b.buffer("A");
  uint32_t branch = b.branch({b.leaf({write(a)})});
  b.program.nodes[branch].byCase = {0, 1};
  AccessProgram program = b.finish({branch});
  program.cases = 2;
  std::vector<AccessProgram> cases = casesOf(program);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_TRUE(leavesInOrder(cases[0]).empty());
  EXPECT_EQ(leavesInOrder(cases[1]).size(), 1U);
}

TEST(ProgramCases, DecidedConditionsLeaveNothingBehind) {
  auto programOf = [](bool isConditional) {
    ProgramBuilder b;
    uint32_t leaf = b.leaf({write(b.buffer("A"))});
    if (isConditional) {
      leaf = b.branch({leaf});
      b.program.nodes[leaf].byCase = {1};
    }
    AccessProgram program = b.finish({leaf});
    program.cases = isConditional ? 1 : 0;
    return flattened(casesOf(program).front());
  };
  EXPECT_EQ(programOf(true), programOf(false));
}

TEST(ProgramCases, ARunOnZerosHasItsOwnAccesses) {
  ProgramBuilder b;
  BufferId a = b.buffer("A");
  uint32_t first = b.leaf({write(a)}), second = b.leaf({write(a)});
  b.program.nodes[second].accessesOnZeros.emplace();
  AccessProgram program = b.finish({first, second});
  std::optional<AccessProgram> run = runOnZeros(program);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->nodes[first].accesses.size(), 1U);
  EXPECT_TRUE(run->nodes[second].accesses.empty());
  EXPECT_FALSE(runOnZeros(*run));
}

TEST(ProgramCases, ARunOnZerosHasItsOwnLengthsAndConditions) {
  ProgramBuilder b;
  BufferId a = b.buffer("A");
  uint32_t branch = b.branch({b.leaf({write(a)})});
  b.program.nodes[branch].onZeros = 1;
  AccessProgram program = b.finish({branch});
  EXPECT_FALSE(runOnZeros(program));
  program.zeroed = {"mask"};
  program.cases = 3;
  std::optional<AccessProgram> run = runOnZeros(program);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->nodes[branch].kind, AccessNode::Kind::Seq);
  EXPECT_EQ(leavesInOrder(*run).size(), 1U);
  EXPECT_EQ(casesOf(*run).size(), 1U);
  EXPECT_FALSE(runOnZeros(*run));
}

} // namespace
} // namespace tilescope::test
