// Decides how each pipelined loop overlaps copies with computation; changes no statement.
//
//     for k in T.Pipelined(T.ceildiv(K, 32), num_stages=3):
//         T.copy(A[by * 128, k * 32], A_shared)
//         T.copy(B[k * 32, bx * 128], B_shared)
//         T.gemm(A_shared, B_shared, C_local)
//
// gets `schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 2, -1)]` (statement, order, stage, group) and
// `versions={A_shared: 3, B_shared: 3}`: the copies run two iterations ahead, in one asynchronous
// group, into three slots. The rule is in core/analysis/pipeline_schedule.h; an explicit order and
// stage of the kernel override it and are held against all dependences: what they break is an error
// that shows both statements.
//
// Loops share buffers. Where loops would leave the value of a buffer in slots that differ by path,
// and it is needed there, the buffer keeps one version and all loops are planned again.
//
// With `overlap-products` the last product that depends on another one of its iteration runs while
// threads compute for the next (core/analysis/product_overlap.h); a remark says why none does.
//
// Copies below a condition that all iterations of the loop may ask ahead get one of their own
// (pipeline_conditions.h); parallel loops that gather rows are copies too.
//
// With `stages` serial loops that copy tiles, as those of T.Pipelined without stages, get so many.
//
// A loop that is not pipelined (no stages asked for, no copy that can run ahead, another pipelined
// loop inside, waits of its own) becomes a serial loop here; a remark says why.
//
// Requires: tile. Ensures: every pipelined loop has a schedule that breaks no dependence.
#include "core/analysis/current_slots.h"
#include "core/analysis/pipeline_schedule.h"
#include "core/analysis/product_overlap.h"
#include "core/ir/op_facts.h"
#include "core/pass/pass.h"
#include "passes/pipeline_conditions.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

// Deeper requests would unroll a prologue without end; no GPU has shared memory for them.
constexpr int64_t MaxStages = 32;

struct PlannedLoop {
  const For *loop = nullptr;
  LoopBody body;
  LoopPlan plan;
  std::string notOverlapped;        // why its products are not; empty: nobody asked, or they are
  llvm::SmallVector<int64_t> order; // as asked for, less the slots of replayable binds
  llvm::SmallVector<int64_t> stage;

  const Pipeline &request() const { return *loop->pipeline; }
  bool isExplicit() const { return !request().order.empty(); }
  bool asksForNothing() const { return request().numStages <= 0 && !isExplicit(); }
  llvm::StringRef name() const { return loop->var->name; }
};

// Bounds that read memory are evaluated once: guards and slots mention them again and again.
const Stmt *bindBounds(Context &context, const Stmt *stmt) {
  const auto *loop = llvm::dyn_cast<For>(stmt);
  if (!loop || loop->forKind != ForKind::Pipelined)
    return stmt;
  Builder builder(context);
  llvm::SmallVector<const Stmt *> stmts;
  auto bound = [&](const Expr *value, llvm::StringRef suffix) -> const Expr * {
    if (!readsMemory(value))
      return value;
    const Var *var = builder.var((loop->var->name + suffix).str(), value->dtype());
    stmts.push_back(context.make<Bind>(builder.fresh(loop->span()), var, value));
    return var;
  };
  const Expr *min = bound(loop->min, "_start");
  const Expr *extent = bound(loop->extent, "_trips");
  if (stmts.empty())
    return stmt;
  stmts.push_back(context.make<For>(loop->info(), loop->var, min, extent, loop->forKind, loop->body,
                                    loop->pipeline));
  return builder.seq(builder.fresh(loop->span()), stmts);
}

bool copiesTiles(const Function &function, const For &loop) {
  bool isFound = false, holdsPipeline = false;
  walk(loop.body, [&](const Stmt *stmt) {
    const auto *inner = llvm::dyn_cast<For>(stmt);
    holdsPipeline |= inner && inner->forKind == ForKind::Pipelined;
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    isFound |= op && op->opInfo().work == OpWork::Move &&
               function.buffer(op->regions[0].buffer).scope == Scope::Global &&
               isShared(function.buffer(op->regions[1].buffer).scope);
    return true;
  });
  return isFound && !holdsPipeline;
}

// A serial loop that copies tiles, with so many stages; else the statement.
const Stmt *withStages(Context &context, const Function &function, const Stmt *stmt,
                       int64_t stages) {
  const auto *loop = llvm::dyn_cast<For>(stmt);
  if (!loop || loop->forKind != ForKind::Serial || !copiesTiles(function, *loop))
    return stmt;
  const Pipeline pipeline{.numStages = stages};
  return context.make<For>(loop->info(), loop->var, loop->min, loop->extent, ForKind::Pipelined,
                           loop->body, context.make<Pipeline>(pipeline));
}

// Empty: the loop can be pipelined as far as its shape goes.
std::string findObstacle(const For &loop) {
  std::string obstacle;
  if (mayEndEarly(loop))
    return "a 'break' may end it early";
  walk(loop.body, [&](const Stmt *stmt) {
    const auto *inner = llvm::dyn_cast<For>(stmt);
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (inner && inner->forKind == ForKind::Pipelined)
      obstacle = "it holds another pipelined loop, which is";
    else if (llvm::isa<Role>(stmt))
      obstacle = "warp groups do something of their own in it";
    else if (ordersLaunches(*stmt))
      obstacle = "it waits for other launches, or lets them begin";
    else if (isAsynchronous(*stmt) ||
             (op && (op->opInfo().sync == OpSync::Commit || op->opInfo().sync == OpSync::Wait)))
      obstacle = "it waits for asynchronous copies of its own";
    return obstacle.empty();
  });
  return obstacle;
}

class FunctionPlanner {
public:
  struct Options {
    bool overlapsProducts = false;
    int64_t stages = 0;
  };
  FunctionPlanner(const Function &function, PassContext &pass, Options options)
      : function_(function), pass_(pass), context_(pass.context), options_(options) {}

  // Null: an error was reported.
  const Function *run() {
    const Stmt *body = rewriteStmt(context_, function_.body,
                                   [&](const Stmt *stmt) { return bindBounds(context_, stmt); });
    if (options_.stages != 0)
      body = rewriteStmt(context_, body, [&](const Stmt *stmt) {
        return withStages(context_, function_, stmt, options_.stages);
      });
    body = rewriteStmt(context_, body, [&](const Stmt *stmt) { return splitBody(stmt); });
    const Function *bound = withBody(context_, function_, body);
    if (!findLoops(*bound))
      return nullptr;
    if (loops_.empty())
      return &function_;
    while (planAll(*bound))
      ;
    if (!checkAsked(*bound))
      return nullptr;
    explain(*bound);
    return withBody(context_, *bound, applyPlans(bound->body));
  }

private:
  // A loop whose statements the kernel numbers keeps them.
  const Stmt *splitBody(const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (!loop || loop->forKind != ForKind::Pipelined || loop->pipeline->numStages <= 0 ||
        !loop->pipeline->order.empty() || !findObstacle(*loop).empty())
      return stmt;
    const For *split = splitConditions(context_, function_, *loop);
    if (split != loop)
      unsplit_[loop->id()] = loop->body;
    return split;
  }

  bool findLoops(const Function &function) {
    bool valid = true;
    walk(function.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (!loop || loop->forKind != ForKind::Pipelined)
        return true;
      PlannedLoop planned;
      planned.loop = loop;
      planned.body = computeLoopBody(context_, function, *loop);
      planned.plan.declined = findObstacle(*loop);
      valid &= checkRequest(planned);
      loops_.push_back(std::move(planned));
      return true;
    });
    for (const Buffer *buffer : function.buffers)
      if (buffer->versions > 1)
        unversioned_.insert(buffer->id);
    return valid;
  }

  bool checkRequest(PlannedLoop &planned) {
    const Pipeline &request = planned.request();
    const Span &span = planned.loop->span();
    if (request.numStages > MaxStages) {
      pass_.diagnostics.report(DiagId::PipelineTooDeep, span, request.numStages, MaxStages);
      return false;
    }
    if (request.order.empty() != request.stage.empty()) {
      pass_.diagnostics.report(DiagId::PipelineHalfAsked, span,
                               request.order.empty() ? "order" : "stage");
      return false;
    }
    return !planned.isExplicit() ||
           (takeList("order", request.order, planned, planned.order) &&
            takeList("stage", request.stage, planned, planned.stage) && checkLists(planned));
  }

  // One entry for each scheduled statement, or one for each child with those of the binds ignored.
  bool takeList(llvm::StringRef name, llvm::ArrayRef<int64_t> list, const PlannedLoop &planned,
                llvm::SmallVector<int64_t> &taken) {
    const LoopBody &body = planned.body;
    if (list.size() == body.stmts.size()) {
      taken.assign(list.begin(), list.end());
      return true;
    }
    const auto *seq = llvm::dyn_cast<Seq>(planned.loop->body);
    if (!seq || list.size() != seq->stmts.size()) {
      pass_.diagnostics.report(DiagId::PipelineListLength, planned.loop->span(), name, list.size(),
                               body.stmts.size());
      return false;
    }
    for (auto [entry, child] : llvm::zip_equal(list, seq->stmts))
      if (llvm::is_contained(body.stmts, child))
        taken.push_back(entry);
    return true;
  }

  bool checkLists(const PlannedLoop &planned) {
    std::set<int64_t> places;
    for (auto [stmt, order, stage] :
         llvm::zip_equal(planned.body.stmts, planned.order, planned.stage)) {
      if (stage < 0 || stage > MaxStages) {
        pass_.diagnostics.report(DiagId::PipelineStageRange, stmt->span(), stage, MaxStages);
        return false;
      }
      if (!places.insert(order).second) {
        pass_.diagnostics.report(DiagId::PipelineOrderTwice, stmt->span(), order);
        return false;
      }
    }
    return true;
  }

  // True if a buffer had to lose its versions, so that all must be planned again.
  bool planAll(const Function &function) {
    LoopVersions versions;
    for (PlannedLoop &planned : loops_) {
      if (planned.asksForNothing() || !findObstacle(*planned.loop).empty())
        continue;
      planned.plan = planned.isExplicit()
                         ? planAsAsked(context_, function, pass_.target, planned.body,
                                       planned.order, planned.stage, unversioned_)
                         : planByRule(function, planned);
      if (planned.plan.declined.empty())
        versions[planned.loop->id()] = planned.plan.versions;
    }
    CurrentSlots slots = computeCurrentSlots(context_, function, versions);
    for (const SlotConflict &conflict : slots.conflicts) {
      unversioned_.insert(conflict.buffer);
      emitRemark(pass_.remarks, RemarkId::BufferNotVersioned,
                 {conflict.access->id(), conflict.access->span(), {conflict.buffer}},
                 function.buffer(conflict.buffer).name);
    }
    return !slots.conflicts.empty();
  }

  LoopPlan planByRule(const Function &function, PlannedLoop &planned) {
    if (options_.overlapsProducts) {
      LoopPlan plan =
          planOverlappedProducts(context_, function, pass_.target, planned.body, unversioned_);
      planned.notOverlapped = plan.declined;
      if (plan.declined.empty())
        return plan;
    }
    return planAutomatically(context_, function, pass_.target, planned.body, unversioned_);
  }

  bool checkAsked(const Function &function) {
    bool valid = true;
    for (const PlannedLoop &planned : loops_) {
      if (planned.plan.schedule.empty())
        continue;
      const Dependence *breach =
          findBreach(planned.body, planned.plan.schedule, planned.plan.versions);
      if (breach)
        reportBreach(function, planned, *breach);
      valid &= !breach;
    }
    return valid;
  }

  void reportBreach(const Function &function, const PlannedLoop &planned,
                    const Dependence &breach) {
    llvm::StringRef name = breach.var ? breach.var->name : function.buffer(breach.buffer).name;
    const ScheduledStmt &from = planned.plan.schedule[breach.from];
    const ScheduledStmt &to = planned.plan.schedule[breach.to];
    pass_.diagnostics
        .report(DiagId::PipelineBreach, planned.body.stmts[breach.to]->span(), to.order, to.stage,
                nameOf(breach.kind), name, breach.carried ? " over the back edge" : "")
        .note(planned.body.stmts[breach.from]->span(),
              llvm::formatv("it must come after this statement of order {0} and stage {1}",
                            from.order, from.stage)
                  .str());
  }

  void explain(const Function &function) {
    for (const PlannedLoop &planned : loops_) {
      for (const PipelineRefusal &refusal : planned.plan.refusals)
        emitRemark(pass_.remarks, RemarkId::CopyKeepsItsPlace,
                   {refusal.stmt->id(), refusal.stmt->span(), {refusal.buffer}},
                   function.buffer(refusal.buffer).name, refusal.reason);
      if (!planned.notOverlapped.empty())
        emitRemark(pass_.remarks, RemarkId::ProductsInOrder,
                   {planned.loop->id(), planned.loop->span(), {}}, planned.name(),
                   planned.notOverlapped);
      if (planned.plan.schedule.empty() && !planned.asksForNothing())
        emitRemark(pass_.remarks, RemarkId::LoopNotPipelined,
                   {planned.loop->id(), planned.loop->span(), {}}, planned.name(),
                   planned.plan.declined);
      else if (!planned.plan.schedule.empty())
        explainPlan(function, planned);
    }
  }

  void explainPlan(const Function &function, const PlannedLoop &planned) {
    int64_t ahead = 0;
    for (size_t stmt = 0; stmt < planned.plan.schedule.size(); ++stmt)
      ahead = std::max(ahead, distanceOf(planned.plan.schedule, stmt));
    std::vector<BufferId> buffers;
    std::string counts;
    for (const VersionCount &count : planned.plan.versions) {
      buffers.push_back(count.buffer);
      counts += llvm::formatv("{0}'{1}' {2}", counts.empty() ? "" : ", ",
                              function.buffer(count.buffer).name, count.versions);
    }
    emitRemark(pass_.remarks, RemarkId::LoopPipelined,
               {planned.loop->id(), planned.loop->span(), buffers}, planned.name(),
               std::to_string(ahead) + (ahead == 1 ? " iteration" : " iterations"), counts);
  }

  const Stmt *applyPlans(const Stmt *body) {
    return rewriteStmt(context_, body, [&](const Stmt *stmt) -> const Stmt * {
      const PlannedLoop *planned = llvm::find_if(
          loops_, [&](const PlannedLoop &candidate) { return candidate.loop->id() == stmt->id(); });
      if (planned == loops_.end())
        return stmt;
      const auto *loop = llvm::cast<For>(stmt);
      const LoopPlan &plan = planned->plan;
      if (plan.schedule.empty())
        return context_.make<For>(loop->info(), loop->var, loop->min, loop->extent, ForKind::Serial,
                                  unsplit_.count(loop->id()) ? unsplit_[loop->id()] : loop->body);
      Pipeline pipeline = planned->request();
      pipeline.schedule = context_.copy<ScheduledStmt>(plan.schedule);
      pipeline.versions = context_.copy<VersionCount>(plan.versions);
      return context_.make<For>(loop->info(), loop->var, loop->min, loop->extent, loop->forKind,
                                loop->body, context_.make<Pipeline>(pipeline));
    });
  }

  const Function &function_;
  PassContext &pass_;
  Context &context_;
  llvm::SmallVector<PlannedLoop, 0> loops_; // outer before inner, in source order
  const Options options_;
  UnversionedBuffers unversioned_;
  std::map<StmtId, const Stmt *> unsplit_; // bodies of loops whose conditions were split
};

class PlanPipeline : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      return FunctionPlanner(function, context, options_).run();
    });
  }

  std::vector<PassOption> options() override {
    return {{"overlap-products", &options_.overlapsProducts,
             "multiply while threads compute for the next iteration"},
            {"stages", &options_.stages, "of serial loops that copy tiles; 0: they stay serial"}};
  }

private:
  FunctionPlanner::Options options_;
};

} // namespace

std::unique_ptr<Pass> createPlanPipeline() { return std::make_unique<PlanPipeline>(); }

} // namespace tilescope
