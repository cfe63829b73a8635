// Puts a barrier where one thread's access of memory must come after that of another thread of its
// block: of shared memory, and of global memory that the launch writes.
//
//     for k in serial(trips):
//       wait_group(pending=1)
//       cp_async(A[...], A_shared[(k + 2) % 3, ...])
//       commit_group()
//       ldmatrix(A_shared[k % 3, ...], ...)
//  =>
//     for k in serial(trips):
//       wait_group(pending=1)
//       barrier()                       what has arrived is seen by all; slot k - 1 is free
//       cp_async(A[...], A_shared[(k + 2) % 3, ...])
//       ...
//
// Works on storage: a buffer without an offset is its own. The first run, before the arena is
// planned, settles the hazards of the program itself, so that the planner can count on these
// barriers. The second adds only what sharing bytes needs, keeps the rest, and finds nothing to do
// when it is run again. Where a barrier stands is chosen by `planBarriers`: the fewest, in loops as
// rarely as can be, never where threads may disagree on the way. Accesses in which each element has
// the same thread (`thread_ownership`) need none between them.
//
// A kernel with TL_DISABLE_THREAD_STORAGE_SYNC has its own barriers for its own buffers. It gets
// those that buffers of the lowering need, and, as it could not know of them, what sharing bytes
// needs.
//
// Where no barrier can stand, that is an error; for global memory, of which less is known, the
// check of the result says that it is not established.
//
// In a kernel with wgmma or TMA, which come behind what threads did only if they fence, each
// barrier by which threads tell others, those of the block, of a role and arrivals at mbarriers,
// has one in front of it where they may have touched shared memory since the last
// (passes/proxy_fences.h).
//
// Roles have barriers of their own: what threads of one role do to each other is ordered by a named
// barrier of that role's threads, and what they do and all threads do outside of roles by one of
// the block, outside. Between roles nothing is invented: a conflict that the kernel leaves
// unordered is an error.
//
// Not done: barriers that the kernel's author wrote are never removed; warps are not told apart;
// blocks, which no barrier orders, are not looked at.
//
// Requires: lowered. Ensures: barriers-placed; barriers-final if the arena is planned.
#include "core/analysis/named_barriers.h"
#include "core/analysis/role_lanes.h"
#include "core/analysis/shared_bytes.h"
#include "core/check/verify_memory.h"
#include "core/ir/edit_map.h"
#include "core/ir/op_facts.h"
#include "core/pass/pass.h"
#include "core/plan/arena_problem.h"
#include "core/plan/barrier_plan.h"
#include "passes/proxy_fences.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

bool isOfSameThreads(const Role &a, const Role &b) {
  return a.firstThread == b.firstThread && a.threads == b.threads;
}

// The role around each statement that is in one.
class RoleMap {
public:
  explicit RoleMap(const Function &function) {
    walk(function.body, [&](const Stmt *stmt) {
      const auto *role = llvm::dyn_cast<Role>(stmt);
      if (!role)
        return true;
      bool isKnown = llvm::any_of(
          distinct_, [&](const Role *known) { return isOfSameThreads(*known, *role); });
      if (!isKnown)
        distinct_.push_back(role);
      walk(role->thenBody, [&](const Stmt *inside) {
        roles_[inside->id()] = role;
        return true;
      });
      return false;
    });
  }

  bool isEmpty() const { return distinct_.empty(); }
  const Role *of(StmtId stmt) const {
    auto found = roles_.find(stmt);
    return found == roles_.end() ? nullptr : found->second;
  }
  // One of each set of threads.
  llvm::ArrayRef<const Role *> distinct() const { return distinct_; }

private:
  std::map<StmtId, const Role *> roles_;
  llvm::SmallVector<const Role *> distinct_;
};

class InsertBarriers : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      const Function *placed = place(function, module.disableThreadStorageSync, context);
      return placed ? withProperties(context.context, *placed, established(*placed)) : nullptr;
    });
  }

private:
  static PropertySet established(const Function &function) {
    PropertySet properties = function.properties.with(Property::BarriersPlaced);
    return properties.has(Property::ArenaPlanned) ? properties.with(Property::BarriersFinal)
                                                  : properties;
  }

  const Function *place(const Function &function, bool hasOwnBarriers, PassContext &context) {
    if (verifyStatements(context.context, function, context.diagnostics) == HazardVerdict::Found)
      return nullptr;
    const Function *placed = placeOfBlock(function, hasOwnBarriers, context);
    if (placed && holdsRoles(function))
      placed = placeInRoles(*placed, context);
    if (placed)
      placed = withProxyFences(context.context, *placed);
    bool isUnordered =
        placed && holdsRoles(function) &&
        verifyHazards(context.context, *placed, context.diagnostics) == HazardVerdict::Found;
    return isUnordered ? nullptr : placed;
  }

  // Barriers of the block, which stand outside of roles.
  const Function *placeOfBlock(const Function &function, bool hasOwnBarriers,
                               PassContext &context) {
    const RoleMap roles(function);
    const AccessTree &tree = computeAccessTree(context.context, function, AccessDetail::Statements,
                                               roles.isEmpty() ? RoleView::Lanes : RoleView::Flat);
    ConcernsHazard concerns;
    if (hasOwnBarriers || !roles.isEmpty())
      concerns = [&](const HazardPair &hazard) {
        bool isOwn = hasOwnBarriers && hazard.first == hazard.second &&
                     function.buffer(hazard.first).role.empty();
        return !isOwn && !(roles.of(hazard.firstStmt) && roles.of(hazard.secondStmt));
      };
    return placeIn(function, tree, concerns, nullptr, context);
  }

  // Barriers of the threads of each role.
  const Function *placeInRoles(const Function &function, PassContext &context) {
    const Function *placed = &function;
    const RoleMap roles(function);
    for (const Role *role : roles.distinct()) {
      const AccessTree tree =
          laneOf(computeAccessTree(context.context, *placed, AccessDetail::Statements), *role);
      auto isOfRole = [&](StmtId stmt) {
        const Role *around = roles.of(stmt);
        return around && isOfSameThreads(*around, *role);
      };
      placed = placeIn(
          *placed, tree,
          [&](const HazardPair &hazard) {
            return isOfRole(hazard.firstStmt) && isOfRole(hazard.secondStmt);
          },
          role, context);
      if (!placed)
        return nullptr;
    }
    return placed;
  }

  // Of the threads of a role; null: of the block.
  static const Function *placeIn(const Function &function, const AccessTree &tree,
                                 const ConcernsHazard &concerns, const Role *role,
                                 PassContext &context) {
    auto stop = [&] { return context.stop && *context.stop; };
    BarrierPlan plan = planBarriers(tree.program, bufferBytesOf(function), stop, concerns);
    if (stop())
      return nullptr;
    StmtSpans spans(function);
    bool isSolved = true;
    bool mayBeOrdered = !plan.unsolved.empty() && hasUnknownMeeting(function);
    for (const HazardPair &hazard : plan.unsolved) {
      // The check of the result says what is not established: of global memory, and where barriers
      // of some threads may order what no barrier of all can.
      if (mayBeOrdered || function.buffer(hazard.first).scope == Scope::Global)
        continue;
      reportUnsolved(function, spans, hazard, context.diagnostics);
      isSolved = false;
    }
    if (!isSolved)
      return nullptr;
    if (plan.sites.empty())
      return &function;
    std::optional<int64_t> number = role ? freeBarrier(function, *role, context) : 0;
    if (!number)
      return nullptr;
    EditMap edits;
    const RoleMap roles(function);
    for (const BarrierSite &site : plan.sites)
      insert(function, tree, spans, site, {role, *number, &roles}, context, edits);
    return withBody(context.context, function, applyEdits(context.context, function.body, edits));
  }

  // Of the 16 of a block, less that of all threads; nothing: the kernel has all.
  static std::optional<int64_t> freeBarrier(const Function &function, const Role &role,
                                            PassContext &context) {
    constexpr int64_t Barriers = 16;
    std::set<int64_t> taken;
    walk(function.body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      if (op && op->opInfo().sync == OpSync::NamedBarrier)
        taken.insert(op->attr(Attr::Number));
      return true;
    });
    for (int64_t number = 1; number != Barriers; ++number)
      if (!taken.count(number))
        return number;
    context.diagnostics.report(DiagId::NoFreeBarrier, role.span(), Barriers);
    return std::nullopt;
  }

  // What is inserted: a barrier of the block, or the one of this number of a role's threads.
  struct Inserted {
    const Role *role = nullptr;
    int64_t number = 0;
    const RoleMap *roles = nullptr;
  };

  // Outside of roles, a barrier of one is a role of its own.
  static const Stmt *barrierFor(const Stmt &anchor, const Inserted &what, Context &context) {
    Builder builder(context);
    if (!what.role)
      return builder.op(builder.fresh(anchor.span()), Op::Barrier, {});
    const Stmt *barrier = builder.op(
        builder.fresh(anchor.span()), Op::NamedBarrier, {}, {},
        {{Attr::Number, what.number}, {Attr::Threads, what.role->threads}, {Attr::Waits, 1}});
    const Role *around = what.roles->of(anchor.id());
    if (around)
      return barrier;
    return builder.role(builder.fresh(anchor.span()), what.role->threadVar, what.role->firstThread,
                        what.role->threads, barrier);
  }

  static void insert(const Function &function, const AccessTree &tree, const StmtSpans &spans,
                     const BarrierSite &site, const Inserted &what, PassContext &context,
                     EditMap &edits) {
    const std::vector<uint32_t> &children = tree.program.nodes[site.seq].children;
    bool atEnd = site.before == children.size();
    const AccessSource &neighbour = tree.sources[children[atEnd ? site.before - 1 : site.before]];
    const Stmt *anchor = atEnd ? neighbour.last : neighbour.first;
    const Stmt *barrier = barrierFor(*anchor, what, context.context);
    Edit &edit = edits[anchor->id()];
    (atEnd ? edit.after : edit.before).push_back(barrier);
    if (context.remarks.wanted())
      explain(function, spans, site, *barrier, context.remarks);
  }

  // One remark a barrier: "'A' (line 28 from 30, line 30 from 28); 'A' from 'C' (line 30 from 38)".
  static void explain(const Function &function, const StmtSpans &spans, const BarrierSite &site,
                      const Stmt &barrier, RemarkSink &remarks) {
    using Buffers = std::pair<BufferId, BufferId>;
    using Lines = std::pair<uint32_t, uint32_t>;
    std::map<Buffers, std::set<Lines>> separated;
    std::set<BufferId> about;
    for (const HazardPair &hazard : site.separates) {
      separated[{hazard.first, hazard.second}].insert(
          {spans.of(hazard.firstStmt).line, spans.of(hazard.secondStmt).line});
      about.insert({hazard.first, hazard.second});
    }
    std::string text;
    for (const auto &[buffers, lines] : separated) {
      text += text.empty() ? "'" : "; '";
      text += function.buffer(buffers.first).name.str() + "'";
      if (buffers.first != buffers.second)
        text += " from '" + function.buffer(buffers.second).name.str() + "'";
      const char *separator = " (";
      for (const auto &[first, second] : lines) {
        text += llvm::formatv("{0}line {1} from {2}", separator, first, second);
        separator = ", ";
      }
      text += ")";
    }
    emitRemark(remarks, RemarkId::BarrierSeparates,
               {barrier.id(), barrier.span(), {about.begin(), about.end()}}, text);
  }

  static void reportUnsolved(const Function &function, const StmtSpans &spans,
                             const HazardPair &hazard, Diagnostics &diagnostics) {
    llvm::StringRef first = function.buffer(hazard.first).name;
    diagnostics
        .report(DiagId::BarrierWouldDiverge, spans.of(hazard.secondStmt),
                function.buffer(hazard.second).name, first)
        .note(spans.of(hazard.firstStmt), ("'" + first + "' is accessed here first").str());
  }
};

} // namespace

std::unique_ptr<Pass> createInsertBarriers() { return std::make_unique<InsertBarriers>(); }

} // namespace tilescope
