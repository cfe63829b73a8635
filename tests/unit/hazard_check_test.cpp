// Run alone: unit_tests --gtest_filter='HazardCheck*'
#include "core/check/arena_check.h"
#include "core/plan/barrier_plan.h"
#include "tests/unit/access_programs.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilescope;
using namespace tilescope::test;

namespace {

using Kind = HazardFault::Kind;

// `program` without the `skip`-th node of `kind`, counted over the whole program.
AccessProgram without(AccessProgram program, AccessNode::Kind kind, int skip) {
  for (uint32_t index : leavesInOrder(program)) {
    AccessNode &node = program.nodes[index];
    if (node.kind != kind || skip-- != 0)
      continue;
    node = AccessNode();
  }
  return program;
}

int countOf(const AccessProgram &program, AccessNode::Kind kind) {
  int count = 0;
  for (uint32_t index : leavesInOrder(program))
    count += program.nodes[index].kind == kind;
  return count;
}

TEST(HazardCheckTest, PlainPairsNeedABarrier) {
  for (int second = 0; second != 4; ++second) {
    ProgramBuilder b;
    BufferId x = b.buffer("x");
    Access first = second & 1 ? write(x) : read(x);
    Access later = second & 2 ? write(x) : read(x);
    AccessProgram bare = b.finish({b.leaf({first}), b.leaf({later})});
    EXPECT_EQ(checkHazards(bare, {}).size(), second == 0 ? 0U : 1U);
    AccessProgram separated = b.finish({b.leaf({first}), b.barrier(), b.leaf({later})});
    EXPECT_TRUE(checkHazards(separated, {}).empty());
  }
}

// if some threads: [write x; barrier of these; read x]; read x
AccessProgram metBySome(bool isFixed, bool isReadOutside, bool isInLoop) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  uint32_t barrier = b.namedBarrier(1, 64);
  b.program.nodes[barrier].isFixed = isFixed;
  uint32_t inside = b.branch({b.seq({b.leaf({write(x)}), barrier, b.leaf({read(x)})})});
  b.program.nodes[inside].isDivergent = true;
  std::vector<uint32_t> body = {inside};
  if (isReadOutside)
    body.push_back(b.leaf({read(x)}));
  if (isInLoop)
    body = {b.loop(b.stmt(), 1, std::nullopt, body)};
  return b.finish(body);
}

TEST(HazardCheckTest, ABarrierOfSomeThreadsIsForThemAlone) {
  EXPECT_TRUE(checkHazards(metBySome(true, false, false), {}).empty());
  EXPECT_EQ(checkHazards(metBySome(false, false, false), {}).size(), 1U);
  EXPECT_EQ(checkHazards(metBySome(true, true, false), {}).size(), 1U);
  // The next iteration writes what this one reads.
  EXPECT_EQ(checkHazards(metBySome(true, false, true), {}).size(), 1U);
  // The planner knows the same.
  EXPECT_TRUE(planBarriers(metBySome(true, false, false), {}).sites.empty());
  EXPECT_TRUE(planBarriers(metBySome(true, false, false), {}).unsolved.empty());
  EXPECT_EQ(planBarriers(metBySome(false, false, false), {}).unsolved.size(), 1U);
  EXPECT_EQ(planBarriers(metBySome(true, true, false), {}).sites.size(), 1U);
}

TEST(HazardCheckTest, SameThreadAndAtomicAccessesNeedNone) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  Access first = write(x), later = read(x);
  first.sameThreadToken = later.sameThreadToken = 1;
  EXPECT_TRUE(checkHazards(b.finish({b.leaf({first}), b.leaf({later})}), {}).empty());
  later.sameThreadToken = 2;
  EXPECT_FALSE(checkHazards(b.finish({b.leaf({first}), b.leaf({later})}), {}).empty());
  Access atomic = partial(x);
  atomic.atomic = true;
  EXPECT_TRUE(checkHazards(b.finish({b.leaf({atomic}), b.leaf({atomic})}), {}).empty());
  EXPECT_FALSE(checkHazards(b.finish({b.leaf({atomic}), b.leaf({read(x)})}), {}).empty());
}

TEST(HazardCheckTest, AsynchronousWriteCountsAtItsWait) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  auto faultsOf = [&](std::vector<uint32_t> middle) {
    std::vector<uint32_t> all = {b.leaf({async(write(x))}), b.commit()};
    all.insert(all.end(), middle.begin(), middle.end());
    all.push_back(b.leaf({read(x)}));
    return checkHazards(b.finish(all), {});
  };
  EXPECT_TRUE(faultsOf({b.wait(0), b.barrier()}).empty());
  EXPECT_EQ(faultsOf({b.barrier()})[0].kind, Kind::NotArrived);
  EXPECT_EQ(faultsOf({b.wait(1), b.barrier()})[0].kind, Kind::NotArrived);
  EXPECT_EQ(faultsOf({b.wait(0, 1), b.barrier()})[0].kind, Kind::NotArrived);
  EXPECT_EQ(faultsOf({b.wait(0)})[0].kind, Kind::WaitNotShared);
  EXPECT_EQ(faultsOf({b.barrier(), b.wait(0)})[0].kind, Kind::WaitNotShared);
}

TEST(HazardCheckTest, AWaitIsOneForTheThreadsThatMakeIt) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  auto isFree = [&](bool isOneCopy, uint32_t commit, uint32_t wait) {
    uint32_t copy = b.leaf({async(write(x))});
    if (isOneCopy)
      b.oneThread(copy);
    return checkHazards(b.finish({copy, commit, wait, b.barrier(), b.leaf({read(x)})}), {}).empty();
  };
  EXPECT_TRUE(isFree(false, b.commit(), b.wait(0)));
  EXPECT_FALSE(isFree(false, b.commit(), b.oneThread(b.wait(0))));
  EXPECT_FALSE(isFree(false, b.oneThread(b.commit()), b.wait(0)));
  EXPECT_TRUE(isFree(true, b.oneThread(b.commit()), b.oneThread(b.wait(0))));
  EXPECT_TRUE(isFree(true, b.commit(), b.wait(0)));
}

TEST(HazardCheckTest, TheOtherProxySeesWhatWasFencedOnEitherSideOfTheBarrier) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  auto kindOf = [&](const Access &first, std::vector<uint32_t> middle) -> std::optional<Kind> {
    middle.insert(middle.begin(), b.leaf({first}));
    Access later = async(write(x), 1);
    later.isOfAsyncProxy = true;
    middle.push_back(b.leaf({later}));
    std::vector<HazardFault> faults = checkHazards(b.finish(middle), {});
    return faults.empty() ? std::nullopt : std::optional(faults[0].kind);
  };
  for (const Access &first : {write(x), read(x)}) {
    EXPECT_EQ(kindOf(first, {b.fence(), b.barrier()}), std::nullopt);
    EXPECT_EQ(kindOf(first, {b.barrier(), b.fence(), b.barrier()}), std::nullopt);
    EXPECT_EQ(kindOf(first, {b.barrier()}), Kind::NotFenced);
    EXPECT_EQ(kindOf(first, {b.barrier(), b.fence()}), std::nullopt);
    EXPECT_EQ(kindOf(first, {b.oneThread(b.fence()), b.barrier()}), Kind::NotFenced);
    EXPECT_EQ(kindOf(first, {b.barrier(), b.oneThread(b.fence())}), Kind::NotFenced);
    EXPECT_EQ(kindOf(first, {b.fence()}), Kind::NotFenced);
    EXPECT_EQ(kindOf(first, {b.barrier(), b.fence(), b.leaf({first})}), Kind::NotFenced);
  }
  Access copy = async(write(x));
  EXPECT_EQ(kindOf(copy, {b.commit(), b.wait(0), b.fence(), b.barrier()}), std::nullopt);
  EXPECT_EQ(kindOf(copy, {b.commit(), b.wait(0), b.barrier()}), Kind::NotFenced);
  EXPECT_EQ(kindOf(copy, {b.commit(), b.fence(), b.wait(0), b.barrier()}), Kind::NotFenced);
  EXPECT_EQ(kindOf(copy, {b.commit(), b.wait(0), b.barrier(), b.fence()}), std::nullopt);
  EXPECT_EQ(kindOf(copy, {b.commit(), b.barrier(), b.fence(), b.wait(0), b.barrier()}),
            Kind::NotFenced);
  Access wgmma = async(read(x), 1);
  wgmma.isOfAsyncProxy = true;
  EXPECT_EQ(kindOf(wgmma, {b.commit(1), b.wait(0, 1), b.barrier()}), std::nullopt);
}

TEST(HazardCheckTest, ACopyThatAnMbarrierCountsArrivesWithItsPhase) {
  for (bool waits : {true, false}) {
    ProgramBuilder b;
    BufferId x = b.buffer("x");
    uint32_t arrived = b.mbarrier(1);
    b.program.threads = 128;
    std::vector<uint32_t> all = {b.oneThread(b.expect({arrived}, 64)),
                                 b.oneThread(b.arrive({arrived})),
                                 b.oneThread(b.leaf({counted(write(x), {arrived}, 64)}))};
    // A wait of the queue of threads' own copies has nothing to do with it.
    all.push_back(waits ? b.waitPhase({arrived}, {}) : b.wait(0));
    all.push_back(b.leaf({read(x)}));
    std::vector<HazardFault> faults = checkHazards(b.finish(all), {});
    ASSERT_EQ(faults.empty(), waits);
    EXPECT_TRUE(waits || faults[0].kind == Kind::NotArrived);
  }
}

TEST(HazardCheckTest, ABarrierInARoleIsNoneOfAllThreads) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  uint32_t first = b.seq({b.leaf({write(x)}), b.barrier()});
  uint32_t second = b.seq({b.barrier(), b.leaf({read(x)})});
  EXPECT_FALSE(checkHazards(b.finish({b.roles({first, second})}), {}).empty());
}

TEST(HazardCheckTest, BackEdgeIsSeen) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  uint32_t loop =
      b.loop(b.stmt(), 0, std::nullopt, {b.leaf({write(x)}), b.barrier(), b.leaf({read(x)})});
  std::vector<HazardFault> faults = checkHazards(b.finish({loop}), {});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Kind::MissingBarrier);
  EXPECT_TRUE(faults[0].overBackEdge);
  ProgramBuilder c;
  BufferId y = c.buffer("y");
  uint32_t once = c.loop(c.stmt(), 1, 1, {c.leaf({write(y)}), c.barrier(), c.leaf({read(y)})});
  EXPECT_TRUE(checkHazards(c.finish({once}), {}).empty());
}

TEST(HazardCheckTest, BarrierOnOnePathIsNotEnough) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  AccessProgram program =
      b.finish({b.leaf({write(x)}), b.branch({b.barrier()}), b.leaf({read(x)})});
  EXPECT_EQ(checkHazards(program, {}).size(), 1U);
}

TEST(HazardCheckTest, SharedBytesAreHazardsToo) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program = b.finish({b.leaf({read(x)}), b.leaf({write(y)})});
  EXPECT_TRUE(checkHazards(program, {}).empty());
  EXPECT_TRUE(checkHazards(program, {{x, 0, 64, 64}, {y, 64, 64, 64}}).empty());
  EXPECT_EQ(checkHazards(program, {{x, 0, 64, 64}, {y, 32, 64, 64}}).size(), 1U);
}

TEST(HazardCheckTest, PipelinedKernelsNeedEachOfTheirWaitsAndBarriers) {
  for (const AccessProgram &program : {pipelinedGemm(2), pipelinedGemm(3), pipelinedGemm(4),
                                       attentionForward(2), attentionForward(1)}) {
    EXPECT_TRUE(checkHazards(program, {}).empty());
    for (AccessNode::Kind kind : {AccessNode::Kind::Barrier, AccessNode::Kind::Wait})
      for (int skip = 0; skip != countOf(program, kind); ++skip) {
        // The barrier before the output tile of attention has nothing to separate but shared bytes.
        bool isHandOver = kind == AccessNode::Kind::Barrier && program.buffers.size() == 4 &&
                          skip == countOf(program, kind) - 2;
        EXPECT_EQ(checkHazards(without(program, kind, skip), {}).empty(), isHandOver)
            << toString(without(program, kind, skip));
      }
  }
}

TEST(HazardCheckTest, OneGroupTooFewWaitedForIsSeen) {
  AccessProgram program = pipelinedGemm(3);
  for (AccessNode &node : program.nodes)
    if (node.kind == AccessNode::Kind::Wait)
      ++node.pending;
  std::vector<HazardFault> faults = checkHazards(program, {});
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].kind, Kind::NotArrived);
}

} // namespace
