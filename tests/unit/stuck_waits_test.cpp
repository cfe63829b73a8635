// Roles and mbarriers where a wait never ends.
#include "core/check/step_hazards.h"

#include "tests/unit/role_programs.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

TEST(StuckWaits, AnArrivalTooFewIsWaitedForForEver) {
  AccessProgram program = ring({.slots = 2, .trips = 5, .readers = 2});
  EXPECT_TRUE(judge(program).isFree());
  for (AccessMbarrier &mbarrier : program.mbarriers)
    mbarrier.arrivals += 1;
  EXPECT_TRUE(judge(program).stuckAt.isValid());
}

TEST(StuckWaits, RolesThatWaitForEachOtherAreFoundWithoutARace) {
  for (bool isCircle : {true, false}) {
    ProgramBuilder b;
    uint32_t first = b.mbarrier(1), second = b.mbarrier(1);
    b.program.threads = 2;
    std::vector<uint32_t> left = {b.waitPhase({first}, {}), b.arrive({second})};
    std::vector<uint32_t> right = {b.waitPhase({second}, {}), b.arrive({first})};
    if (!isCircle)
      std::swap(right[0], right[1]);
    StepHazards hazards = judge(b.finish({b.lanes({b.seq(left), b.seq(right)}, {1, 1})}));
    EXPECT_EQ(hazards.stuckAt.isValid(), isCircle);
    EXPECT_EQ(hazards.isFree(), !isCircle);
  }
}

} // namespace
} // namespace tilescope::test
