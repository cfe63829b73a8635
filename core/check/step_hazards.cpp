#include "core/check/step_hazards.h"

#include "core/check/lane_run.h"
#include "core/check/step_races.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Of one execution.
struct Execution {
  std::vector<HazardFault> found;
  StmtId stuckAt;
};

// What one buffer lacks, those that had its bytes before lack as well.
void dropFollowing(std::vector<HazardFault> &faults) {
  auto isNotFenced = [](const HazardFault &fault) {
    return fault.kind == HazardFault::Kind::NotFenced;
  };
  const std::vector<HazardFault> all = faults;
  llvm::erase_if(faults, [&](const HazardFault &fault) {
    return isNotFenced(fault) && fault.first != fault.second &&
           llvm::any_of(all, [&](const HazardFault &own) {
             return isNotFenced(own) && own.first == own.second &&
                    own.secondStmt == fault.secondStmt;
           });
  });
}

Execution execute(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                  const LaneSteps &lanes, size_t outsideLane) {
  LaneRun run = runLanes(program, lanes, outsideLane);
  // Of steps that are not reached nothing is known.
  if (!run.order.isKnown() || run.stuckAt.isValid())
    return {{}, run.stuckAt};
  Execution execution;
  for (const StepRace &race : findStepRaces(program, bytes, run.order).races)
    if (race.isCertain)
      execution.found.push_back(race.fault);
  dropFollowing(execution.found);
  return execution;
}

bool hasStepsOfOneOutside(const AccessProgram &program, const LaneSteps &lanes) {
  return llvm::any_of(lanes.lanes[0].steps, [&](const LaneStep &step) {
    return step.isOutside && program.nodes[step.node].oneThread;
  });
}

bool hasFault(llvm::ArrayRef<HazardFault> faults, const HazardFault &wanted) {
  return llvm::any_of(faults, [&](const HazardFault &fault) {
    return fault.kind == wanted.kind && fault.firstStmt == wanted.firstStmt &&
           fault.secondStmt == wanted.secondStmt && fault.first == wanted.first &&
           fault.second == wanted.second;
  });
}

// Whichever thread does what one does outside of the roles, there must be a fault: those that all
// choices have, or, where each has its own, those of the first.
Execution faultsOf(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                   const LaneSteps &lanes) {
  Execution first = execute(program, bytes, lanes, 0);
  std::vector<HazardFault> common = first.found;
  size_t choices = hasStepsOfOneOutside(program, lanes) ? lanes.lanes.size() : 1;
  for (size_t lane = 1; lane < choices; ++lane) {
    Execution other = execute(program, bytes, lanes, lane);
    if (other.found.empty() && !other.stuckAt.isValid())
      return {};
    llvm::erase_if(common, [&](const HazardFault &fault) { return !hasFault(other.found, fault); });
  }
  if (!common.empty())
    first.found = std::move(common);
  return first;
}

// A wait that no execution ends: which steps can be made is the same in all of them.
StmtId stuckIn(const AccessProgram &program, const LaneSteps &lanes) {
  StmtId first = stuckAt(program, lanes, 0);
  size_t choices = hasStepsOfOneOutside(program, lanes) ? lanes.lanes.size() : 1;
  for (size_t lane = 1; lane < choices && first.isValid(); ++lane)
    if (!stuckAt(program, lanes, lane).isValid())
      return {};
  return first;
}

} // namespace

StepHazards judgeSteps(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                       const FollowedSteps &order) {
  StepHazards hazards;
  if (order.steps.lanes.lanes.empty() || !order.steps.lanes.problem.empty()) {
    hazards.why = "what roles and mbarriers order";
    return hazards;
  }
  if (order.steps.isKnown()) {
    StepRaces races = findStepRaces(program, bytes, order.steps);
    for (const StepRace &race : races.races)
      hazards.open.push_back(race.fault);
    if (races.isTooMuch)
      hazards.why = "what so many accesses lead to";
  }
  if (!order.gaps.empty())
    hazards.why = order.gaps.front().why;
  if (hazards.isFree()) {
    hazards.stuckAt = stuckIn(program, order.steps.lanes);
    return hazards;
  }
  Execution execution = faultsOf(program, bytes, order.steps.lanes);
  hazards.found = std::move(execution.found);
  hazards.stuckAt = execution.stuckAt;
  return hazards;
}

StepHazards judgeLengths(llvm::ArrayRef<OfLength> lengths, const std::vector<BufferBytes> &bytes) {
  for (const OfLength &one : lengths) {
    StepHazards hazards = judgeSteps(one.program, bytes, one.order);
    if (hazards.isFree() && areOver(one.program, bytes, one.order.steps, one.quiet))
      continue;
    if (hazards.isFree())
      hazards.why = "whether all that an iteration does is over at its last barrier";
    if (hazards.stuckAt.isValid())
      hazards.why = "whether a wait ends";
    llvm::append_range(hazards.open, std::exchange(hazards.found, {}));
    hazards.stuckAt = StmtId();
    return hazards;
  }
  return {};
}

} // namespace tilescope
