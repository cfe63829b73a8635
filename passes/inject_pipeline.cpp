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
// cannot share). They are kept together by default because peeled code needs more registers.
//
// The buffer table gets the largest count of any loop; each loop indexes modulo its own. Accesses
// elsewhere name the slot that holds the value there (core/analysis/current_slots.h). Barriers come
// later: `insert-barriers` finds that one after each wait is enough.
//
// Requires: tile; a schedule on each pipelined loop. Ensures: pipelined. The loop keeps its
// versions as a record (core/ir/stmt.h); the schedule has done its work and goes, since the
// statements that it names are lowered next.
#include "core/analysis/current_slots.h"
#include "core/analysis/pipeline_steps.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"
#include "passes/pipeline_rewrite.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// A copy, or a parallel loop that gathers, perhaps under a condition.
const Stmt *asAsync(Context &context, const Stmt *load) {
  return rewriteStmt(context, load, [&](const Stmt *stmt) -> const Stmt * {
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      return context.make<Parallel>(nest->info(), nest->vars, nest->extents, nest->body,
                                    nest->coalescedWidth, nest->layout, /*isAsync=*/true,
                                    nest->written);
    const auto *copy = llvm::dyn_cast<OpStmt>(stmt);
    if (!copy)
      return stmt;
    llvm::SmallVector<int64_t> attrs(copy->attrs);
    attrs[copy->opInfo().indexOf(Attr::Async)] = 1;
    return context.make<OpStmt>(copy->info(), copy->op, copy->regions, copy->args,
                                context.copy<int64_t>(attrs));
  });
}

// Makes the statements that replace one loop.
class LoopInjector {
public:
  LoopInjector(Context &context, const Function &function, LoopBody body,
               const std::map<BufferId, int64_t> &tableVersions, const CurrentSlots &slots)
      : context_(context), builder_(context), function_(function), body_(std::move(body)),
        loop_(*body_.loop), tableVersions_(tableVersions), slots_(slots) {
    for (const Bind *&bind : body_.replayable)
      bind = llvm::cast<Bind>(applySlots(
          context_, bind, [&](StmtId stmt, BufferId id) { return slots_.find(stmt, id); }));
    extent_ = builder_.cast(loop_.var->dtype(), loop_.extent);
    min_ = builder_.cast(loop_.var->dtype(), loop_.min);
  }

  // Empty: the schedule fits the body.
  std::string check(const Target &target) {
    std::map<StmtId, ScheduledStmt> byId;
    for (const ScheduledStmt &scheduled : loop_.pipeline->schedule)
      byId[scheduled.stmt] = scheduled;
    if (loop_.pipeline->schedule.size() != body_.stmts.size())
      return llvm::formatv("it names {0} statements of {1}", loop_.pipeline->schedule.size(),
                           body_.stmts.size());
    for (auto [index, stmt] : llvm::enumerate(body_.stmts)) {
      if (!byId.count(stmt->id()))
        return llvm::formatv("it leaves out statement {0}", index);
      schedule_.push_back(byId[stmt->id()]);
      std::string reason =
          schedule_.back().group >= 0 ? whyNotAsync(context_, function_, target, body_, index) : "";
      if (!reason.empty())
        return llvm::formatv("statement {0} cannot be asynchronous: {1}", index, reason);
    }
    for (const VersionCount &count : loop_.pipeline->versions)
      if (count.versions < 1 || !body_.redefinerOf(count.buffer))
        return llvm::formatv("it cannot give '{0}' {1} versions",
                             function_.buffer(count.buffer).name, count.versions);
    if (const Dependence *breach = findBreach(body_, schedule_, loop_.pipeline->versions))
      return llvm::formatv("statement {0} overtakes statement {1}", breach->to, breach->from);
    return {};
  }

  llvm::SmallVector<const Stmt *> run(bool peelEpilogue) {
    steps_ = computePipelineSteps(body_, schedule_);
    for (const PipelineStep &step : steps_)
      depth_ = std::max(depth_, step.distance);
    // By an unknown count the slots of written-out steps are unknown too, and whether their copies
    // have arrived cannot be checked.
    trips_ = constantValue(loop_.extent).value_or(0);
    bool hasBinds =
        llvm::any_of(body_.stmts, [](const Stmt *stmt) { return llvm::isa<Bind>(stmt); });
    peeled_ = peelEpilogue && depth_ > 0 && trips_ >= depth_ && !hasBinds;
    addPrologue();
    result_.push_back(makeLoop());
    if (peeled_)
      addEpilogue();
    return std::move(result_);
  }

private:
  const Expr *integer(int64_t value) { return builder_.integer(value, loop_.var->dtype()); }

  // The slot in the iteration number `iteration`, which counts from 0.
  const Expr *slotAt(StmtId stmt, BufferId buffer, const Expr *iteration) {
    auto inTable = tableVersions_.find(buffer);
    if (inTable == tableVersions_.end())
      return nullptr;
    for (const VersionCount &count : loop_.pipeline->versions)
      if (count.buffer == buffer)
        return builder_.floorMod(iteration, integer(count.versions));
    return slots_.find(stmt, buffer);
  }

  const Expr *ordinal() { return builder_.sub(loop_.var, min_); }

  // Statements of a step that handle iteration number `iteration`; in the body they stay
  // themselves.
  llvm::SmallVector<const Stmt *> instance(const PipelineStep &step, const Expr *iteration,
                                           bool inBody) {
    auto slot = [&](StmtId stmt, BufferId buffer) { return slotAt(stmt, buffer, iteration); };
    llvm::SmallVector<const Stmt *> stmts;
    for (size_t index : step.stmts) {
      const Stmt *stmt = body_.stmts[index];
      stmts.push_back(step.group >= 0 ? asAsync(context_, stmt) : stmt);
    }
    if (inBody && step.distance == 0) {
      for (const Stmt *&stmt : stmts)
        stmt = applySlots(context_, stmt, slot);
      return stmts;
    }
    // Slots last in the body, first in a clone: they are about the new iteration, and found by id.
    if (!inBody)
      for (const Stmt *&stmt : stmts)
        stmt = applySlots(context_, stmt, slot);
    const Expr *index =
        inBody ? builder_.add(loop_.var, integer(step.distance)) : builder_.add(min_, iteration);
    stmts = atIteration(context_, body_, stmts, index, inBody);
    if (inBody)
      for (const Stmt *&stmt : llvm::MutableArrayRef(stmts).take_back(step.stmts.size()))
        stmt = applySlots(context_, stmt, slot);
    return stmts;
  }

  // Adds the statements under a condition, or as they are if it is known to hold.
  void addGuarded(llvm::SmallVectorImpl<const Stmt *> &out, const Expr *condition,
                  llvm::ArrayRef<const Stmt *> stmts, const Stmt &from) {
    std::optional<int64_t> known = constantValue(condition);
    if (known == 0)
      return;
    if (known) {
      out.append(stmts.begin(), stmts.end());
      return;
    }
    const Stmt *body = builder_.seq(builder_.fresh(from.span()), stmts);
    out.push_back(context_.make<If>(builder_.cloned(from), condition, body, nullptr));
  }

  const Stmt *commit(const PipelineStep &step) {
    const Stmt *copy = body_.stmts[firstCopyOf(step.group)];
    return builder_.op(builder_.fresh(copy->span()), Op::CommitGroup, {});
  }

  size_t firstCopyOf(int64_t group) const {
    return llvm::find_if(schedule_,
                         [&](const ScheduledStmt &stmt) { return stmt.group == group; }) -
           schedule_.begin();
  }

  const Stmt *wait(const PipelineStep &step) {
    return builder_.op(builder_.fresh(body_.stmts[step.consumer]->span()), Op::WaitGroup, {}, {},
                       {{Attr::Pending, step.pending}});
  }

  void addPrologue() {
    bool committed = false;
    for (int64_t time = -depth_; time < 0; ++time) {
      for (const PipelineStep &step : steps_) {
        int64_t iteration = time + step.distance;
        if (step.kind == PipelineStep::Kind::Commit) {
          committed |= iteration >= 0;
          if (committed)
            result_.push_back(commit(step));
        } else if (iteration >= 0 && step.kind == PipelineStep::Kind::Wait) {
          result_.push_back(wait(step));
        } else if (iteration >= 0) {
          const Expr *ordinal = integer(iteration);
          addGuarded(result_, builder_.less(ordinal, extent_), instance(step, ordinal, false),
                     *body_.stmts[step.stmts.front()]);
        }
      }
    }
  }

  // The last `depth` steps, each only as far as it belongs to a real iteration.
  void addEpilogue() {
    for (int64_t time = trips_ - depth_; time < trips_; ++time) {
      for (const PipelineStep &step : steps_) {
        if (step.kind == PipelineStep::Kind::Commit)
          result_.push_back(commit(step));
        else if (step.kind == PipelineStep::Kind::Wait)
          result_.push_back(wait(step));
        else if (time + step.distance < trips_)
          llvm::append_range(result_, instance(step, integer(time + step.distance), false));
      }
    }
  }

  const Stmt *makeLoop() {
    llvm::SmallVector<const Stmt *> stmts;
    stmts.append(body_.replayable.begin(), body_.replayable.end());
    for (const PipelineStep &step : steps_) {
      if (step.kind == PipelineStep::Kind::Commit)
        stmts.push_back(commit(step));
      else if (step.kind == PipelineStep::Kind::Wait)
        stmts.push_back(wait(step));
      else
        addBodyRun(stmts, step);
    }
    Pipeline record;
    record.numStages = loop_.pipeline->numStages;
    record.versions = loop_.pipeline->versions;
    record.injected = true;
    const Expr *extent =
        peeled_ ? builder_.sub(loop_.extent, builder_.integer(depth_, loop_.extent->dtype()))
                : loop_.extent;
    return context_.make<For>(loop_.info(), loop_.var, loop_.min, extent, ForKind::Serial,
                              builder_.seq(builder_.fresh(loop_.span()), stmts),
                              context_.make<Pipeline>(record));
  }

  void addBodyRun(llvm::SmallVectorImpl<const Stmt *> &stmts, const PipelineStep &step) {
    const Expr *iteration = builder_.add(ordinal(), integer(step.distance));
    const Expr *condition =
        step.distance == 0 || peeled_ ? builder_.boolean(true) : builder_.less(iteration, extent_);
    addGuarded(stmts, condition, instance(step, iteration, true), *body_.stmts[step.stmts.front()]);
  }

  Context &context_;
  Builder builder_;
  const Function &function_;
  LoopBody body_;
  const For &loop_;
  const std::map<BufferId, int64_t> &tableVersions_;
  const CurrentSlots &slots_;
  const Expr *extent_ = nullptr; // of the type of the loop variable, as min_
  const Expr *min_ = nullptr;
  std::vector<ScheduledStmt> schedule_; // in the order of body_.stmts
  std::vector<PipelineStep> steps_;
  int64_t depth_ = 0; // iterations that the earliest statement runs ahead
  int64_t trips_ = 0; // 0 where unknown
  bool peeled_ = false;
  llvm::SmallVector<const Stmt *> result_;
};

class FunctionInjector {
public:
  FunctionInjector(const Function &function, PassContext &pass, bool peelEpilogue)
      : function_(function), pass_(pass), context_(pass.context), peelEpilogue_(peelEpilogue) {}

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
    return buffers;
  }

  const Stmt *transform(const Stmt *stmt) {
    auto slot = [this](StmtId id, BufferId buffer) { return slots_.find(id, buffer); };
    if (llvm::isa<Parallel>(stmt))
      return applySlots(context_, stmt, slot);
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop && loop->forKind == ForKind::Pipelined)
      return inject(*llvm::cast<For>(applyOwnSlots(context_, loop, slot)));
    const Stmt *mapped =
        mapChildren(context_, stmt, [&](const Stmt *child) { return transform(child); });
    return applyOwnSlots(context_, mapped, slot);
  }

  const Stmt *inject(const For &loop) {
    if (!loop.pipeline || loop.pipeline->schedule.empty()) {
      pass_.diagnostics.report(DiagId::PipelineUnplanned, loop.span(), loop.var->name);
      failed_ = true;
      return &loop;
    }
    LoopInjector injector(context_, function_, computeLoopBody(context_, function_, loop),
                          tableVersions_, slots_);
    if (std::string fault = injector.check(pass_.target); !fault.empty()) {
      pass_.diagnostics.report(DiagId::PipelineBadSchedule, loop.span(), loop.var->name, fault);
      failed_ = true;
      return &loop;
    }
    Builder builder(context_);
    return builder.seq(builder.fresh(loop.span()), injector.run(peelEpilogue_));
  }

  const Function &function_;
  PassContext &pass_;
  Context &context_;
  bool peelEpilogue_;
  LoopVersions loops_;
  std::map<BufferId, int64_t> tableVersions_; // of buffers with more than one
  CurrentSlots slots_;
  bool failed_ = false;
};

class InjectPipeline : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      return FunctionInjector(function, context, peelEpilogue_).run();
    });
  }

  std::vector<PassOption> options() override {
    return {
        {"peel-epilogue", &peelEpilogue_,
         "write the last steps out after a loop of known length instead of guarding its copies"}};
  }

private:
  bool peelEpilogue_ = false;
};

} // namespace

std::unique_ptr<Pass> createInjectPipeline() { return std::make_unique<InjectPipeline>(); }

} // namespace tilescope
