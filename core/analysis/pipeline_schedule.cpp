#include "core/analysis/pipeline_schedule.h"

#include "core/analysis/select_copy.h"
#include "core/analysis/select_gather.h"
#include "core/analysis/tile_loads.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace tilescope {

namespace {

// Statements other than the copy that touch its destination.
llvm::SmallVector<size_t> consumersOf(const LoopBody &body, size_t copy) {
  BufferId buffer = filledBy(body.stmts[copy]);
  llvm::SmallVector<size_t> consumers;
  for (const BodyAccess &access : body.accesses)
    if (access.buffer == buffer && access.stmt != copy)
      consumers.push_back(access.stmt);
  return consumers;
}

using AsyncCopies = std::map<size_t, int64_t>; // statement -> versions it may have

// Copies that can be asynchronous; the others are refused.
AsyncCopies findAsyncCopies(Context &context, const Function &function, const Target &target,
                            const LoopBody &body, const UnversionedBuffers &unversioned,
                            int64_t stages, std::vector<PipelineRefusal> &refusals) {
  AsyncCopies copies;
  for (auto [index, stmt] : llvm::enumerate(body.stmts)) {
    std::optional<TileLoad> load = tileLoadOf(function, stmt);
    if (!load)
      continue;
    BufferId buffer = load->destination;
    std::string reason = whyNotAsync(context, function, target, body, index);
    if (!reason.empty())
      refusals.push_back({stmt, buffer, reason});
    else
      copies[index] = mayVersion(function, body, unversioned, buffer) ? stages : 1;
  }
  return copies;
}

// Where an automatic schedule puts a statement: before, at or after a statement of the body.
struct Place {
  enum Phase { Refill, Compute, RefillAfter };
  size_t at = 0;
  Phase phase = Compute;
  size_t consumer = 0; // keeps what one statement waits for together
  int64_t distance = 0;
  size_t stmt = 0;

  auto key() const { return std::tuple(at, phase, consumer, distance, stmt); }
};

Place placeOf(const LoopBody &body, size_t copy, int64_t versions,
              llvm::ArrayRef<size_t> waitPoints) {
  llvm::SmallVector<size_t> consumers = consumersOf(body, copy);
  Place place{waitPoints.front(), Place::Refill, consumers.front(), versions - 1, copy};
  const auto *later =
      llvm::find_if(waitPoints, [&](size_t point) { return point > consumers.back(); });
  if (later != waitPoints.end()) {
    place.at = *later;
    place.distance = versions;
  } else if (place.distance == 0 && consumers.front() == waitPoints.front()) {
    place.at = consumers.back();
    place.phase = Place::RefillAfter;
    place.distance = versions;
  }
  return place;
}

std::vector<ScheduledStmt> scheduleByRule(const LoopBody &body, const AsyncCopies &copies) {
  llvm::SmallVector<size_t> waitPoints;
  for (auto [copy, versions] : copies)
    waitPoints.push_back(consumersOf(body, copy).front());
  llvm::sort(waitPoints);
  std::vector<Place> places;
  int64_t lastStage = 0;
  for (size_t index = 0; index < body.stmts.size(); ++index) {
    auto copy = copies.find(index);
    places.push_back(copy == copies.end() ? Place{index, Place::Compute, index, 0, index}
                                          : placeOf(body, index, copy->second, waitPoints));
    lastStage = std::max(lastStage, places.back().distance);
  }
  llvm::sort(places, [](const Place &a, const Place &b) { return a.key() < b.key(); });
  std::vector<ScheduledStmt> schedule(body.stmts.size());
  for (auto [order, place] : llvm::enumerate(places))
    schedule[place.stmt] = {body.stmts[place.stmt]->id(), static_cast<int64_t>(order),
                            lastStage - place.distance};
  return schedule;
}

// Neighbours that serve one consumer of one iteration are one group; groups are numbered by their
// first copy in the source.
void assignGroups(const LoopBody &body, const AsyncCopies &copies,
                  std::vector<ScheduledStmt> &schedule) {
  std::vector<llvm::SmallVector<size_t>> groups;
  std::optional<size_t> previous;
  for (size_t stmt : stmtsInOrder(schedule)) {
    bool async = copies.count(stmt) != 0;
    bool joins = async && previous && schedule[*previous].stage == schedule[stmt].stage &&
                 firstConsumer(body, schedule, *previous) == firstConsumer(body, schedule, stmt);
    if (async && !joins)
      groups.emplace_back();
    if (async)
      groups.back().push_back(stmt);
    previous = async ? std::optional(stmt) : std::nullopt;
  }
  llvm::sort(groups, [](const auto &a, const auto &b) {
    return *llvm::min_element(a) < *llvm::min_element(b);
  });
  for (auto [number, group] : llvm::enumerate(groups))
    for (size_t stmt : group)
      schedule[stmt].group = static_cast<int64_t>(number);
}

std::vector<VersionCount> countVersions(const Function &function, const LoopBody &body,
                                        llvm::ArrayRef<ScheduledStmt> schedule,
                                        const UnversionedBuffers &unversioned) {
  std::vector<VersionCount> counts;
  for (BufferId buffer : body.redefined)
    if (isShared(function.buffer(buffer).scope))
      counts.push_back({buffer, mayVersion(function, body, unversioned, buffer)
                                    ? versionsNeeded(body, schedule, buffer)
                                    : 1});
  return counts;
}

std::string describeBreach(const Function &function, const Dependence &dependence) {
  if (dependence.var)
    return llvm::formatv("it uses '{0}', which the loop computes", dependence.var->name);
  return llvm::formatv("{0} of '{1}'{2}", nameOf(dependence.kind),
                       function.buffer(dependence.buffer).name,
                       dependence.carried ? " over the back edge" : "");
}

std::string reasonToDecline(const Function &function, const LoopBody &body,
                            const std::vector<PipelineRefusal> &refusals) {
  if (!refusals.empty())
    return llvm::formatv("no copy can run ahead of its use: {0}", refusals.front().reason);
  bool nested = false;
  walk(body.loop->body, [&](const Stmt *stmt) {
    nested |= tileLoadOf(function, stmt).has_value();
    return !nested;
  });
  return nested ? "its copies stand under a condition or in an inner loop"
                : "it has no copy from global to shared memory";
}

} // namespace

bool mayVersion(const Function &function, const LoopBody &body,
                const UnversionedBuffers &unversioned, BufferId buffer) {
  return isShared(function.buffer(buffer).scope) && body.redefinerOf(buffer) &&
         unversioned.count(buffer) == 0;
}

std::string whyNotAsync(Context &context, const Function &function, const Target &target,
                        const LoopBody &body, size_t index) {
  std::optional<TileLoad> load = tileLoadOf(function, body.stmts[index]);
  if (!load)
    return "it is no copy from global to shared memory";
  const Buffer &source = function.buffer(load->source);
  const Buffer &destination = function.buffer(load->destination);
  if (body.redefinerOf(destination.id) != index)
    return llvm::formatv("it is not the first to write all of '{0}' in an iteration",
                         destination.name);
  if (consumersOf(body, index).empty())
    return llvm::formatv("nothing in the loop uses '{0}'", destination.name);
  // The engine may read the source until the wait.
  if (body.writes(source.id))
    return llvm::formatv("the loop writes its source '{0}'", source.name);
  const Stmt *moving = movingPart(body.stmts[index]);
  if (const auto *nest = llvm::dyn_cast<Parallel>(moving))
    return selectGather(context, *nest, *gatherOf(*nest, function), function, target).obstacle;
  CopyChoice choice = selectCopy(*llvm::cast<OpStmt>(moving), function, target);
  return choice.canBeAsync() ? std::string() : choice.reason;
}

LoopPlan planAutomatically(Context &context, const Function &function, const Target &target,
                           const LoopBody &body, const UnversionedBuffers &unversioned) {
  LoopPlan plan;
  AsyncCopies copies = findAsyncCopies(context, function, target, body, unversioned,
                                       body.loop->pipeline->numStages, plan.refusals);
  while (!copies.empty()) {
    plan.schedule = scheduleByRule(body, copies);
    assignGroups(body, copies, plan.schedule);
    plan.versions = countVersions(function, body, plan.schedule, unversioned);
    const Dependence *breach = findBreach(body, plan.schedule, plan.versions);
    if (!breach)
      return plan;
    // Statements that keep their place keep their order: one side of a breach runs ahead.
    size_t culprit = copies.count(breach->to) ? breach->to : breach->from;
    assert(copies.count(culprit) && "a breach without a copy that was moved");
    copies.erase(culprit);
    plan.refusals.push_back(
        {body.stmts[culprit], filledBy(body.stmts[culprit]), describeBreach(function, *breach)});
  }
  plan.schedule.clear();
  plan.versions.clear();
  plan.declined = reasonToDecline(function, body, plan.refusals);
  return plan;
}

LoopPlan planAsAsked(Context &context, const Function &function, const Target &target,
                     const LoopBody &body, llvm::ArrayRef<int64_t> order,
                     llvm::ArrayRef<int64_t> stage, const UnversionedBuffers &unversioned) {
  LoopPlan plan;
  AsyncCopies copies =
      findAsyncCopies(context, function, target, body, unversioned, 1, plan.refusals);
  for (auto [stmt, place, step] : llvm::zip_equal(body.stmts, order, stage))
    plan.schedule.push_back({stmt->id(), place, step});
  assignGroups(body, copies, plan.schedule);
  plan.versions = countVersions(function, body, plan.schedule, unversioned);
  return plan;
}

int64_t versionsNeeded(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                       BufferId buffer) {
  const ScheduledStmt &writer = schedule[*body.redefinerOf(buffer)];
  int64_t versions = 1;
  for (const BodyAccess &access : body.accesses) {
    if (access.buffer != buffer)
      continue;
    const ScheduledStmt &user = schedule[access.stmt];
    versions = std::max(versions, user.stage - writer.stage + (user.order < writer.order ? 0 : 1));
  }
  return versions;
}

const Dependence *findBreach(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                             llvm::ArrayRef<VersionCount> versions) {
  auto versionsOf = [&](BufferId buffer) -> int64_t {
    const auto *found =
        llvm::find_if(versions, [&](const VersionCount &count) { return count.buffer == buffer; });
    return found == versions.end() || !body.redefinerOf(buffer) ? 1 : found->versions;
  };
  auto holds = [&](const Dependence &dependence) {
    const ScheduledStmt &from = schedule[dependence.from];
    const ScheduledStmt &to = schedule[dependence.to];
    // A scalar lives for one pass through the body of the last stage.
    if (dependence.var)
      return from.stage == to.stage && from.order < to.order &&
             distanceOf(schedule, dependence.from) == 0;
    int64_t later = dependence.carried ? versionsOf(dependence.buffer) : 0;
    return std::pair(from.stage, from.order) < std::pair(to.stage + later, to.order);
  };
  const auto found = llvm::find_if_not(body.dependences, holds);
  return found == body.dependences.end() ? nullptr : &*found;
}

std::optional<size_t> firstConsumer(const LoopBody &body, llvm::ArrayRef<ScheduledStmt> schedule,
                                    size_t copy) {
  std::optional<size_t> first;
  for (size_t consumer : consumersOf(body, copy)) {
    auto time = [&](size_t stmt) { return std::pair(schedule[stmt].stage, schedule[stmt].order); };
    if (!first || time(consumer) < time(*first))
      first = consumer;
  }
  return first;
}

llvm::SmallVector<size_t> stmtsInOrder(llvm::ArrayRef<ScheduledStmt> schedule) {
  llvm::SmallVector<size_t> stmts = llvm::to_vector(llvm::seq<size_t>(schedule.size()));
  llvm::sort(stmts, [&](size_t a, size_t b) { return schedule[a].order < schedule[b].order; });
  return stmts;
}

int64_t distanceOf(llvm::ArrayRef<ScheduledStmt> schedule, size_t stmt) {
  int64_t last = schedule[stmt].stage;
  for (const ScheduledStmt &scheduled : schedule)
    last = std::max(last, scheduled.stage);
  return last - schedule[stmt].stage;
}

} // namespace tilescope
