#include "core/plan/arena_problem.h"

#include "core/analysis/access_group.h"
#include "core/analysis/known_program.h"
#include "core/analysis/shared_bytes.h"
#include "core/plan/planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope {

namespace {

ArenaBuffer arenaBufferOf(const Buffer &buffer, int64_t strideBytes, const BufferLifetime &life) {
  ArenaBuffer result;
  result.id = buffer.id;
  result.name = buffer.name.str();
  // What nobody touches needs no bytes.
  bool isTouched = !life.defs.empty() || !life.uses.empty();
  result.versions = buffer.versions;
  result.strideBytes = strideBytes;
  result.sizeBytes = isTouched ? strideBytes * buffer.versions : 0;
  result.alignmentBytes = alignmentBytes(buffer);
  result.live = life.intervals;
  return result;
}

std::vector<std::string> unknownsOf(const Function &function) {
  std::vector<std::string> unknown;
  if (!function.properties.has(Property::Pipelined))
    unknown.push_back("versions of pipelined buffers");
  if (!function.properties.has(Property::LayoutsInferred))
    unknown.push_back("padding");
  if (!function.properties.has(Property::Lowered))
    unknown.push_back("workspaces of lowered operations");
  return unknown;
}

Lifetimes lifetimesOf(Context &context, const AccessProgram &program) {
  return knownOf(context, program, {}, [&] { return computeLifetimes(program); });
}

// A live set lasts for a stretch of points, and the copy that completes it says little of why: the
// point named is the first at which one of its buffers is read.
ProgramPoint firstReadFrom(const Certificate &certificate, const Lifetimes &lifetimes) {
  auto isInSet = [&](const BufferLifetime &life) {
    return llvm::is_contained(certificate.liveSet, life.buffer);
  };
  ProgramPoint end = lifetimes.pointCount;
  for (const BufferLifetime &life : llvm::make_filter_range(lifetimes.buffers, isInSet))
    for (const LiveInterval &interval : life.intervals)
      if (interval.begin <= certificate.point && certificate.point < interval.end)
        end = std::min(end, interval.end);
  ProgramPoint first = end;
  for (const BufferLifetime &life : llvm::make_filter_range(lifetimes.buffers, isInSet))
    for (ProgramPoint use : life.uses)
      if (use >= certificate.point)
        first = std::min(first, use);
  return first == end ? certificate.point : first;
}

FunctionArena functionArena(Context &context, const Function &function, const Target &target) {
  FunctionArena arena;
  arena.program = computeAccessTree(context, function, AccessDetail::Groups).program;
  arena.lifetimes = lifetimesOf(context, arena.program);
  arena.isPreview = !function.properties.has(Property::ArenaPlanned);
  arena.unknown = unknownsOf(function);
  arena.problem.capacityBytes =
      std::max<int64_t>(target.sharedBytesPerBlock - staticSharedBytes(function), 0);
  for (const BufferLifetime &life : arena.lifetimes.buffers) {
    const Buffer &buffer = function.buffer(life.buffer);
    if (buffer.scope != Scope::Shared)
      continue;
    std::optional<int64_t> stride = versionStrideBytes(buffer);
    if (!stride) {
      arena.launchSized.push_back({buffer.id, buffer.name.str(), buffer.versions,
                                   buffer.launchRegion.value_or(0), life.intervals});
      arena.unknown.push_back("the size of '" + buffer.name.str() + "'");
      continue;
    }
    arena.problem.buffers.push_back(arenaBufferOf(buffer, *stride, life));
  }
  if (arena.isPreview)
    planLaunchRegions(arena.launchSized);
  return arena;
}

// nullptr: no planner placed its buffers.
const PlannerRun *plannerRunOf(Context &context, const Function &function) {
  if (!function.asPlanned)
    return nullptr;
  return &context.cached<PlannerRun>({function.asPlanned}, [] { return PlannerRun(); });
}

// Points may differ: barriers were inserted since.
bool haveSameConflicts(const ArenaProblem &a, const ArenaProblem &b) {
  if (a.buffers.size() != b.buffers.size())
    return false;
  for (auto [one, other] : llvm::zip(a.buffers, b.buffers))
    if (one.id != other.id || one.sizeBytes != other.sizeBytes ||
        one.alignmentBytes != other.alignmentBytes || one.pinnedOffset != other.pinnedOffset)
      return false;
  for (size_t first = 0; first != a.buffers.size(); ++first)
    for (size_t second = 0; second != first; ++second)
      if (conflictWitness(a.buffers[first], a.buffers[second]).has_value() !=
          conflictWitness(b.buffers[first], b.buffers[second]).has_value())
        return false;
  return true;
}

bool isLiveAt(const ArenaBuffer &buffer, ProgramPoint point) {
  return llvm::any_of(buffer.live, [&](const LiveInterval &interval) {
    return interval.begin <= point && point < interval.end;
  });
}

// The first point at which the whole live set is live.
std::optional<ProgramPoint> pointOf(const Certificate &certificate, const ArenaProblem &problem) {
  std::vector<const ArenaBuffer *> set;
  for (const ArenaBuffer &buffer : problem.buffers)
    if (llvm::is_contained(certificate.liveSet, buffer.id))
      set.push_back(&buffer);
  std::optional<ProgramPoint> first;
  for (const ArenaBuffer *buffer : set)
    for (const LiveInterval &interval : buffer->live)
      if ((!first || interval.begin < *first) &&
          llvm::all_of(set, [&](const auto *one) { return isLiveAt(*one, interval.begin); }))
        first = interval.begin;
  return first;
}

Certificate certificateOf(Context &context, const Function &function, const FunctionArena &arena) {
  const PlannerRun *run = plannerRunOf(context, function);
  if (!run)
    return planArena(arena.problem).certificate;
  if (haveSameConflicts(run->problem, arena.problem)) {
    Certificate certificate = run->certificate;
    if (certificate.kind != ProofKind::LiveAtPoint)
      return certificate;
    if (std::optional<ProgramPoint> point = pointOf(certificate, arena.problem)) {
      certificate.point = *point;
      return certificate;
    }
  }
  return planArena(arena.problem, run->searchNodes).certificate;
}

// An edit may have put buffers where others are live: of such a plan nothing is least.
bool hasOverlap(const ArenaProblem &problem, const ArenaPlan &plan) {
  for (size_t one = 0; one != problem.buffers.size(); ++one)
    for (size_t other = 0; other != one; ++other) {
      const Placement &a = plan.placements[one];
      const Placement &b = plan.placements[other];
      bool shareBytes = a.offsetBytes < b.offsetBytes + b.sizeBytes &&
                        b.offsetBytes < a.offsetBytes + a.sizeBytes;
      if (shareBytes && conflictWitness(problem.buffers[one], problem.buffers[other]))
        return true;
    }
  return false;
}

} // namespace

const FunctionArena &computeFunctionArena(Context &context, const Function &function,
                                          const Target &target) {
  return context.cached<FunctionArena>({&function, &target},
                                       [&] { return functionArena(context, function, target); });
}

ArenaPlan currentPlan(Context &context, const Function &function, const FunctionArena &arena) {
  ArenaPlan plan;
  if (arena.isPreview) {
    plan = planArena(arena.problem);
  } else {
    std::vector<int64_t> offsets;
    offsets.reserve(arena.problem.buffers.size());
    for (const ArenaBuffer &buffer : arena.problem.buffers)
      offsets.push_back(function.buffer(buffer.id).offsetBytes.value_or(0));
    plan = describePlan(arena.problem, offsets);
    if (!hasOverlap(arena.problem, plan))
      plan.certificate = certificateOf(context, function, arena);
  }
  if (plan.certificate.kind == ProofKind::LiveAtPoint)
    plan.certificate.point = firstReadFrom(plan.certificate, arena.lifetimes);
  return plan;
}

const Function *withPlannerRun(Context &context, const Function &placed, PlannerRun run) {
  context.cached<PlannerRun>({&placed}, [&] { return std::move(run); });
  Function planned = placed;
  planned.asPlanned = &placed;
  return context.make<Function>(planned);
}

} // namespace tilescope
