// Gives every buffer of dynamic shared memory its place in one arena.
//
//     A = alloc_shared((64, 64), "float16")                 A = ..., offset=0
//     B = alloc_shared((64, 64), "float16")           =>    B = ..., offset=8192
//     C = alloc_shared((64, 64), "float32")                 C = ..., offset=0
//
//     copy(..., A); copy(..., B); gemm(A, B, acc); copy(acc, C); copy(C, ...)
//
//     A  |#######|            C is born when A and B are dead, so it takes their bytes
//     B  |  #####|
//     C  |       ####|
//
// Lifetimes come from the accesses (`computeLifetimes`), places from `planArena`; the pass writes
// them into the buffer table. `checkArena` judges the result without either. Barriers that sharing
// bytes makes necessary are put in by the next run of insert-barriers.
//
// Of plans of the least height it takes the one that costs least otherwise (`choosePlan`): fewest
// barriers for bytes that are handed over, as the next run of insert-barriers will count them, most
// buffers where an earlier plan had them, least padding. Planned for occupancy, a plan may be
// higher as long as as many blocks fit on an SM.
//
// Not done: static shared memory is the CUDA compiler's to place; its bytes lower the capacity, and
// may not exceed what CUDA allows. Buffers whose size is known only at launch get regions above the
// plan (core/plan/launch_regions.h).
//
// Requires: lowered, barriers-placed. Ensures: arena-planned; clears barriers-final.
#include "core/analysis/shared_bytes.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"
#include "core/plan/arena_problem.h"
#include "core/plan/infeasible.h"
#include "core/plan/plan_objective.h"
#include "core/plan/planner.h"
#include "core/plan/savings.h"
#include "core/support/buffer_key.h"
#include "core/target/occupancy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope {

namespace {

class MergeSharedMemory : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module,
                           [&](const Function &function) { return merge(function, context); });
  }

  std::vector<PassOption> options() override {
    return {{"search-nodes", &searchNodes_,
             "how many nodes the exact search for the lowest plan may visit; more take longer"}};
  }

private:
  const Function *merge(const Function &function, PassContext &context) {
    const FunctionArena &arena = computeFunctionArena(context.context, function, context.target);
    // What is sized at launch lies above the plan; a static array has no such place.
    for (const Buffer *buffer : function.buffers)
      if (buffer->scope == Scope::SharedStatic && !versionBytes(*buffer))
        context.diagnostics.report(DiagId::SharedSizeNotConstant, buffer->span, buffer->name);
    checkStaticBytes(function, context.diagnostics);
    std::function<bool()> stop;
    if (context.stop)
      stop = [&] { return context.stop->load(); };
    ArenaPlan least =
        planArena(arena.problem, {.searchNodes = searchNodes_, .enoughBytes = 0, .stop = stop});
    PlanObjective objective = objectiveOf(function, arena, least, context);
    objective.stop = stop;
    ChosenPlan chosen = choosePlan(arena.problem, least, objective);
    // What was found so far may not be the least plan: nothing may be said about it.
    if (stop && stop())
      return nullptr;
    const ArenaPlan &plan = chosen.plan;
    if (plan.heightBytes > arena.problem.capacityBytes)
      reportOverCapacity(function, arena.problem, plan, context);
    if (context.diagnostics.hasErrors())
      return nullptr;
    explain(function, chosen, context.remarks);
    explain(function, arena.launchSized, context.remarks);
    PropertySet properties =
        function.properties.with(Property::ArenaPlanned).without(Property::BarriersFinal);
    const Function *placed = applyPlan(function, plan, arena.launchSized, context.context);
    placed = withProperties(context.context, *placed, properties);
    return withPlannerRun(context.context, *placed,
                          {arena.problem, searchNodes_, plan.certificate});
  }

  // A limit of CUDA's own, the same for every GPU (CUDA C++ Programming Guide, Compute
  // Capabilities: more than 48 KB a block must be dynamic).
  static void checkStaticBytes(const Function &function, Diagnostics &diagnostics) {
    std::vector<const Buffer *> arrays;
    int64_t bytes = 0;
    for (const Buffer *buffer : function.buffers) {
      if (buffer->scope != Scope::SharedStatic)
        continue;
      arrays.push_back(buffer);
      bytes = static_cast<int64_t>(llvm::alignTo(bytes, StaticAlignmentBytes)) + bytesOf(*buffer);
    }
    if (bytes <= MaxStaticBytes)
      return;
    Diagnostic &report = diagnostics.report(DiagId::SharedMemoryOverCapacity, function.span,
                                            function.name, bytes, "static", "CUDA", MaxStaticBytes);
    for (const Buffer *buffer : arrays)
      report.note(
          buffer->span,
          llvm::formatv("'{0}' takes {1:N} bytes; without scope=\"shared\" it would be dynamic",
                        buffer->name, bytesOf(*buffer)));
  }

  static int64_t bytesOf(const Buffer &array) {
    return versionStrideBytes(array).value_or(0) * array.versions;
  }

  static PlanObjective objectiveOf(const Function &function, const FunctionArena &arena,
                                   const ArenaPlan &least, PassContext &context) {
    PlanObjective objective;
    if (context.plan.forOccupancy && arena.launchSized.empty())
      objective.highestBytes = highestOfStep(function, least.heightBytes, context.target);
    objective.previousOffsets.reserve(arena.problem.buffers.size());
    for (const ArenaBuffer &placed : arena.problem.buffers)
      objective.previousOffsets.push_back(
          previousOffset(function, function.buffer(placed.id), context.plan.previousOffsets));
    // From the accesses that insert-barriers looks at.
    objective.reuseHazards = [&] {
      std::vector<BufferBytes> versions;
      versions.reserve(arena.problem.buffers.size());
      for (const ArenaBuffer &placed : arena.problem.buffers)
        versions.push_back({placed.id, 0, slotStrideBytes(function.buffer(placed.id)),
                            *versionBytes(function.buffer(placed.id))});
      std::vector<BufferBytes> launchSized;
      launchSized.reserve(arena.launchSized.size());
      for (const LaunchSizedBuffer &buffer : arena.launchSized)
        launchSized.push_back(standInBytes(buffer.id, buffer.region));
      const AccessTree &tree =
          computeAccessTree(context.context, function, AccessDetail::Statements);
      return ReuseHazards(tree.program, arena.problem, versions, launchSized);
    };
    return objective;
  }

  // The most dynamic bytes with which as many blocks fit on an SM as with `bytes`.
  static int64_t highestOfStep(const Function &function, int64_t bytes, const Target &target) {
    BlockDemand demand{.dynamicBytes = bytes, .staticBytes = staticSharedBytes(function)};
    walk(function.body, [&](const Stmt *stmt) {
      if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
        demand.threads = std::max(demand.threads, launch->threads);
      return !llvm::isa<Launch>(stmt);
    });
    int blocks = blocksPerSm(target, demand);
    return blocks == 0 ? bytes : dynamicBytesForBlocks(target, blocks, demand.staticBytes);
  }

  static std::optional<int64_t> previousOffset(const Function &function, const Buffer &buffer,
                                               const std::map<std::string, int64_t> &offsets) {
    if (offsets.empty())
      return std::nullopt;
    BufferKey key{function.name.str(), buffer.sourceName.str(), buffer.ordinal, buffer.role.str()};
    auto found = offsets.find(toString(key));
    return found == offsets.end() ? std::nullopt : std::optional(found->second);
  }

  static const Function *applyPlan(const Function &function, const ArenaPlan &plan,
                                   llvm::ArrayRef<LaunchSizedBuffer> launchSized,
                                   Context &context) {
    llvm::DenseMap<uint32_t, int64_t> regions;
    for (const LaunchSizedBuffer &buffer : launchSized)
      regions[buffer.id.value] = buffer.region;
    llvm::SmallVector<const Buffer *> buffers(function.buffers);
    for (const Buffer *&buffer : buffers) {
      Buffer placed = *buffer;
      const Placement *placement = plan.find(buffer->id);
      if (placement)
        placed.offsetBytes = placement->offsetBytes;
      auto region = regions.find(buffer->id.value);
      if (region != regions.end())
        placed.launchRegion = region->second;
      if (placement || placed.launchRegion)
        buffer = context.make<Buffer>(placed);
    }
    return withBuffers(context, function, buffers);
  }

  // Notes name buffers that cannot fit together, whatever the placement, and stages that would fit.
  static void reportOverCapacity(const Function &function, const ArenaProblem &problem,
                                 const ArenaPlan &plan, PassContext &context) {
    Diagnostic &report = context.diagnostics.report(DiagId::SharedMemoryOverCapacity, function.span,
                                                    function.name, plan.heightBytes, "dynamic",
                                                    context.target.name, problem.capacityBytes);
    std::vector<BufferId> core = infeasibleCore(problem);
    const char *why = core.empty()       ? "and is live where most is"
                      : core.size() == 1 ? "more than there is"
                                         : "and is live with the others named here";
    auto versionsText = [](int64_t versions) {
      return versions == 1 ? "1 version" : std::to_string(versions) + " versions";
    };
    for (BufferId id : core.empty() ? plan.certificate.liveSet : core) {
      const Buffer &buffer = function.buffer(id);
      const Placement &placement = *plan.find(id);
      report.note(buffer.span,
                  llvm::formatv("'{0}' takes {1:N} bytes, {2}, {3}", buffer.name,
                                placement.sizeBytes, versionsText(buffer.versions), why));
    }
    noteWhatWouldFit(function, problem, report);
  }

  // The most stages of each loop with which it fits, else the smallest change to one buffer.
  static void noteWhatWouldFit(const Function &function, const ArenaProblem &problem,
                               Diagnostic &report) {
    bool isStageFound = false;
    walk(function.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (loop && loop->pipeline)
        isStageFound |= noteStages(*loop, problem, report);
      return true;
    });
    if (isStageFound || problem.buffers.size() > MaxBuffers)
      return;
    std::vector<Saving> savings = cheapestSavings(problem, FewNodes);
    for (const Saving &saving : llvm::reverse(savings))
      if (saving.heightBytes <= problem.capacityBytes) {
        const Buffer &buffer = function.buffer(saving.buffer);
        report.note(buffer.span,
                    llvm::formatv("{0} it would need {1:N} bytes",
                                  changeText(saving.kind, buffer.name), saving.heightBytes));
        return;
      }
  }

  static bool noteStages(const For &loop, const ArenaProblem &problem, Diagnostic &report) {
    int64_t now = loop.pipeline->numStages;
    for (int64_t stages = std::min(now, MaxStages) - 1; stages > 0; --stages) {
      ArenaProblem changed = withFewerVersions(problem, *loop.pipeline, now - stages);
      int64_t bytes = planArena(changed, FewNodes).heightBytes;
      if (bytes > problem.capacityBytes)
        continue;
      report.note(loop.span(), llvm::formatv("with num_stages={0} here it would need {1:N} bytes",
                                             stages, bytes));
      return true;
    }
    return false;
  }

  static std::string changeText(Saving::Kind kind, llvm::StringRef buffer) {
    switch (kind) {
    case Saving::ShorterLife:
      return llvm::formatv("were '{0}' not live with the others,", buffer);
    case Saving::FewerVersions:
      return llvm::formatv("with one version less of '{0}'", buffer);
    case Saving::NoPadding:
      return llvm::formatv("with no more alignment of '{0}' than the others need,", buffer);
    }
    return "";
  }

  static ArenaProblem withFewerVersions(ArenaProblem problem, const Pipeline &pipeline,
                                        int64_t fewer) {
    for (const VersionCount &versioned : pipeline.versions)
      for (ArenaBuffer &buffer : problem.buffers) {
        // Another loop needs more versions of it.
        if (buffer.id != versioned.buffer || versioned.versions < buffer.versions)
          continue;
        buffer.versions = std::max<int64_t>(buffer.versions - fewer, 1);
        buffer.sizeBytes = buffer.versions * buffer.strideBytes;
      }
    return problem;
  }

  static void explain(const Function &function, const ChosenPlan &chosen, RemarkSink &remarks) {
    const ArenaPlan &plan = chosen.plan;
    if (!remarks.wanted() || plan.placements.empty())
      return;
    emitRemark(remarks, RemarkId::ArenaPlanned, {{}, function.span, {}}, plan.heightBytes,
               proofText(plan));
    if (chosen.barriers > 0 || chosen.barriersOfLeast > 0)
      emitRemark(remarks, RemarkId::BarriersWeighed, {{}, function.span, {}}, chosen.barriers,
                 chosen.isFewest ? "proven fewest" : "the fewest found", chosen.barriersOfLeast);
    for (const Placement &placement : plan.placements) {
      const Buffer &buffer = function.buffer(placement.id);
      int64_t end = placement.offsetBytes + placement.sizeBytes;
      std::vector<BufferId> about = {placement.id};
      llvm::append_range(about, placement.sharesWith);
      emitRemark(remarks, RemarkId::BufferPlaced, {{}, buffer.span, std::move(about)}, buffer.name,
                 placement.offsetBytes, end, reasonText(function, placement));
    }
  }

  static std::string proofText(const ArenaPlan &plan) {
    static constexpr const char *Proofs[] = {"optimal: that much is live at one point",
                                             "optimal: search exhausted", "not proven least"};
    std::string proof = Proofs[static_cast<size_t>(plan.certificate.kind)];
    if (plan.certificate.kind == ProofKind::Gap || plan.isLeast())
      return proof;
    return llvm::formatv("for fewer barriers above the least height {0:N} ({1})",
                         plan.certificate.boundBytes, proof);
  }

  static void explain(const Function &function, llvm::ArrayRef<LaunchSizedBuffer> launchSized,
                      RemarkSink &remarks) {
    if (!remarks.wanted())
      return;
    for (const LaunchSizedBuffer &buffer : launchSized) {
      std::vector<BufferId> about = {buffer.id};
      for (const LaunchSizedBuffer &other : launchSized)
        if (other.region == buffer.region && other.id != buffer.id)
          about.push_back(other.id);
      std::string shares =
          about.size() > 1
              ? "; shares bytes with " + namesOf(function, llvm::ArrayRef(about).drop_front())
              : "";
      emitRemark(remarks, RemarkId::BufferSizedAtLaunch,
                 {{}, function.buffer(buffer.id).span, about}, buffer.name, buffer.region, shares);
    }
  }

  static std::string namesOf(const Function &function, llvm::ArrayRef<BufferId> ids) {
    std::string names;
    for (BufferId id : ids)
      names += (names.empty() ? "'" : ", '") + function.buffer(id).name.str() + "'";
    return names;
  }

  static std::string reasonText(const Function &function, const Placement &placement) {
    std::string reason = placement.below.empty()
                             ? "nothing that is live with it lies below"
                             : "on top of " + namesOf(function, placement.below);
    if (placement.reason == PlacementReason::Pinned)
      reason = "pinned";
    if (!placement.sharesWith.empty())
      reason += "; shares bytes with " + namesOf(function, placement.sharesWith);
    if (placement.paddingBytes > 0)
      reason += llvm::formatv("; {0:N} bytes of padding below", placement.paddingBytes);
    return reason;
  }

  static constexpr int64_t MaxStaticBytes = 49'152;
  static constexpr int64_t StaticAlignmentBytes = 128; // as the emitter declares them

  // What is tried for a message.
  static constexpr int64_t FewNodes = 2'000;
  static constexpr int64_t MaxStages = 16;
  static constexpr size_t MaxBuffers = 256;

  int64_t searchNodes_ = 100'000;
};

} // namespace

std::unique_ptr<Pass> createMergeSharedMemory() { return std::make_unique<MergeSharedMemory>(); }

} // namespace tilescope
