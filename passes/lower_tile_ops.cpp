// lower-tile-ops: tile operations and parallel loops become what one thread does.
//
//     T.copy(A[by * 128, k * 32], A_shared[k % 3])
//   becomes
//     lane_row = tx // 4
//     lane_col = tx % 4 * 8
//     for row_step in T.unroll(4):
//       row = lane_row + row_step * 32
//       T.cp_async(A[by * 128 + row, k * 32 + lane_col:8], A_shared[k % 3, row, lane_col:8])
//
// What depends on the thread alone is named once for all statements that ask for the same, then at
// the head of the launch.
//
// Fragments become register arrays of one thread that keep their fragment layout. Shared and global
// memory stays in logical coordinates. Statements that one tile statement becomes share its anchor.
// Each operation is lowered in passes/lower/<op>.cpp.
//
// Not done here: accesses outside of tensors get their conditions from guard-memory-access, and
// element-wise loops become wide accesses in vectorize.
//
// Requires: tile, layouts-inferred. Ensures: lowered; clears tile.
#include "core/analysis/thread_uniform.h"
#include "core/ir/op_facts.h"
#include "passes/late_store_waits.h"
#include "passes/lower/late_waits.h"
#include "passes/lower/parallel.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

const Stmt *lowerOp(LowerContext &lower, const OpStmt &op) {
  switch (op.op) {
#define LOWERING(Name)                                                                             \
  case Op::Name:                                                                                   \
    return lower##Name(lower, op);
#include "passes/lower/lowerings.def"
  default:
    return lower.fail(op.regions[0].buffer, "there is no lowering for this operation");
  }
}

// Fragments that are touched by plain statements are held by every thread.
class PlainAccess {
public:
  explicit PlainAccess(LowerContext &lower) : lower_(lower) {}

  const Stmt *rewrite(const Stmt *stmt) {
    const Stmt *mapped = mapExprs(lower_.context(), stmt, [&](const Expr *expr) {
      return rewriteExpr(lower_.context(), expr, [&](const Expr *node) -> const Expr * {
        const auto *load = llvm::dyn_cast<Load>(node);
        if (!load || !isFragment(load->buffer))
          return node;
        return lower_.context().make<Load>(load->dtype(), load->buffer, load->slot,
                                           registerIndex(load->buffer, load->indices));
      });
    });
    const auto *store = llvm::dyn_cast<Store>(mapped);
    if (!store || !isFragment(store->buffer))
      return mapped;
    return lower_.context().make<Store>(store->info(), store->buffer, store->slot,
                                        registerIndex(store->buffer, store->indices), store->value);
  }

private:
  bool isFragment(BufferId id) { return lower_.buffer(id).scope == Scope::Fragment; }

  ExprList registerIndex(BufferId id, ExprList indices) {
    const Expr *number = lower_.index(0);
    for (auto [digits, index] : llvm::zip_equal(lower_.buffer(id).layout->dims, indices))
      for (const WeightedDigit &weighted : weightsOf(digits)) {
        const Expr *value = lower_.binary(BinaryOp::FloorDiv, index, lower_.index(weighted.weight));
        if (extentOf(digits) > weighted.digit.extent)
          value = lower_.binary(BinaryOp::FloorMod, value, lower_.index(weighted.digit.extent));
        number = lower_.add(number, lower_.scale(value, weighted.digit.stride));
      }
    return lower_.context().copy<const Expr *>({number});
  }

  LowerContext &lower_;
};

// Values that the thread variable makes, by itself or through bound values.
class ThreadValues {
public:
  explicit ThreadValues(const Var *threadVar) { ofThread_.insert(threadVar); }

  void learn(const Bind &bind) {
    if (dependsOnThread(bind.value))
      ofThread_.insert(bind.var);
  }
  // Whether threads differ in the element that they write.
  bool chooseElement(const Store &store) const {
    return llvm::any_of(store.indices, [&](const Expr *index) { return dependsOnThread(index); });
  }

private:
  bool dependsOnThread(const Expr *expr) const {
    bool found = false;
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      found |= var && ofThread_.contains(var);
    });
    return found;
  }

  llvm::DenseSet<const Var *> ofThread_;
};

class LaunchLowering {
public:
  LaunchLowering(LowerContext &lower, const Launch &launch, const ThreadUniform &uniform)
      : lower_(lower), uniform_(uniform), values_(launch.threadVar) {}

  // Null only where a child was null, that is after an error.
  const Stmt *rewrite(const Stmt *stmt) {
    if (failed_)
      return stmt;
    lower_.startStmt(*stmt);
    if (isForOne(*stmt) ? !electedComes_ : dividedBy_ && takesAllThreads(*stmt))
      return reportDivision(stmt);
    if (const auto *store = llvm::dyn_cast<Store>(stmt);
        store && isFragment(store->buffer) && values_.chooseElement(*store))
      return take(lower_.fail(store->buffer, "all threads hold all of its elements, but each would "
                                             "write another one here"),
                  stmt);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      values_.learn(*bind);
    if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
      return rewriteParallel(*parallel);
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && levelOf(op->op) == OpLevel::Tile)
      return take(lowerOp(lower_, *op), stmt);
    if (const auto *role = llvm::dyn_cast<Role>(stmt)) {
      const llvm::SaveAndRestore elected(elected_, role->firstThread);
      return lower_.builder().role(role->info(), *role,
                                   lower_.inRole(*role, [&] { return rewrite(role->thenBody); }));
    }
    return rewriteInside(stmt);
  }

  bool hasFailed() const { return failed_; }

private:
  bool isFragment(BufferId id) { return lower_.buffer(id).scope == Scope::Fragment; }

  const Stmt *rewriteInside(const Stmt *stmt) {
    const bool divides = !uniform_.isUniform(*stmt);
    const llvm::SaveAndRestore dividedBy(dividedBy_, dividedBy_ || !divides ? dividedBy_ : stmt);
    const Stmt *plain = PlainAccess(lower_).rewrite(stmt);
    auto rewriteChild = [&](const Stmt *child) {
      const bool isElse = llvm::isa<If>(plain) && child != llvm::cast<If>(plain)->thenBody;
      const llvm::SaveAndRestore electedComes(
          electedComes_, electedComes_ && (!divides || takesElected(*stmt, isElse)));
      return rewrite(child);
    };
    return withoutSchedule(mapChildren(lower_.context(), plain, rewriteChild));
  }

  // Of what divides threads, whether the one that acts for all is known to get to that side.
  bool takesElected(const Stmt &stmt, bool isElse) const {
    const auto *branch = llvm::dyn_cast<If>(&stmt);
    const Lanes values = branch ? uniform_.valuesOf(branch->condition) : Lanes();
    return !values.empty() && (laneOf(values, static_cast<size_t>(elected_)) != 0) != isElse;
  }

  static bool isForOne(const Stmt &stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    return op && scopeOf(*op) == OpScope::Elected;
  }

  const Stmt *rewriteParallel(const Parallel &parallel) {
    const Stmt *loops = cutAtCopies(lower_, parallel);
    if (loops && loops != &parallel)
      return rewrite(loops);
    return take(loops ? lowerParallel(lower_, parallel) : nullptr, &parallel);
  }

  // A barrier, what is shared out over the threads, that is all but what each does by itself, and
  // what all threads must do alike since each holds a copy.
  bool takesAllThreads(const Stmt &stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    if (op && (levelOf(op->op) != OpLevel::Tile || op->opInfo().isExchange))
      return scopeOf(*op) == OpScope::Block;
    if (llvm::isa<Parallel>(stmt) || (op && levelOf(op->op) == OpLevel::Tile))
      return llvm::none_of(accessesOf(lower_.context(), &stmt), [&](const BufferAccess &access) {
        return isOwnOfThread(lower_.buffer(access.buffer));
      });
    const auto *store = llvm::dyn_cast<Store>(&stmt);
    return store && isFragment(store->buffer);
  }

  const Stmt *reportDivision(const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    const auto *store = llvm::dyn_cast<Store>(stmt);
    std::string what = op ? ("'" + nameOf(op->op) + "'").str() : "a parallel loop";
    if (store)
      what = ("a write of fragment '" + lower_.buffer(store->buffer).name + "'").str();
    lower_.pass()
        .diagnostics.report(DiagId::ThreadsDivided, stmt->span(), what)
        .note(dividedBy_->span(), "not all threads agree on this");
    failed_ = true;
    return stmt;
  }

  // The schedule of a pipelined loop names tile statements, which are gone; its versions stay.
  const Stmt *withoutSchedule(const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (!loop || !loop->pipeline || loop->pipeline->schedule.empty())
      return stmt;
    Pipeline record = *loop->pipeline;
    record.schedule = {};
    return lower_.context().make<For>(loop->info(), loop->var, loop->min, loop->extent,
                                      loop->forKind, loop->body,
                                      lower_.context().make<Pipeline>(record));
  }

  const Stmt *take(const Stmt *lowered, const Stmt *original) {
    failed_ |= lowered == nullptr;
    return lowered ? lower_.withLaneNames(lowered) : original;
  }

  LowerContext &lower_;
  const ThreadUniform &uniform_;
  ThreadValues values_;
  const Stmt *dividedBy_ = nullptr; // lets only some threads get to where the walk stands
  bool electedComes_ = true;        // to there
  int64_t elected_ = 0;             // the thread that does what one does for the block, or the role
  bool failed_ = false;
};

// A fragment as the registers of one thread.
const Buffer *asRegisters(Context &context, const Buffer &fragment) {
  Builder builder(context);
  Buffer local = fragment;
  local.scope = Scope::Local;
  local.shape = context.copy<const Expr *>({builder.integer(fragment.layout->registerCount())});
  return context.make<Buffer>(local);
}

const Function *lowerFunction(const Function &function, PassContext &pass) {
  std::vector<const Buffer *> buffers(function.buffers.begin(), function.buffers.end());
  bool failed = false;
  const ThreadUniform uniform(function);
  const Stmt *body = rewriteStmt(pass.context, function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (!launch || failed)
      return stmt;
    LowerContext lower(pass, *withBuffers(pass.context, function, buffers), *launch);
    LaunchLowering lowering(lower, *launch, uniform);
    const Stmt *lowered = mapChildren(pass.context, launch, [&](const Stmt *child) {
      return lower.withSharedLaneNames(lowering.rewrite(child));
    });
    failed |= lowering.hasFailed();
    llvm::append_range(buffers, lower.added());
    return lowered;
  });
  if (failed)
    return nullptr;
  body = delayWaits(pass.context, body);
  body = withLateStoreWaits(pass.context, body);
  for (const Buffer *&buffer : buffers)
    if (buffer->scope == Scope::Fragment && buffer->layout)
      buffer = asRegisters(pass.context, *buffer);
  const Function *lowered =
      withBuffers(pass.context, *withBody(pass.context, function, body), buffers);
  return withProperties(pass.context, *lowered,
                        lowered->properties.without(Property::Tile).with(Property::Lowered));
}

class LowerTileOps : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(
        module, [&](const Function &function) { return lowerFunction(function, context); });
  }
};

} // namespace

std::unique_ptr<Pass> createLowerTileOps() { return std::make_unique<LowerTileOps>(); }

} // namespace tilescope
