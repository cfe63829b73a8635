// Run alone: unit_tests --gtest_filter='MinimallocCsv*'
#include "core/check/plan_check.h"
#include "core/exports/minimalloc_csv.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;

namespace {

std::string row(int index, std::mt19937 &random) {
  auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  int lower = below(20), length = 1 + below(30), upper = lower + length;
  std::string gaps;
  for (int at = lower + 1; length > 4 && at + 2 < upper && below(2) == 0; at += 3)
    gaps += (gaps.empty() ? "" : " ") + std::to_string(at) + "-" + std::to_string(at + 1);
  int versions = 1 + below(3);
  std::vector<std::string> fields = {"b" + std::to_string(index),
                                     std::to_string(lower),
                                     std::to_string(upper),
                                     std::to_string(16 * versions * (1 + below(8))),
                                     "16",
                                     gaps,
                                     std::to_string(versions),
                                     std::to_string(16 * below(64))};
  return llvm::join(fields, ",") + "\n";
}

Trace imported(const std::string &text) {
  return llvm::cantFail(
      traceOfProblem(llvm::cantFail(readProblemCsv(text, "a.csv")), {"a.csv", text, "arena", 0}));
}

// Offsets may be wrong: a plan is imported as it is.
TEST(MinimallocCsv, ComesBackAsTheSameFile) {
  std::mt19937 random(7);
  for (int round = 0; round != 200; ++round) {
    std::string text = "id,lower,upper,size,alignment,gaps,versions,offset\n";
    for (int index = 0; index != round % 12; ++index)
      text += row(index, random);
    Trace trace = imported(text);
    const TraceSnapshot &snapshot = trace.snapshots.back();
    EXPECT_EQ(llvm::cantFail(minimallocCsv(snapshot, snapshot.arenas->front())), text);
  }
}

TEST(MinimallocCsv, MakesAProgramWithTheLivesOfTheFile) {
  std::mt19937 random(11);
  for (int round = 0; round != 200; ++round) {
    std::string text = "id,lower,upper,size,alignment,gaps,versions,offset\n";
    for (int index = 0; index != 8; ++index)
      text += row(index, random);
    Trace trace = imported(text);
    const TraceSnapshot &snapshot = trace.snapshots.back();
    const Lifetimes &lifetimes = snapshot.accesses->front().lifetimes;
    const ArenaProblem &problem = snapshot.arenas->front().problem;
    ASSERT_EQ(lifetimes.buffers.size(), problem.buffers.size());
    for (size_t i = 0; i != problem.buffers.size(); ++i)
      EXPECT_EQ(lifetimes.buffers[i].intervals, problem.buffers[i].live) << text;
    EXPECT_EQ(trace.passes.back().verdicts.arenaSound,
              verdictOf(checkPlan(problem, snapshot.arenas->front().plan).empty()));
  }
}

TEST(MinimallocCsv, PassesOverVersionsThatAreNotOurs) {
  for (const char *versions : {"", "0", "-2", "3", "two", "99999999"}) {
    std::string text = std::string("id,lower,upper,size,versions\na,0,3,64,") + versions + "\n";
    EXPECT_EQ(imported(text).snapshots.back().buffers->front().versions, 1) << versions;
  }
}

TEST(MinimallocCsv, CountsLateTimes) {
  Trace trace = imported("id,lower,upper,size,offset\na,7,100001,64,0\nb,9,100001,64,64\n");
  const ArenaRecord &arena = trace.snapshots.back().arenas->front();
  EXPECT_EQ(arena.problem.buffers[0].live, (std::vector<LiveInterval>{{0, 2}}));
  EXPECT_EQ(arena.problem.buffers[1].live, (std::vector<LiveInterval>{{1, 2}}));
  EXPECT_EQ(arena.plan.heightBytes, 128);
  EXPECT_FALSE(arena.preview);
}

TEST(MinimallocCsv, RefusesNamesThatItCannotHold) {
  Trace trace = imported("id,lower,upper,size,offset\na,0,1,64,0\n");
  TraceSnapshot &snapshot = trace.snapshots.back();
  for (const char *name : {"", "a,b", " a", "a\n"}) {
    BufferRecord record = snapshot.buffers->front();
    record.key.sourceName = name;
    TraceSnapshot renamed = snapshot;
    renamed.buffers = std::make_shared<std::vector<BufferRecord>>(1, record);
    llvm::Expected<std::string> text = minimallocCsv(renamed, snapshot.arenas->front());
    EXPECT_FALSE(static_cast<bool>(text)) << name;
    llvm::consumeError(text.takeError());
  }
}

} // namespace
