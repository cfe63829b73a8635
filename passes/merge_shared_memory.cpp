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
// Not done: static shared memory is the CUDA compiler's to place; its bytes only lower the
// capacity. Sizes that are known at launch only are refused.
//
// Requires: lowered, barriers-placed. Ensures: arena-planned; clears barriers-final.
#include "core/pass/pass.h"
#include "core/plan/arena_problem.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class MergeSharedMemory : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module,
                           [&](const Function &function) { return merge(function, context); });
  }

  std::vector<PassOption> options() override {
    return {{"search-nodes", &searchNodes_, "how many nodes the exact search may visit"}};
  }

private:
  const Function *merge(const Function &function, PassContext &context) {
    const FunctionArena &arena = computeFunctionArena(context.context, function, context.target);
    // What is sized at launch is stacked above the plan by the emitter and shares no bytes; a
    // static array has no such place.
    for (const Buffer *buffer : function.buffers)
      if (buffer->scope == Scope::SharedStatic && !versionBytes(*buffer))
        context.diagnostics.report(DiagId::SharedSizeNotConstant, buffer->span, buffer->name);
    ArenaPlan plan = planArena(arena.problem, searchNodes_);
    if (plan.heightBytes > arena.problem.capacityBytes)
      reportOverCapacity(function, arena.problem, plan, context);
    if (context.diagnostics.hasErrors())
      return nullptr;
    explain(function, plan, context.remarks);
    PropertySet properties =
        function.properties.with(Property::ArenaPlanned).without(Property::BarriersFinal);
    const Function *placed = applyPlan(function, plan, context.context);
    return withProperties(context.context, *placed, properties);
  }

  static const Function *applyPlan(const Function &function, const ArenaPlan &plan,
                                   Context &context) {
    llvm::SmallVector<const Buffer *> buffers(function.buffers);
    for (const Buffer *&buffer : buffers)
      if (const Placement *placement = plan.find(buffer->id)) {
        Buffer placed = *buffer;
        placed.offsetBytes = placement->offsetBytes;
        buffer = context.make<Buffer>(placed);
      }
    return withBuffers(context, function, buffers);
  }

  // Notes name who is live where most is, which no placement can avoid.
  static void reportOverCapacity(const Function &function, const ArenaProblem &problem,
                                 const ArenaPlan &plan, PassContext &context) {
    Diagnostic &report =
        context.diagnostics.report(DiagId::SharedMemoryOverCapacity, function.span, function.name,
                                   plan.heightBytes, context.target.name, problem.capacityBytes);
    for (BufferId id : plan.certificate.liveSet) {
      const Buffer &buffer = function.buffer(id);
      const Placement &placement = *plan.find(id);
      report.note(buffer.span, llvm::formatv("'{0}' takes {1} bytes, {2} version(s), and is live "
                                             "where most is",
                                             buffer.name, placement.sizeBytes, buffer.versions));
    }
  }

  static void explain(const Function &function, const ArenaPlan &plan, RemarkSink &remarks) {
    if (!remarks.wanted() || plan.placements.empty())
      return;
    static constexpr const char *Proofs[] = {"optimal: that much is live at one point",
                                             "optimal: search exhausted", "not proven least"};
    emitRemark(remarks, RemarkId::ArenaPlanned, {{}, function.span, {}}, plan.heightBytes,
               Proofs[static_cast<size_t>(plan.certificate.kind)]);
    for (const Placement &placement : plan.placements) {
      const Buffer &buffer = function.buffer(placement.id);
      int64_t end = placement.offsetBytes + placement.sizeBytes;
      std::vector<BufferId> about = {placement.id};
      llvm::append_range(about, placement.sharesWith);
      emitRemark(remarks, RemarkId::BufferPlaced, {{}, buffer.span, std::move(about)}, buffer.name,
                 placement.offsetBytes, end, reasonText(function, placement));
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
      reason += llvm::formatv("; {0} bytes of padding below", placement.paddingBytes);
    return reason;
  }

  int64_t searchNodes_ = 100'000;
};

} // namespace

std::unique_ptr<Pass> createMergeSharedMemory() { return std::make_unique<MergeSharedMemory>(); }

} // namespace tilescope
