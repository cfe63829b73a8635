#include "core/analysis/pipeline_steps.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using Steps = std::vector<PipelineStep>;

// Statements in order; the copies of a group are one run with its commit after it.
Steps runsAndCommits(llvm::ArrayRef<ScheduledStmt> schedule) {
  Steps steps;
  for (size_t stmt : stmtsInOrder(schedule)) {
    int64_t group = schedule[stmt].group;
    int64_t distance = distanceOf(schedule, stmt);
    bool joins = group >= 0 && !steps.empty() && steps.back().group == group &&
                 steps.back().distance == distance;
    if (joins) {
      steps[steps.size() - 2].stmts.push_back(stmt);
      continue;
    }
    steps.push_back({PipelineStep::Kind::Run, {stmt}, distance, group});
    if (group >= 0)
      steps.push_back({PipelineStep::Kind::Commit, {}, distance, group});
  }
  return steps;
}

struct Need {
  size_t consumer = 0;
  int64_t consumerDistance = 0;
  const PipelineStep *commit = nullptr; // of the awaited group
};

// One for each copy that something waits for: at its first consumer.
std::vector<Need> findNeeds(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                            const Steps &steps) {
  std::vector<Need> needs;
  for (size_t copy = 0; copy < schedule.size(); ++copy) {
    if (schedule[copy].group < 0)
      continue;
    std::optional<size_t> consumer = firstConsumer(body, schedule, copy);
    auto run = llvm::find_if(
        steps, [&](const PipelineStep &step) { return llvm::is_contained(step.stmts, copy); });
    if (consumer)
      needs.push_back({*consumer, distanceOf(schedule, *consumer), &*std::next(run)});
  }
  return needs;
}

// Index of the run that the wait stands before: over the copies just before the consumer, but not
// over those that it waits for in the same step.
size_t waitPosition(const Steps &steps, const Need &need) {
  size_t position = 0;
  while (!llvm::is_contained(steps[position].stmts, need.consumer))
    ++position;
  size_t commit = need.commit - steps.data();
  bool sameStep = need.commit->distance == need.consumerDistance;
  while (position >= 2 && steps[position - 1].kind == PipelineStep::Kind::Commit &&
         (!sameStep || commit != position - 1))
    position -= 2;
  return position;
}

// Commits between that of the awaited instance and `position` in the step of the consumer; nothing
// if the awaited group is committed only later.
std::optional<int64_t> commitsSince(const Steps &steps, const Need &need, size_t position) {
  int64_t stepsBetween = need.commit->distance - need.consumerDistance;
  size_t commit = need.commit - steps.data();
  int64_t all = 0;
  int64_t after = 0;
  int64_t before = 0;
  for (size_t index = 0; index < steps.size(); ++index) {
    if (steps[index].kind != PipelineStep::Kind::Commit)
      continue;
    ++all;
    after += index > commit;
    before += index < position;
  }
  if (stepsBetween == 0)
    return commit < position ? std::optional(before - (all - after)) : std::nullopt;
  return after + (stepsBetween - 1) * all + before;
}

struct PlacedWait {
  size_t position = 0;
  PipelineStep wait;
};

// An earlier wait of the step that runs in every step where this one runs and is strict enough.
bool isImplied(const Steps &steps, const Need &need, llvm::ArrayRef<PlacedWait> earlier) {
  return llvm::any_of(earlier, [&](const PlacedWait &other) {
    std::optional<int64_t> since = commitsSince(steps, need, other.position);
    return since && *since >= other.wait.pending && other.wait.distance >= need.consumerDistance;
  });
}

std::vector<PlacedWait> placeWaits(const Steps &steps, const std::vector<Need> &needs) {
  std::vector<std::pair<size_t, const Need *>> sorted;
  sorted.reserve(needs.size());
  for (const Need &need : needs)
    sorted.push_back({waitPosition(steps, need), &need});
  llvm::stable_sort(sorted, llvm::less_first());
  std::vector<PlacedWait> waits;
  for (auto [position, need] : sorted) {
    if (isImplied(steps, *need, waits))
      continue;
    int64_t pending = *commitsSince(steps, *need, position);
    if (waits.empty() || waits.back().position != position)
      waits.push_back(
          {position,
           {PipelineStep::Kind::Wait, {}, need->consumerDistance, -1, pending, need->consumer}});
    PipelineStep &wait = waits.back().wait;
    wait.pending = std::min(wait.pending, pending);
    wait.distance = std::max(wait.distance, need->consumerDistance);
  }
  return waits;
}

} // namespace

std::vector<PipelineStep> computePipelineSteps(const LoopBody &body,
                                               llvm::ArrayRef<ScheduledStmt> schedule) {
  Steps steps = runsAndCommits(schedule);
  std::vector<PlacedWait> waits = placeWaits(steps, findNeeds(body, schedule, steps));
  Steps result;
  auto next = waits.begin();
  for (size_t index = 0; index < steps.size(); ++index) {
    if (next != waits.end() && next->position == index)
      result.push_back((next++)->wait);
    result.push_back(steps[index]);
  }
  return result;
}

std::vector<PipelineStep> computePhaseSteps(const LoopBody &body,
                                            llvm::ArrayRef<ScheduledStmt> schedule) {
  Steps steps = runsAndCommits(schedule);
  std::vector<Need> needs = findNeeds(body, schedule, steps);
  Steps result;
  for (const PipelineStep &step : steps) {
    if (step.kind == PipelineStep::Kind::Commit)
      continue;
    for (const Need &need : needs) {
      PipelineStep wait{PipelineStep::Kind::Wait, {}, need.consumerDistance,
                        need.commit->group,       0,  need.consumer};
      bool isAwaited = llvm::any_of(result, [&](const PipelineStep &other) {
        return other.kind == PipelineStep::Kind::Wait && other.group == wait.group &&
               other.distance == wait.distance;
      });
      if (llvm::is_contained(step.stmts, need.consumer) && !isAwaited)
        result.push_back(wait);
    }
    result.push_back(step);
  }
  return result;
}

} // namespace tilescope
