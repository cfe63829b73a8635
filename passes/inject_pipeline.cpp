// Carries out the schedule of each pipelined loop: prologue, one body, versions and slots.
//
//     for k in T.Pipelined(n, num_stages=3, schedule=..., versions={S: 3}):
//         T.copy(A[k * 64], S)
//         T.gemm(S, ...)
// becomes
//     if 0 < n: T.copy(A[0], S[slot 0])                      prologue: steps -2 and -1
//     T.commit_group()
//     if 1 < n: T.copy(A[64], S[slot 1])
//     T.commit_group()
//     for k in T.serial(n):
//         T.wait_group(1)
//         if k + 2 < n: T.copy(A[(k + 2) * 64], S[slot (k + 2) % 3])
//         T.commit_group()
//         T.gemm(S[slot k % 3], ...)
//
// Every step commits every group, empty or not, and waits are never conditional: so trip counts of
// 0, 1, below the depth and unknown are no cases of their own (core/analysis/pipeline_steps.h).
// With `peel-epilogue` the last steps of a loop of known length are written out after it and the
// copies in it lose their guards (unless a bind reads what the loop writes, which written-out steps
// cannot share). They are kept together by default because peeled code needs more registers. Where
// products run ahead of others the steps that lack one are written out in any case: ptxas waits
// after each instruction of wgmma that a condition parts from its wait.
//
// With `roles`, for sm_90a, copies of boxes take the place of cp.async in loops all of whose copies
// allow it (passes/counted_copies.h), and a warp of its own makes them, or a warp group
// (passes/warp_roles.h); `blocks` of a GPU take tile after tile (passes/persistent_tiles.h), whose
// own copies come ahead in `tile-slots` (passes/tile_copies.h). A remark says which copy, or what
// of the launch, does not allow it. With `tma` copies of boxes are made so where all threads copy,
// too.
//
// The buffer table gets the largest count of any loop; each loop indexes modulo its own. Accesses
// elsewhere name the slot that holds the value there (core/analysis/current_slots.h). Barriers come
// later: `insert-barriers` finds that one after each wait is enough.
//
// Requires: tile; a schedule on each pipelined loop. Ensures: pipelined. The loop keeps its
// versions as a record (core/ir/stmt.h); the schedule has done its work and goes, since the
// statements that it names are lowered next.
#include "core/ir/visit.h"
#include "passes/loop_injection.h"
#include "passes/persistent_tiles.h"
#include "passes/pipeline_rewrite.h"
#include "passes/tile_copies.h"
#include "passes/warp_roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <optional>
#include <set>

namespace tilescope {

namespace {

class FunctionInjector {
public:
  struct Options {
    bool peelEpilogue = false;
    bool tma = false;
    bool roles = true;
    bool counters = true;
    int64_t blocks = 0;
    int64_t tileSlots = 0;
  };
  FunctionInjector(const Function &function, PassContext &pass, Options options)
      : function_(function), pass_(pass), context_(pass.context), options_(options),
        added_(pass.context, function) {}

  // Null: an error was reported.
  const Function *run() {
    collectVersions();
    slots_ = computeCurrentSlots(context_, function_, loops_);
    for (const SlotConflict &conflict : slots_.conflicts)
      pass_.diagnostics.report(DiagId::PipelineBadSchedule, conflict.access->span(), "it",
                               llvm::formatv("'{0}' lies in different slots by different paths",
                                             function_.buffer(conflict.buffer).name)
                                   .str());
    failed_ = !slots_.conflicts.empty();
    const Stmt *body = failed_ ? nullptr : transform(function_.body);
    if (failed_)
      return nullptr;
    const Function *changed = withBody(context_, function_, body);
    changed = withBuffers(context_, *changed, versionedBuffers());
    return withProperties(context_, *changed, function_.properties.with(Property::Pipelined));
  }

private:
  void collectVersions() {
    walk(function_.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (!loop || loop->forKind != ForKind::Pipelined || !loop->pipeline)
        return true;
      loops_[loop->id()] = loop->pipeline->versions;
      for (const VersionCount &count : loop->pipeline->versions)
        if (count.versions > 1)
          tableVersions_[count.buffer] = std::max(tableVersions_[count.buffer], count.versions);
      return true;
    });
  }

  llvm::SmallVector<const Buffer *> versionedBuffers() {
    llvm::SmallVector<const Buffer *> buffers(function_.buffers);
    for (const Buffer *&buffer : buffers) {
      auto found = tableVersions_.find(buffer->id);
      if (found == tableVersions_.end())
        continue;
      Buffer changed = *buffer;
      changed.versions = found->second;
      buffer = context_.make<Buffer>(changed);
    }
    llvm::append_range(buffers, barriers_);
    return buffers;
  }

  static bool holdsPipeline(const Launch &launch) {
    bool isFound = false;
    walk(launch.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      isFound |= loop && loop->forKind == ForKind::Pipelined;
      return !isFound;
    });
    return isFound;
  }

  const Stmt *transform(const Stmt *stmt) {
    const Stmt *transformed = transformOwn(stmt);
    return tileCopies_ ? tileCopies_->around(stmt, transformed, waves_.loop->var) : transformed;
  }

  const Stmt *transformOwn(const Stmt *stmt) {
    auto slot = [this](StmtId id, BufferId buffer) { return slots_.find(id, buffer); };
    if (llvm::isa<Parallel>(stmt))
      return applySlots(context_, stmt, slot);
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop && loop->forKind == ForKind::Pipelined)
      return inject(*llvm::cast<For>(applyOwnSlots(context_, loop, slot)));
    llvm::SaveAndRestore outer(runsOnce_,
                               runsOnce_ && (stmt == waves_.loop || !llvm::isa<For, If>(stmt)));
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (launch) {
      readers_ = readersOf(*launch);
      launch = persistent(*launch);
      stmt = launch;
    }
    const Stmt *mapped = mapChildren(context_, stmt, [&](const Stmt *child) {
      const Stmt *transformed = transform(child);
      return launch ? behindInits(transformed) : transformed;
    });
    if (launch && !empty_.empty())
      mapped = divided(*llvm::cast<Launch>(mapped));
    return applyOwnSlots(context_, mapped, slot);
  }

  // Threads that compute while a warp of its own copies; 0: there is none.
  int64_t readersOf(const Launch &launch) {
    if (!options_.roles || !pass_.target.hasRoles() || !holdsPipeline(launch))
      return 0;
    std::string reason = whyNotDivided(pass_, function_, launch);
    if (reason.empty())
      return launch.threads;
    emitRemark(pass_.remarks, RemarkId::NotDivided, {launch.id(), launch.span(), {}}, reason);
    return 0;
  }

  // With roles: its blocks take several tiles, where that is asked for.
  const Launch *persistent(const Launch &launch) {
    waves_ = TileWaves();
    tileCopies_.reset();
    if (options_.blocks < 1)
      return &launch;
    std::string reason = readers_ == 0
                             ? "all of its threads copy"
                             : whyNotPersistent(pass_, function_, launch, options_.blocks);
    RemarkSubject subject{launch.id(), launch.span(), {}};
    if (!reason.empty()) {
      emitRemark(pass_.remarks, RemarkId::NotPersistent, subject, reason);
      return &launch;
    }
    waves_ = withTiles(context_, function_, launch, options_.blocks);
    emitRemark(pass_.remarks, RemarkId::Persistent, subject,
               *constantValue(waves_.launch->gridExtents[0]), *constantValue(waves_.loop->extent));
    if (options_.tileSlots > 0)
      copyTiles(launch);
    return waves_.launch;
  }

  // With blocks that take several tiles: whoever copies brings what stands outside of loops, too.
  void copyTiles(const Launch &launch) {
    tileCopies_.emplace(pass_, function_, launch, options_.tileSlots, readers_, tableVersions_,
                        added_);
    tileCopies_->addSlots(waves_.loop->var, slots_);
    for (const auto &[buffer, group] : tileCopies_->groups()) {
      if (group.barrier->versions > 1)
        tableVersions_[buffer] = group.barrier->versions;
      addBarriers(group, launch.span());
    }
  }

  void addBarriers(const CountedGroup &group, const Span &span) {
    barriers_.push_back(group.barrier);
    if (group.empty) {
      barriers_.push_back(group.empty);
      empty_.insert(group.empty->id);
    }
    llvm::append_range(inits_, CountedCopies(context_, group).init(span));
  }

  const Stmt *divided(const Launch &launch) {
    std::set<BufferId> empty = std::exchange(empty_, {});
    return divideIntoRoles(context_, launch, [&](const OpStmt &op) {
      bool isAcquire = op.opInfo().sync == OpSync::WaitPhase && empty.count(op.regions[0].buffer);
      bool isCounted = op.opInfo().work == OpWork::Move && op.opInfo().operands.back().isMbarrier;
      return isAcquire || isCounted || op.opInfo().sync == OpSync::ExpectBytes;
    });
  }

  const Stmt *behindInits(const Stmt *body) {
    if (inits_.empty())
      return body;
    llvm::SmallVector<const Stmt *> stmts = std::exchange(inits_, {});
    stmts.push_back(body);
    Builder builder(context_);
    return builder.seq(builder.fresh(body->span()), stmts);
  }

  const Stmt *inject(const For &loop) {
    if (!loop.pipeline || loop.pipeline->schedule.empty()) {
      pass_.diagnostics.report(DiagId::PipelineUnplanned, loop.span(), loop.var->name);
      failed_ = true;
      return &loop;
    }
    Builder builder(context_);
    llvm::SmallVector<const Stmt *> stmts;
    const Expr *before = runsOnce_ && waves_.loop ? countBefore(context_, waves_, loop) : nullptr;
    if (before && !constantValue(loop.extent)) {
      const Var *name = builder.var("before", before->dtype());
      stmts.push_back(context_.make<Bind>(builder.fresh(loop.span()), name, before));
      before = name;
    }
    InjectedLoop injected = injectLoop(pass_, function_, loop, tableVersions_, slots_, added_,
                                       {options_.peelEpilogue, options_.tma || readers_ != 0,
                                        runsOnce_, options_.counters, readers_, before});
    if (!injected.fault.empty()) {
      pass_.diagnostics.report(DiagId::PipelineBadSchedule, loop.span(), loop.var->name,
                               injected.fault);
      failed_ = true;
      return &loop;
    }
    for (const auto &[number, group] : injected.counted)
      addBarriers(group, loop.span());
    if (int64_t slots = oddRingOf(injected.counted); slots != 0 && options_.counters)
      emitRemark(pass_.remarks, RemarkId::RingCounted, {loop.id(), loop.span(), {}}, loop.var->name,
                 slots);
    llvm::append_range(stmts, injected.stmts);
    return builder.seq(builder.fresh(loop.span()), stmts);
  }

  const Function &function_;
  PassContext &pass_;
  Context &context_;
  Options options_;
  AddedBuffers added_;
  llvm::SmallVector<const Buffer *> barriers_;
  llvm::SmallVector<const Stmt *> inits_; // of the barriers of a launch
  bool runsOnce_ = true;                  // in each block, what is transformed
  int64_t readers_ = 0;                   // of the launch
  TileWaves waves_;                       // of the launch; without a loop: a tile a block
  std::optional<TileCopies> tileCopies_;  // of those; nothing: threads make them
  std::set<BufferId> empty_;              // barriers of the launch for slots that have been read
  LoopVersions loops_;
  std::map<BufferId, int64_t> tableVersions_; // of buffers with more than one
  CurrentSlots slots_;
  bool failed_ = false;
};

class InjectPipeline : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      return FunctionInjector(function, context, options_).run();
    });
  }

  std::vector<PassOption> options() override {
    return {
        {"peel-epilogue", &options_.peelEpilogue,
         "write the last steps out after a loop of known length instead of guarding its copies"},
        {"tma", &options_.tma,
         "copy by TMA where all threads copy, too, if the target has it and all copies of a loop "
         "allow it"},
        {"roles", &options_.roles,
         "have a warp copy by TMA, or where several warp groups compute a warp group, which gives "
         "its registers away, if the target has roles and all copies of a loop allow it"},
        {"counters", &options_.counters,
         "of copies by TMA: count the slots of a ring up where they are no power of two, instead "
         "of dividing for them"},
        {"blocks", &options_.blocks,
         "with roles: so many blocks at most, which take tile after tile; 0: a block for each"},
        {"tile-slots", &options_.tileSlots,
         "with blocks: have who copies also bring what a tile copies outside of its loops, ahead "
         "of "
         "it in so many slots; 0: threads that compute copy that"}};
  }

private:
  FunctionInjector::Options options_;
};

} // namespace

std::unique_ptr<Pass> createInjectPipeline() { return std::make_unique<InjectPipeline>(); }

} // namespace tilescope
