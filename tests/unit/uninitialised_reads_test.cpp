// Run alone: unit_tests --gtest_filter='UninitialisedReads*'
#include "core/access/uninitialised_reads.h"
#include "tests/unit/access_programs.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/random_programs.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilescope;
using namespace tilescope::test;

namespace {

using Reads = std::set<std::pair<uint32_t, uint32_t>>; // node, buffer

Reads listOf(const AccessProgram &program) {
  Reads reads;
  for (const UninitialisedRead &read : computeUninitialisedReads(program))
    reads.insert({read.node, read.buffer.value});
  return reads;
}

TEST(UninitialisedReadsTest, ReadBeforeTheFirstWriteIsListed) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  uint32_t first = b.leaf({read(x)});
  AccessProgram program =
      b.finish({first, b.leaf({write(x)}), b.leaf({partial(y)}), b.leaf({read(x), read(y)})});
  EXPECT_EQ(listOf(program), Reads({{first, x.value}}));
}

// What an accumulation adds to in its first run is what its own write comes too late for.
TEST(UninitialisedReadsTest, AccumulationCountsByItsFirstRun) {
  for (bool isCleared : {false, true}) {
    ProgramBuilder b;
    BufferId c = b.buffer("c");
    uint32_t gemm = b.leaf({read(c), write(c)});
    uint32_t loop = b.loop(b.stmt(), 0, std::nullopt, {gemm, b.leaf({read(c)})});
    std::vector<uint32_t> all = {loop, b.leaf({read(c)})};
    if (isCleared)
      all.insert(all.begin(), b.leaf({write(c)}));
    EXPECT_EQ(listOf(b.finish(all)), isCleared ? Reads() : Reads({{gemm, c.value}}));
  }
}

TEST(UninitialisedReadsTest, WriteOnSomePathIsAWrite) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y"), z = b.buffer("z");
  // `if ...: write x; read x` in a loop; y is written later in each iteration; z by a loop that
  // may run zero times.
  uint32_t loop =
      b.loop(b.stmt(), 2, 2,
             {b.branch({b.leaf({write(x)})}), b.leaf({read(x)}), b.branch({b.leaf({read(y)})}),
              b.leaf({write(y)}), b.loop(b.stmt(), 0, std::nullopt, {b.leaf({write(z)})})});
  EXPECT_EQ(listOf(b.finish({loop, b.leaf({read(z)})})), Reads());
}

TEST(UninitialisedReadsTest, ReadInALoopThatNeverRunsIsNotListed) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  EXPECT_EQ(listOf(b.finish({b.loop(b.stmt(), 0, 0, {b.leaf({read(x)})})})), Reads());
}

TEST(UninitialisedReadsTest, SlotsAreToldApart) {
  ProgramBuilder b;
  BufferId x = b.buffer("x", 3);
  uint32_t other = b.leaf({read(x, at(1))});
  AccessProgram program = b.finish(
      {b.leaf({write(x, at(0))}), b.leaf({read(x, at(0))}), other, b.leaf({read(x, anySlot())})});
  EXPECT_EQ(listOf(program), Reads({{other, x.value}}));
}

// The prologue fills what iteration 0 reads; without it only iterations 1 and later find something.
TEST(UninitialisedReadsTest, PrologueOfAPipelineIsMissed) {
  for (bool hasPrologue : {false, true}) {
    ProgramBuilder b;
    BufferId x = b.buffer("x", 2);
    StmtId loop = b.stmt();
    uint32_t reader = b.leaf({read(x, inLoop(loop, 0, 2))});
    std::vector<uint32_t> all;
    if (hasPrologue)
      all.push_back(b.guarded(loop, 0, b.leaf({write(x, at(0))})));
    all.push_back(b.loop(loop, 1, std::nullopt,
                         {b.guarded(loop, 1, b.leaf({write(x, inLoop(loop, 1, 2))})), reader}));
    EXPECT_EQ(listOf(b.finish(all)), hasPrologue ? Reads() : Reads({{reader, x.value}}));
  }
}

TEST(UninitialisedReadsTest, WhatAnotherRoleWritesMayBeThere) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  uint32_t consumer = b.leaf({read(x), read(y)});
  AccessProgram program =
      b.finish({b.roles({b.seq({consumer}), b.seq({b.leaf({write(x)})})}), b.leaf({read(x)})});
  EXPECT_EQ(listOf(program), Reads({{consumer, y.value}}));
}

// By plain execution: what each leaf finds in its first run on every path.
class FirstRuns {
public:
  void add(const Path &path) {
    std::set<std::pair<size_t, int64_t>> written;
    std::set<uint32_t> run;
    for (const PathStep &step : path) {
      bool isFirst = run.insert(step.node).second;
      for (const PathAccess &one : step.accesses)
        if (isFirst && one.access->kind == AccessKind::Read) {
          bool finds = written.count({one.buffer, one.slot}) != 0;
          (finds ? found_ : read_).insert({step.node, one.access->buffer.value});
        }
      for (const PathAccess &one : step.accesses)
        if (one.access->kind == AccessKind::Write)
          written.insert({one.buffer, one.slot});
    }
  }

  Reads thatFoundNothing() const {
    Reads reads = read_;
    for (const auto &read : found_)
      reads.erase(read);
    return reads;
  }

private:
  Reads read_;
  Reads found_;
};

TEST(UninitialisedReadsTest, RandomProgramsAgreeWithPlainExecution) {
  size_t compared = 0, listed = 0;
  for (unsigned seed = 0; seed != 4000; ++seed) {
    AccessProgram program = RandomProgram(seed).make();
    FirstRuns runs;
    PathEnumerator paths(program, /*maxTrips=*/5);
    if (!paths.forEachPath(/*limit=*/2000, [&](const Path &path) { runs.add(path); }))
      continue;
    Reads expected = runs.thatFoundNothing();
    ASSERT_EQ(listOf(program), expected) << "seed " << seed << '\n' << toString(program);
    ++compared;
    listed += expected.size();
  }
  EXPECT_GT(compared, 2000U);
  EXPECT_GT(listed, 1000U);
}

} // namespace
