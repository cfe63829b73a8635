// What choosePlan makes of a program.
#pragma once

#include "core/check/plan_check.h"
#include "core/plan/plan_objective.h"
#include "core/plan/planner.h"
#include "tests/unit/memory_programs.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

namespace tilescope::test {

// A program whose buffers have one size, its least plan, and what is chosen.
struct Chosen {
  Chosen(AccessProgram of, int64_t sizeBytes)
      : program(std::move(of)), problem(problemOf(program)) {
    for (ArenaBuffer &buffer : problem.buffers) {
      buffer.strideBytes = sizeBytes;
      buffer.sizeBytes = buffer.versions * sizeBytes;
    }
    least = planArena(problem);
    objective.reuseHazards = [this] {
      std::vector<int64_t> nowhere(problem.buffers.size(), 0);
      return ReuseHazards(program, problem, bytesOf(problem, describePlan(problem, nowhere)));
    };
  }

  void choose() {
    ChosenPlan chosen = choosePlan(problem, least, objective);
    plan = chosen.plan;
    barriers = chosen.barriers;
    isFewest = chosen.isFewest;
    EXPECT_EQ(checkPlan(problem, plan), std::vector<std::string>());
    EXPECT_TRUE(checkArena(program, bytesOf(problem, plan)).empty());
    EXPECT_EQ(plan.certificate, least.certificate);
    EXPECT_LE(plan.heightBytes, std::max(least.heightBytes, objective.highestBytes));
    EXPECT_EQ(plan, choosePlan(problem, least, objective).plan);
  }

  BarrierPlan barriersOf(const ArenaPlan &of) const {
    return planBarriers(program, bytesOf(problem, of));
  }
  double runsOf(const ArenaPlan &of) const {
    double runs = 0;
    for (const BarrierSite &site : barriersOf(of).sites)
      runs += site.runs;
    return runs;
  }
  bool share(const ArenaPlan &of, BufferId first, BufferId second) const {
    return llvm::is_contained(of.find(first)->sharesWith, second);
  }

  AccessProgram program;
  ArenaProblem problem;
  PlanObjective objective;
  ArenaPlan least, plan;
  size_t barriers = 0;
  bool isFewest = false;
};

} // namespace tilescope::test
