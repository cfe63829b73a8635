#include "passes/loop_injection.h"

#include "core/analysis/pipeline_steps.h"
#include "core/ir/visit.h"
#include "passes/pipeline_rewrite.h"
#include "passes/touched_buffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

// Makes the statements that replace one loop.
class LoopInjector {
public:
  LoopInjector(Context &context, const Function &function, LoopBody body,
               const std::map<BufferId, int64_t> &tableVersions, const CurrentSlots &slots,
               const Expr *before)
      : context_(context), builder_(context), function_(function), body_(std::move(body)),
        loop_(*body_.loop), tableVersions_(tableVersions), slots_(slots), before_(before) {
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

  // By group of the schedule, what an mbarrier counts; empty: the copies are committed. Behind
  // `check`.
  void countCopies(PassContext &pass, const LoopInjectionOptions &options, AddedBuffers &added) {
    counted_ = tilescope::countCopies(pass, function_, body_, schedule_, options.runsOnce,
                                      options.readers, added);
    if (counted_.empty())
      before_ = nullptr;
  }
  const CountedGroups &counted() const { return counted_; }

  llvm::SmallVector<const Stmt *> run(const Target &target, const LoopInjectionOptions &options) {
    countsSlots_ = options.counters && oddRingOf(counted_) != 0;
    steps_ = counted_.empty() ? computePipelineSteps(body_, schedule_)
                              : computePhaseSteps(body_, schedule_);
    for (const PipelineStep &step : steps_)
      depth_ = std::max(depth_, step.distance);
    // By an unknown count the slots of written-out steps are unknown too, and whether their copies
    // have arrived cannot be checked.
    int64_t trips = constantValue(loop_.extent).value_or(0);
    bool hasBinds =
        llvm::any_of(body_.stmts, [](const Stmt *stmt) { return llvm::isa<Bind>(stmt); });
    if (options.peelEpilogue && trips >= depth_ && !hasBinds)
      written_ = depth_;
    else if (target.hasWgmma() && !hasBinds)
      written_ = stepsBetweenProducts();
    addPrologue();
    result_.push_back(makeLoop());
    addEpilogue();
    return std::move(result_);
  }

private:
  const Expr *integer(int64_t value) { return builder_.integer(value, loop_.var->dtype()); }

  // Counted from the first of all tiles.
  const Expr *countedFrom0(const Expr *iteration) {
    return before_ ? builder_.add(before_, iteration) : iteration;
  }

  // The slot in the iteration number `iteration`, which counts from 0.
  const Expr *slotAt(StmtId stmt, BufferId buffer, const Expr *iteration) {
    iteration = countedFrom0(iteration);
    for (const auto &[number, group] : counted_)
      if (group.barrier->id == buffer)
        return CountedCopies(context_, group).slotAt(iteration);
    auto inTable = tableVersions_.find(buffer);
    if (inTable == tableVersions_.end())
      return nullptr;
    for (const VersionCount &count : loop_.pipeline->versions)
      if (count.buffer == buffer)
        return builder_.floorMod(iteration, integer(count.versions));
    return slots_.find(stmt, buffer);
  }

  const Expr *ordinal() { return builder_.sub(loop_.var, min_); }
  // That a step of the loop handles.
  const Expr *iterationOf(const PipelineStep &step) {
    return builder_.add(ordinal(), integer(step.distance));
  }

  // Statements of a step that handle iteration number `iteration`; in the body they stay
  // themselves.
  llvm::SmallVector<const Stmt *> instance(const PipelineStep &step, const Expr *iteration,
                                           bool inBody) {
    auto slot = [&](StmtId stmt, BufferId buffer) { return slotAt(stmt, buffer, iteration); };
    llvm::SmallVector<const Stmt *> stmts;
    for (size_t index : step.stmts) {
      const Stmt *stmt = body_.stmts[index];
      stmts.push_back(step.group >= 0 ? asLoad(step, stmt) : stmt);
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

  const Stmt *asLoad(const PipelineStep &step, const Stmt *stmt) {
    auto group = counted_.find(step.group);
    return group == counted_.end()
               ? asAsync(context_, stmt)
               : CountedCopies(context_, group->second).copy(*llvm::cast<OpStmt>(stmt));
  }

  // The statements of a Run, behind what tells an mbarrier of their bytes.
  llvm::SmallVector<const Stmt *> runOf(const PipelineStep &step, const Expr *iteration,
                                        bool inBody) {
    llvm::SmallVector<const Stmt *> stmts = instance(step, iteration, inBody);
    auto group = counted_.find(step.group);
    if (group == counted_.end())
      return stmts;
    CountedCopies copies(context_, group->second);
    const Span &span = body_.stmts[step.stmts.front()]->span();
    const Expr *number = countedFrom0(iteration);
    llvm::SmallVector<const Stmt *> before = {copies.expect(span, number)};
    // The first round of the first tile finds all slots empty.
    int64_t slots = group->second.barrier->versions;
    if (group->second.empty && constantValue(number).value_or(slots) >= slots)
      before.insert(before.begin(), copies.acquire(span, number));
    stmts.insert(stmts.end() - static_cast<ptrdiff_t>(step.stmts.size()), before.begin(),
                 before.end());
    return stmts;
  }

  // Iterations from the first product of a step to the last. A condition around one that runs while
  // another does has ptxas wait after each of its instructions: the steps that lack one are written
  // out.
  int64_t stepsBetweenProducts() const {
    int64_t ahead = 0;
    for (const PipelineStep &step : steps_)
      if (step.kind == PipelineStep::Kind::Run && isProduct(step))
        ahead = std::max(ahead, step.distance);
    std::optional<int64_t> trips = constantValue(loop_.extent);
    return trips && *trips < ahead ? 0 : ahead;
  }

  bool isProduct(const PipelineStep &step) const {
    const auto *op =
        step.stmts.empty() ? nullptr : llvm::dyn_cast<OpStmt>(body_.stmts[step.stmts.front()]);
    return op && op->opInfo().work == OpWork::MatrixMultiply;
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

  // For what the consumer of an iteration needs, which there may not be.
  void addWait(llvm::SmallVectorImpl<const Stmt *> &out, const PipelineStep &step,
               const Expr *iteration, const Expr *condition) {
    const Stmt &consumer = *body_.stmts[step.consumer];
    auto group = counted_.find(step.group);
    if (group == counted_.end())
      return out.push_back(wait(step));
    const Stmt *phase =
        CountedCopies(context_, group->second).wait(consumer.span(), countedFrom0(iteration));
    addGuarded(out, condition, phase, consumer);
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
        } else if (iteration >= 0) {
          const Expr *ordinal = integer(iteration);
          addStep(step, ordinal, builder_.less(ordinal, extent_));
        }
      }
    }
  }

  // A step outside of the loop, if it has that iteration.
  void addStep(const PipelineStep &step, const Expr *iteration, const Expr *isThere) {
    if (step.kind == PipelineStep::Kind::Wait)
      return addWait(result_, step, iteration, isThere);
    llvm::SmallVector<const Stmt *> stmts = runOf(step, iteration, false);
    addReleases(stmts, step, iteration);
    addGuarded(result_, isThere, stmts, *body_.stmts[step.stmts.front()]);
  }

  // The last steps, each only as far as it belongs to a real iteration.
  void addEpilogue() {
    for (int64_t left = written_; left > 0; --left) {
      for (const PipelineStep &step : steps_) {
        int64_t back = left - step.distance; // from the end of the iterations
        if (step.kind == PipelineStep::Kind::Commit)
          result_.push_back(commit(step));
        else if (back > 0)
          addStep(step, builder_.sub(extent_, integer(back)),
                  builder_.less(integer(back - 1), extent_));
        else if (step.kind == PipelineStep::Kind::Wait)
          addWait(result_, step, extent_, builder_.boolean(false));
      }
    }
  }

  const Stmt *makeLoop() {
    llvm::SmallVector<const Stmt *> stmts;
    stmts.append(body_.replayable.begin(), body_.replayable.end());
    llvm::SmallVector<const PipelineStep *> unreleased;
    for (const PipelineStep &step : steps_) {
      releaseBefore(&step, unreleased, stmts);
      if (step.kind == PipelineStep::Kind::Commit)
        stmts.push_back(commit(step));
      else
        addBodyRun(stmts, step);
      unreleased.push_back(&step);
    }
    releaseBefore(nullptr, unreleased, stmts);
    Pipeline record;
    record.numStages = loop_.pipeline->numStages;
    record.versions = loop_.pipeline->versions;
    record.injected = true;
    record.counters = countsSlots_;
    const Expr *extent =
        builder_.sub(loop_.extent, builder_.integer(written_, loop_.extent->dtype()));
    return context_.make<For>(loop_.info(), loop_.var, loop_.min, extent, ForKind::Serial,
                              builder_.seq(builder_.fresh(loop_.span()), stmts),
                              context_.make<Pipeline>(record));
  }

  // What a product reads is released as late as its sums are used, so that the next can be started
  // before; null: the end of the loop. Whoever copies waits for releases of earlier steps only if
  // all copies of a step come first, and never for threads that wait for it.
  void releaseBefore(const PipelineStep *next, llvm::SmallVectorImpl<const PipelineStep *> &steps,
                     llvm::SmallVectorImpl<const Stmt *> &out) {
    auto canWait = [&](const PipelineStep *step) {
      if (!next || written_ == 0 || !isProduct(*step))
        return false;
      const Stmt &product = *body_.stmts[step->stmts.front()];
      return next->kind != PipelineStep::Kind::Run ||
             (next->group < 0 && !touchesAny(context_, *body_.stmts[next->stmts.front()],
                                             registersTouchedBy(context_, function_, product)));
    };
    llvm::SmallVector<const PipelineStep *> later;
    for (const PipelineStep *step : steps)
      if (canWait(step))
        later.push_back(step);
      else
        addReleases(out, *step, iterationOf(*step));
    steps.assign(later.begin(), later.end());
  }

  // Of groups whose tiles no later step reads.
  void addReleases(llvm::SmallVectorImpl<const Stmt *> &stmts, const PipelineStep &step,
                   const Expr *iteration) {
    for (const auto &[number, group] : counted_)
      if (group.empty && lastReaderOf(number) == &step)
        stmts.push_back(
            CountedCopies(context_, group)
                .release(body_.stmts[firstCopyOf(number)]->span(), countedFrom0(iteration)));
  }

  const PipelineStep *lastReaderOf(int64_t group) {
    std::set<BufferId> tiles;
    for (auto [stmt, scheduled] : llvm::zip_equal(body_.stmts, schedule_))
      if (scheduled.group == group)
        tiles.insert(llvm::cast<OpStmt>(stmt)->regions[1].buffer);
    const PipelineStep *last = nullptr;
    for (const PipelineStep &step : steps_)
      for (size_t index : step.stmts)
        if (step.group < 0 && touchesAny(context_, *body_.stmts[index], tiles) &&
            (!last || step.distance <= last->distance))
          last = &step;
    return last ? last : &steps_.back();
  }

  void addBodyRun(llvm::SmallVectorImpl<const Stmt *> &stmts, const PipelineStep &step) {
    const Expr *iteration = iterationOf(step);
    const Expr *condition =
        step.distance <= written_ ? builder_.boolean(true) : builder_.less(iteration, extent_);
    if (step.kind == PipelineStep::Kind::Wait)
      return addWait(stmts, step, iteration, condition);
    addGuarded(stmts, condition, runOf(step, iteration, true), *body_.stmts[step.stmts.front()]);
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
  const Expr *before_;                  // iterations of the tiles before; null: there is one
  std::vector<ScheduledStmt> schedule_; // in the order of body_.stmts
  std::vector<PipelineStep> steps_;
  CountedGroups counted_;
  bool countsSlots_ = false;
  int64_t depth_ = 0;   // iterations that the earliest statement runs ahead
  int64_t written_ = 0; // of the last steps, that stand behind the loop
  llvm::SmallVector<const Stmt *> result_;
};

} // namespace

InjectedLoop injectLoop(PassContext &pass, const Function &function, const For &loop,
                        const std::map<BufferId, int64_t> &tableVersions, const CurrentSlots &slots,
                        AddedBuffers &added, const LoopInjectionOptions &options) {
  LoopInjector injector(pass.context, function, computeLoopBody(pass.context, function, loop),
                        tableVersions, slots, options.before);
  InjectedLoop result;
  result.fault = injector.check(pass.target);
  if (!result.fault.empty())
    return result;
  if (options.tma)
    injector.countCopies(pass, options, added);
  result.stmts = injector.run(pass.target, options);
  result.counted = injector.counted();
  return result;
}

} // namespace tilescope
