// infer-layouts: decides how fragments and parallel loops are spread over threads, and how shared
// tiles are swizzled.
//
//     C_local = T.alloc_fragment((128, 128), T.float32)
//     T.gemm(A_shared, B_shared, C_local)
//     T.copy(C_local, C[by * 128, bx * 128])
//   becomes
//     C_local: fragment(2@t32 4@r32 2@r2 8@t4 | 2@t64 8@r4 4@t1 2@r1), A_shared: swizzle(64)
//
// What instructions dictate comes first, then what follows from it through copies and parallel
// loops, then a plan for each part of the program that is still open; a plan is followed through
// before the next one is made. Plans that do not fit together are made again from another first
// statement. Layouts go to the buffer table and to parallel loops; no statement is rewritten
// otherwise.
//
// With `wgmma`, where the target has it, products are given to warp groups; of one that cannot be a
// remark says why. Zeros right before one are left out: it starts from nothing (`clear_accum`).
// With `role-stores` the same is done with copies of shared tiles to tensors in roles, which TMA
// makes, and with `tma-stores` with all others.
//
// Fragments touched outside tile operations and parallel loops are held by every thread.
//
// Requires: tile. Ensures: layouts-inferred.
#include "core/analysis/layouts/holders.h"
#include "core/analysis/layouts/layout_state.h"
#include "core/ir/visit.h"
#include "core/pass/pass.h"
#include "passes/hopper_choice.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The statements of one launch that have layouts, in program order.
struct LaunchStmts {
  const Launch *launch = nullptr;
  std::vector<const Stmt *> stmts;
  // Fragments touched by other statements, with those.
  std::vector<std::pair<const Stmt *, BufferAccess>> floating;
  std::vector<const OpStmt *> foreign;
};

void collectForeign(const Stmt *stmt, LaunchStmts &found) {
  walk(stmt, [&](const Stmt *node) {
    if (const auto *op = llvm::dyn_cast<OpStmt>(node); op && op->opInfo().isForeign)
      found.foreign.push_back(op);
    return true;
  });
}

void collect(Context &context, const Function &function, const Stmt *stmt, LaunchStmts &found) {
  walk(stmt, [&](const Stmt *node) {
    if (llvm::isa<Parallel>(node)) {
      found.stmts.push_back(node);
      collectForeign(node, found);
      return false;
    }
    const auto *op = llvm::dyn_cast<OpStmt>(node);
    if (op && (levelOf(op->op) == OpLevel::Tile || wishesForLayouts(*op))) {
      found.stmts.push_back(node);
      return true;
    }
    if (op && op->opInfo().isForeign)
      found.foreign.push_back(op);
    for (const BufferAccess &access : accessesOf(context, node))
      if (function.buffer(access.buffer).scope == Scope::Fragment)
        found.floating.emplace_back(node, access);
    return true;
  });
}

std::vector<LaunchStmts> collectLaunches(Context &context, const Function &function) {
  std::vector<LaunchStmts> launches;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (!launch)
      return true;
    LaunchStmts found;
    found.launch = launch;
    collect(context, function, launch->body, found);
    launches.push_back(std::move(found));
    return false;
  });
  return launches;
}

void inferFloating(LayoutState &state, const LaunchStmts &launch) {
  for (const auto &[stmt, access] : launch.floating) {
    state.startStmt(*stmt);
    std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(access.buffer));
    if (shape && !state.find(access.buffer))
      state.setFragment(access.buffer, makeReplicated(state.context(), *shape, state.threads()),
                        nullptr);
  }
}

void propagate(LayoutState &state, const LaunchStmts &launch) {
  unsigned before = 0;
  do {
    before = state.revision();
    for (const Stmt *stmt : launch.stmts)
      inferLayout(state, *stmt, LayoutStrength::Common);
  } while (state.revision() != before);
}

// Who plans first.
enum class PlanOrder : uint8_t {
  Bound, // what a loop writes keeps it from being spread: others have more choice
  Free,
  Fill, // reads no tile, so has no wish of its own: what is copied or reduced later says more about
        // the fragment
};

PlanOrder planOrderOf(LayoutState &state, const Stmt *stmt) {
  if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
    return hasSerialDims(state, *parallel) ? PlanOrder::Bound : PlanOrder::Free;
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  bool onlyWrites = op && llvm::all_of(op->opInfo().operands, [](const OperandInfo &operand) {
                      return operand.effect == Effect::Write;
                    });
  return onlyWrites ? PlanOrder::Fill : PlanOrder::Free;
}

void planOne(LayoutState &state, const LaunchStmts &launch, const Stmt *stmt) {
  unsigned before = state.revision();
  inferLayout(state, *stmt, LayoutStrength::Free);
  if (state.revision() != before)
    propagate(state, launch);
}

bool touchesKnown(LayoutState &state, const Stmt *stmt) {
  bool found = false;
  walk(stmt, [&](const Stmt *node) {
    for (const BufferAccess &access : accessesOf(state.context(), node))
      found |= state.isFragment(access.buffer) && state.find(access.buffer);
    return true;
  });
  return found;
}

// Plans what hangs together with a first statement before the rest.
void planFrom(LayoutState &state, const LaunchStmts &launch, const Stmt *first) {
  planOne(state, launch, first);
  unsigned before = 0;
  do {
    before = state.revision();
    for (const Stmt *stmt : launch.stmts)
      if (touchesKnown(state, stmt))
        planOne(state, launch, stmt);
  } while (state.revision() != before);
}

// `first` may be null.
void infer(LayoutState &state, const LaunchStmts &launch, const Stmt *first) {
  for (const OpStmt *op : launch.foreign)
    for (const BufferRegion &region : op->regions)
      state.keepRowMajor(region.buffer, op);
  for (const Stmt *stmt : launch.stmts)
    inferLayout(state, *stmt, LayoutStrength::Strict);
  inferFloating(state, launch);
  propagate(state, launch);
  if (first)
    planFrom(state, launch, first);
  for (PlanOrder order : {PlanOrder::Bound, PlanOrder::Free, PlanOrder::Fill})
    for (const Stmt *stmt : launch.stmts)
      if (planOrderOf(state, stmt) == order)
        planOne(state, launch, stmt);
}

// An access of a parallel loop to elements that its threads do not hold, or not alone.
struct HolderFault {
  DiagId id = DiagId::FragmentElementsElsewhere;
  FragmentAccess access;
  std::string reason;
};

// The first of each fragment.
std::vector<HolderFault> faultsOf(LayoutState &state, const Parallel &parallel) {
  std::vector<HolderFault> faults;
  const Layout &loop = *state.find(parallel);
  for (FragmentAccess &access : fragmentAccesses(state.context(), parallel, state.function())) {
    const Layout *fragment = state.find(access.buffer);
    bool isKnown = llvm::any_of(
        faults, [&](const HolderFault &fault) { return fault.access.buffer == access.buffer; });
    if (!fragment || isKnown)
      continue;
    DiagId id = DiagId::FragmentElementsElsewhere;
    std::string reason = whyNotHeld(access, *fragment, loop);
    if (reason.empty()) {
      id = DiagId::FragmentCopiesStale;
      reason = whyCopiesStale(access, *fragment, loop);
    }
    if (!reason.empty())
      faults.push_back({id, std::move(access), std::move(reason)});
  }
  return faults;
}

bool isConsistent(LayoutState &state, const LaunchStmts &launch) {
  return state.conflicts().empty() && llvm::all_of(launch.stmts, [&](const Stmt *stmt) {
           const auto *parallel = llvm::dyn_cast<Parallel>(stmt);
           return !parallel || (state.find(*parallel) && faultsOf(state, *parallel).empty());
         });
}

int64_t registerBits(const LayoutState &state) {
  int64_t bits = 0;
  for (const Buffer *buffer : state.function().buffers)
    if (const Layout *layout = state.find(buffer->id); layout && layout->isFragment())
      bits += layout->registerCount() * buffer->dtype.bits;
  return bits;
}

// Where plans made in the order of the program do not fit together, other first statements are
// tried; of those that do the one with the fewest registers.
constexpr size_t MostPlans = 64;

LayoutState solve(Context &context, const Function &function, const Target &target,
                  const LaunchStmts &launch) {
  LayoutState inOrder(context, function, target, launch.launch->threads);
  LayoutState empty = inOrder;
  infer(inOrder, launch, nullptr);
  if (isConsistent(inOrder, launch))
    return inOrder;
  std::optional<LayoutState> best;
  for (const Stmt *first : llvm::ArrayRef(launch.stmts).take_front(MostPlans)) {
    LayoutState state = empty;
    infer(state, launch, first);
    if (isConsistent(state, launch) && (!best || registerBits(state) < registerBits(*best)))
      best.emplace(std::move(state));
  }
  return best ? std::move(*best) : std::move(inOrder);
}

void reportConflict(const LayoutState &state, const LayoutConflict &conflict,
                    Diagnostics &diagnostics) {
  bool isUnsupported = conflict.kind == LayoutConflict::Kind::Unsupported;
  llvm::StringRef name = state.buffer(conflict.buffer).name;
  Diagnostic &diagnostic =
      isUnsupported
          ? diagnostics.report(DiagId::GemmNotSupported, conflict.stmt->span(), conflict.reason)
          : diagnostics.report(DiagId::LayoutConflict, conflict.stmt->span(), name,
                               conflict.reason);
  if (conflict.other)
    diagnostic.note(conflict.other->span(), conflict.origin());
  if (conflict.served)
    diagnostic.note(conflict.stmt->span(), conflict.advice());
}

void reportFault(LayoutState &state, const Parallel &parallel, const HolderFault &fault,
                 Diagnostics &diagnostics) {
  const FragmentAccess &access = fault.access;
  const KnownLayout &fragment = *state.known(access.buffer);
  const Layout &loop = *state.find(parallel);
  Diagnostic &diagnostic =
      diagnostics.report(fault.id, access.span, state.buffer(access.buffer).name, fault.reason);
  if (access.isWrite)
    diagnostic.note(access.span, "a tile in shared memory can be written at any index, and then "
                                 "be copied to the fragment");
  if (fragment.setBy)
    diagnostic.note(fragment.setBy->span(),
                    "the layout of the fragment comes from here: " + toString(*fragment.layout));
  diagnostic.note(parallel.span(), "the iterations lie by " + toString(loop));
  const Layout *served = layoutOfFragment(state, access, loop);
  if (served && whyNotHeld(access, *served, loop).empty() &&
      whyCopiesStale(access, *served, loop).empty())
    diagnostic.note(parallel.span(), "a fragment that would serve here: " + toString(*served));
}

void checkParallel(LayoutState &state, const Parallel &parallel, Diagnostics &diagnostics) {
  if (!state.find(parallel)) {
    diagnostics.report(DiagId::ParallelExtentNotConstant, parallel.span());
    return;
  }
  for (const HolderFault &fault : faultsOf(state, parallel))
    reportFault(state, parallel, fault, diagnostics);
}

bool check(LayoutState &state, const LaunchStmts &launch, Diagnostics &diagnostics) {
  unsigned before = diagnostics.errorCount();
  for (const LayoutConflict &conflict : state.conflicts())
    reportConflict(state, conflict, diagnostics);
  if (diagnostics.errorCount() == before)
    for (const Stmt *stmt : launch.stmts)
      if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
        checkParallel(state, *parallel, diagnostics);
  return diagnostics.errorCount() == before;
}

// The declaration with its layout. Shared tiles that nobody wishes otherwise are row major, as is
// known once the statements of all launches have been asked.
const Buffer *withLayout(const LayoutState &state, const Buffer &buffer, PassContext &pass,
                         bool isLastLaunch) {
  const Layout *layout = state.find(buffer.id);
  if (!layout && isLastLaunch && isShared(buffer.scope))
    layout = makeRowMajor(pass.context);
  if (!layout || layout == buffer.layout)
    return &buffer;
  emitRemark(pass.remarks, RemarkId::LayoutChosen, {StmtId(), buffer.span, {buffer.id}},
             buffer.name, toString(*layout));
  Buffer changed = buffer;
  changed.layout = layout;
  return pass.context.make<Buffer>(changed);
}

const Stmt *withParallelLayouts(const LayoutState &state, const Stmt *body, PassContext &pass) {
  return rewriteStmt(pass.context, body, [&](const Stmt *stmt) -> const Stmt * {
    const auto *parallel = llvm::dyn_cast<Parallel>(stmt);
    const Layout *layout = parallel ? state.find(*parallel) : nullptr;
    if (!layout || layout == parallel->layout)
      return stmt;
    emitRemark(pass.remarks, RemarkId::ParallelLayoutChosen, {stmt->id(), stmt->span(), {}},
               toString(*layout));
    return pass.context.make<Parallel>(parallel->info(), parallel->vars, parallel->extents,
                                       parallel->body, parallel->coalescedWidth, layout,
                                       parallel->isAsync, parallel->written);
  });
}

llvm::DenseSet<uint32_t> accessedBuffers(Context &context, const Function &function) {
  llvm::DenseSet<uint32_t> accessed;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt))
      accessed.insert(access.buffer.value);
    return true;
  });
  return accessed;
}

// A fragment that nothing touches needs no layout.
bool allFragmentsKnown(Context &context, const Function &function, Diagnostics &diagnostics) {
  unsigned before = diagnostics.errorCount();
  llvm::DenseSet<uint32_t> accessed = accessedBuffers(context, function);
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope == Scope::Fragment && !buffer->layout && accessed.contains(buffer->id.value))
      diagnostics.report(DiagId::FragmentWithoutLayout, buffer->span, buffer->name);
  return diagnostics.errorCount() == before;
}

const Function *inferFunction(const Function &function, PassContext &pass) {
  const Function *result = &function;
  const std::vector<LaunchStmts> launches = collectLaunches(pass.context, function);
  for (const LaunchStmts &launch : launches) {
    LayoutState state = solve(pass.context, *result, pass.target, launch);
    if (!check(state, launch, pass.diagnostics))
      return nullptr;
    std::vector<const Buffer *> buffers;
    for (const Buffer *buffer : result->buffers)
      buffers.push_back(withLayout(state, *buffer, pass, &launch == &launches.back()));
    result = withBody(pass.context, *result, withParallelLayouts(state, result->body, pass));
    result = withBuffers(pass.context, *result, buffers);
  }
  if (!allFragmentsKnown(pass.context, *result, pass.diagnostics))
    return nullptr;
  return withProperties(pass.context, *result, result->properties.with(Property::LayoutsInferred));
}

bool hasLayouts(const Function &function, PassContext &pass) {
  Diagnostics unheard;
  NoRemarks none;
  PassContext trial{pass.context, pass.target, unheard, none, pass.stop, pass.plan};
  return inferFunction(function, trial) != nullptr;
}

class InferLayouts : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      return inferFunction(*withHopper(function, context, chosen_, hasLayouts), context);
    });
  }
  std::vector<PassOption> options() override {
    return {{"wgmma", &chosen_.products,
             "multiply by wgmma where the target has it and the kernel allows it"},
            {"role-stores", &chosen_.roleStores,
             "where roles copy tiles of shared memory to tensors, by TMA if that can be"},
            {"tma-stores", &chosen_.stores,
             "copy tiles of shared memory to tensors by TMA where all threads copy, too"}};
  }

private:
  HopperChoice chosen_;
};

} // namespace

std::unique_ptr<Pass> createInferLayouts() { return std::make_unique<InferLayouts>(); }

} // namespace tilescope
