#include "core/views/peak_model.h"

#include "core/access/mbarrier_memory.h"
#include "core/plan/infeasible.h"
#include "core/plan/planner.h"
#include "core/plan/savings.h"
#include "core/trace/trace_queries.h"
#include "core/views/arena_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Each change is planned anew, so there is a limit to how many buffers that is done for.
constexpr size_t MaxBuffers = 256;
constexpr int64_t SearchNodes = 2'000;

// Loops of more stages than this are nobody's, nor are more versions.
constexpr int64_t MaxStages = 16;
constexpr int64_t MaxVersions = 64;

// The most versions that loops other than `pipeline` need of a buffer; at least 1.
int64_t versionsElsewhere(const TraceSnapshot &snapshot, const PipelineRecord &pipeline,
                          BufferId id) {
  int64_t versions = 1;
  for (const PipelineRecord &other : *snapshot.pipelines)
    for (const auto &[otherId, count] : other.versions)
      if (other.loop != pipeline.loop && otherId == id)
        versions = std::max(versions, count);
  return versions;
}

// `problem` with `stages` instead of `pipeline.numStages`: as many versions less of what the loop
// versions, but no fewer than another loop needs.
ArenaProblem withStages(const TraceSnapshot &snapshot, const PipelineRecord &pipeline,
                        int64_t stages, ArenaProblem problem) {
  for (const auto &[id, count] : pipeline.versions) {
    int64_t left = std::clamp(count, int64_t(1), MaxVersions) - (pipeline.numStages - stages);
    int64_t versions = std::max(left, versionsElsewhere(snapshot, pipeline, id));
    for (ArenaBuffer &buffer : problem.buffers) {
      if (buffer.id != id || versions >= buffer.versions)
        continue;
      buffer.versions = versions;
      buffer.sizeBytes = buffer.sizeBytes > 0 ? versions * buffer.strideBytes : 0;
    }
  }
  return problem;
}

KernelLine sourceLineOf(const PassState &state, StmtId loop) {
  const TraceLine *line = state.firstLineOf(loop);
  return line ? line->sourceLine() : KernelLine();
}

void addStages(const PassState &state, const ArenaRecord &arena, std::vector<PeakChange> &changes) {
  const TraceSnapshot &snapshot = state.snapshot();
  for (const PipelineRecord &pipeline : *snapshot.pipelines) {
    if (pipeline.numStages > MaxStages)
      continue;
    KernelLine sourceLine = sourceLineOf(state, pipeline.loop);
    int64_t last = arena.plan.heightBytes;
    for (int64_t stages = pipeline.numStages - 1; stages > 0; --stages) {
      ArenaProblem problem = withStages(snapshot, pipeline, stages, arena.problem);
      int64_t bytes = planArena(problem, SearchNodes).heightBytes;
      if (bytes >= last)
        continue;
      last = bytes;
      changes.push_back(
          {"", "fewer-stages", bytes, arena.plan.heightBytes - bytes, 0, stages, sourceLine});
    }
  }
}

// The names of what has fewer versions than before.
std::vector<std::string> shrunk(const ArenaProblem &before, const ArenaProblem &after) {
  std::vector<std::string> names;
  for (size_t i = 0; i != before.buffers.size(); ++i)
    if (after.buffers[i].versions < before.buffers[i].versions)
      names.push_back(before.buffers[i].name);
  return names;
}

// Each time the loop whose stage is worth most gives one, until the peak is `wantedBytes` or less.
// One loop alone may gain nothing where another is as high, so steps without a gain are kept until
// it is known that none follows with one.
std::vector<PeakStep> stepsTo(int64_t wantedBytes, const PassState &state,
                              const ArenaRecord &arena) {
  constexpr size_t MostSteps = 16;
  const TraceSnapshot &snapshot = state.snapshot();
  std::vector<PeakStep> steps;
  std::vector<int64_t> stages;
  for (const PipelineRecord &pipeline : *snapshot.pipelines)
    stages.push_back(pipeline.numStages > MaxStages ? 1 : pipeline.numStages);
  ArenaProblem problem = arena.problem;
  int64_t height = arena.plan.heightBytes;
  while (height > wantedBytes && steps.size() != MostSteps) {
    std::optional<size_t> best;
    ArenaProblem bestProblem;
    int64_t bestHeight = 0;
    for (size_t i = 0; i != stages.size(); ++i) {
      if (stages[i] <= 1)
        continue;
      ArenaProblem less = withStages(snapshot, (*snapshot.pipelines)[i], stages[i] - 1, problem);
      int64_t bytes = planArena(less, SearchNodes).heightBytes;
      if (best && bytes >= bestHeight)
        continue;
      best = i;
      bestHeight = bytes;
      bestProblem = std::move(less);
    }
    if (!best)
      break;
    --stages[*best];
    std::vector<std::string> names = shrunk(problem, bestProblem);
    KernelLine sourceLine = sourceLineOf(state, (*snapshot.pipelines)[*best].loop);
    if (!names.empty())
      steps.push_back(
          {std::move(names), stages[*best], sourceLine, height - bestHeight, bestHeight});
    height = bestHeight;
    problem = std::move(bestProblem);
  }
  while (!steps.empty() && steps.back().gainBytes <= 0)
    steps.pop_back();
  return steps;
}

std::vector<PeakChange> changesOf(const PassState &state, const FunctionState &joined) {
  const ArenaRecord &arena = *joined.arena;
  static constexpr const char *Names[] = {"shorter-life", "fewer-versions", "no-padding"};
  std::vector<PeakChange> changes;
  if (arena.problem.buffers.size() > MaxBuffers)
    return changes;
  // An mbarrier lives as long as the roles that meet at it: nothing is to be gained there.
  std::vector<BufferId> mbarriers;
  if (joined.accesses)
    mbarriers = buffersOfMbarriers(joined.accesses->program);
  // Against the plan as it is, which may be lower than what lives allow that are upper bounds only.
  for (const Saving &saving : cheapestSavings(arena.problem, SearchNodes))
    if (int64_t gainBytes = arena.plan.heightBytes - saving.heightBytes;
        gainBytes > 0 && !llvm::is_contained(mbarriers, saving.buffer))
      changes.push_back(
          {joined.nameOf(saving.buffer), Names[saving.kind], saving.heightBytes, gainBytes});
  addStages(state, arena, changes);
  if (!joined.demand)
    return changes;
  for (PeakChange &change : changes) {
    BlockDemand demand = *joined.demand;
    demand.dynamicBytes = change.peakBytes;
    change.blocksPerSm = blocksPerSm(*state.facets()->compile().target, demand);
  }
  return changes;
}

PeakFunction functionOf(const PassState &state, const FunctionState &joined) {
  ArenaFacts facts(state, joined);
  const ArenaRecord &arena = *joined.arena;
  PeakFunction function;
  function.context = facts.context();
  function.peakBytes = arena.plan.heightBytes;
  function.capacityBytes = arena.problem.capacityBytes;
  ArenaFunction planned = arenaOf(*state.facets(), joined);
  function.proof = planned.proof;
  function.certificate = planned.certificate;
  if (!planned.conflicts.empty())
    function.conflict = toText(planned.conflicts.front(), planned);
  function.occupancy = occupancyOf(*state.facets(), joined);
  function.at = facts.at(peakPoint(arena));
  for (const ArenaBuffer &buffer : arena.problem.buffers) {
    if (!contains(buffer.live, function.at.point) || buffer.sizeBytes == 0)
      continue;
    function.live.push_back(facts.describe(buffer.id));
    function.liveBytes += buffer.sizeBytes;
  }
  llvm::stable_sort(function.live, [](const WhyBuffer &a, const WhyBuffer &b) {
    return a.sizeBytes > b.sizeBytes;
  });
  for (BufferId id : infeasibleCore(arena.problem))
    function.cannotFit.push_back(facts.nameOf(id));
  if (function.occupancy && function.occupancy->nextBlocks > 0 &&
      arena.problem.buffers.size() <= MaxBuffers)
    function.steps = stepsTo(function.occupancy->nextBytes, state, arena);
  function.changes = changesOf(state, joined);
  return function;
}

} // namespace

PeakView buildPeak(const PassState &state) {
  PeakView view;
  for (const FunctionState &function : state.functions())
    if (function.arena)
      view.functions.push_back(functionOf(state, function));
  view.statics = staticArraysOf(state.snapshot());
  return view;
}

} // namespace tilescope
