// Run alone: unit_tests --gtest_filter='FewestBarriers*'
#include "core/plan/planner.h"
#include "tests/unit/chosen_plans.h"
#include "tests/unit/random_programs.h"

#include <map>

using namespace tilescope;
using namespace tilescope::test;

namespace {

// The fewest runs of all plans of a height, by trying all offsets, as planBarriers counts.
class AllPlans {
public:
  AllPlans(const AccessProgram &program, const ArenaProblem &problem, int64_t heightBytes)
      : program_(program), problem_(problem), height_(heightBytes),
        offsets_(problem.buffers.size(), 0) {}

  double fewestRuns() {
    place(0);
    return fewest_;
  }

private:
  void place(size_t buffer) {
    if (buffer == offsets_.size()) {
      fewest_ = std::min(fewest_, runs());
      return;
    }
    for (int64_t offset = 0; offset + problem_.buffers[buffer].sizeBytes <= height_; offset += 16) {
      offsets_[buffer] = offset;
      if (isFree(buffer))
        place(buffer + 1);
    }
  }

  bool isFree(size_t buffer) const {
    const ArenaBuffer &one = problem_.buffers[buffer];
    for (size_t other = 0; other != buffer; ++other)
      if (offsets_[other] < offsets_[buffer] + one.sizeBytes &&
          offsets_[buffer] < offsets_[other] + problem_.buffers[other].sizeBytes &&
          conflictWitness(one, problem_.buffers[other]))
        return false;
    return true;
  }

  // The same for all plans in which the same versions overlap.
  double runs() {
    std::vector<bool> overlaps;
    for (size_t one = 0; one != offsets_.size(); ++one)
      for (size_t other = 0; other != one; ++other)
        addOverlaps(one, other, overlaps);
    auto [found, isNew] = known_.try_emplace(std::move(overlaps), 0);
    if (!isNew)
      return found->second;
    for (const BarrierSite &site :
         planBarriers(program_, bytesOf(problem_, describePlan(problem_, offsets_))).sites)
      found->second += site.runs;
    return found->second;
  }

  void addOverlaps(size_t one, size_t other, std::vector<bool> &overlaps) const {
    const ArenaBuffer &left = problem_.buffers[one], &right = problem_.buffers[other];
    for (int64_t a = 0; a != left.versions; ++a)
      for (int64_t b = 0; b != right.versions; ++b) {
        int64_t distance =
            offsets_[one] + a * left.strideBytes - offsets_[other] - b * right.strideBytes;
        overlaps.push_back(-left.strideBytes < distance && distance < right.strideBytes);
      }
  }

  const AccessProgram &program_;
  const ArenaProblem &problem_;
  int64_t height_;
  std::vector<int64_t> offsets_;
  std::map<std::vector<bool>, double> known_;
  double fewest_ = 1e300;
};

struct Fewest {
  void look(unsigned seed, const AccessProgram &program, int64_t highestBytes) {
    Chosen chosen(insertBarriers(program, planBarriers(program, {})), 16);
    if (chosen.runsOf(chosen.least) == 0 || chosen.least.heightBytes > highestBytes)
      return;
    chosen.choose();
    AllPlans all(chosen.program, chosen.problem, chosen.least.heightBytes);
    double fewest = all.fewestRuns(), runs = chosen.runsOf(chosen.plan);
    ASSERT_LE(fewest, runs) << "seed " << seed;
    if (chosen.isFewest)
      EXPECT_EQ(runs, fewest) << "seed " << seed << "\n" << toString(chosen.program);
    // Unless barriers in both arms of an If do together what none does alone.
    EXPECT_TRUE(chosen.isFewest || chosen.objective.reuseHazards().mayCostLess())
        << "seed " << seed;
    ++tried;
    shown += chosen.isFewest;
    found += runs == fewest;
    better += fewest < chosen.runsOf(chosen.least);
  }

  int tried = 0, shown = 0, found = 0, better = 0;
};

// Of all plans of the least height; slots are told apart.
TEST(FewestBarriersTest, FewestOfAllSmallPlansAreFound) {
  Fewest single, versions;
  for (unsigned seed = 0; seed != 1000; ++seed) {
    AccessProgram program = RandomProgram(seed, false, 6).make();
    for (AccessBuffer &buffer : program.buffers)
      buffer.versions = 1;
    for (AccessNode &node : program.nodes)
      for (Access &access : node.accesses)
        access.slot = {};
    single.look(seed, program, 96);
    versions.look(seed, RandomProgram(seed, seed % 2 == 0, 5).make(), 128);
  }
  for (const Fewest &one : {single, versions}) {
    EXPECT_GT(one.tried, 300);
    EXPECT_GT(one.better, 80);
    EXPECT_EQ(one.found, one.tried);
    EXPECT_GT(one.shown, one.tried - one.tried / 5);
  }
}

// GEMM with an epilogue that stages a row and then the tile: three slots, of which the last
// iteration of an even number of trips reads slot 1, a barrier after it read slot 0.
//
//     A     |## slots 0 1 2 ##|
//     row                      |##|         over slot 0: free
//     C                          |####|     over slots 1 and 2, not over row: free
AccessProgram gemmWithEpilogue(int64_t trips) {
  ProgramBuilder b;
  BufferId a = b.buffer("A", 3), row = b.buffer("row"), c = b.buffer("C");
  StmtId loop = b.stmt();
  auto copy = [&](Slot slot) { return b.seq({b.leaf({async(write(a, slot))})}); };
  return b.finish({b.guarded(loop, 0, copy(at(0))), b.commit(), b.guarded(loop, 1, copy(at(1))),
                   b.commit(),
                   b.loop(loop, trips, trips,
                          {b.wait(1), b.barrier(), b.guarded(loop, 2, copy(inLoop(loop, 2, 3))),
                           b.commit(), b.leaf({read(a, inLoop(loop, 0, 3))})}),
                   b.leaf({write(row)}), b.barrier(), b.leaf({read(row)}), b.leaf({write(c)}),
                   b.barrier(), b.leaf({read(c)})});
}

TEST(FewestBarriersTest, SlotThatWasReadABarrierAgoIsTakenForFree) {
  for (int64_t trips : {8, 31, 32, 33}) {
    Chosen chosen(gemmWithEpilogue(trips), 64);
    for (ArenaBuffer &buffer : chosen.problem.buffers)
      if (buffer.name == "C")
        buffer.strideBytes = buffer.sizeBytes = 128;
    chosen.least = planArena(chosen.problem);
    ASSERT_EQ(chosen.least.heightBytes, 192);
    ASSERT_GT(chosen.runsOf(chosen.least), 0) << trips;
    chosen.choose();
    EXPECT_EQ(chosen.plan.heightBytes, 192);
    EXPECT_EQ(chosen.runsOf(chosen.plan), 0) << trips;
    EXPECT_TRUE(chosen.isFewest);
  }
}

} // namespace
