#include "passes/warp_roles.h"

#include "core/analysis/divisor.h"
#include "core/ir/op_facts.h"
#include "core/ir/verify_roles.h"
#include "core/ir/visit.h"
#include "passes/flat_stmts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

namespace tilescope {

namespace {

constexpr int64_t MostThreads = 1024; // of a block
constexpr int64_t WarpThreads = 32;

// Threads that a launch gets more, and the registers that both roles have from there on;
// 0: those at entry. A quarter of a multiprocessor holds as many warps either way where several
// warp groups compute, so a whole one more costs nothing, and can give registers away.
struct AddedThreads {
  int64_t threads = 0;
  int64_t registersToCopy = 0, registersToCompute = 0;
};

AddedThreads addedThreadsOf(const Launch &launch) {
  constexpr int64_t Enough = 32; // to copy
  constexpr int64_t Step = 8;    // PTX, setmaxnreg
  int64_t groups = launch.threads / WarpGroupThreads;
  if (groups < 2)
    return {WarpThreads};
  int64_t entry = registersAtEntry(launch.threads + WarpGroupThreads, launch.minBlocks);
  int64_t left = (entry * (groups + 1) - Enough) / groups / Step * Step;
  if (left <= entry)
    return {WarpThreads};
  return {WarpGroupThreads, Enough, left};
}

class RoleDivider {
public:
  RoleDivider(Context &context, const Launch &launch,
              llvm::function_ref<bool(const OpStmt &)> isCopying)
      : builder_(context), context_(context), launch_(launch), isCopying_(isCopying) {}

  const Stmt *divide() {
    llvm::SmallVector<const Stmt *> stmts = flatStmtsOf(launch_.body);
    auto *first = llvm::find_if(stmts, [&](const Stmt *stmt) { return !isOfAll(*stmt); });
    llvm::SmallVector<const Stmt *> divided(stmts.begin(), first);
    StmtList rest = llvm::ArrayRef(stmts).drop_front(divided.size());
    AddedThreads added = addedThreadsOf(launch_);
    // What both have, names and loops, is cloned for one of them.
    const Stmt *copies = cloneStmt(context_, partOf(rest, true)), *computes = partOf(rest, false);
    divided.push_back(builder_.role(builder_.fresh(copies->span()), launch_.threadVar,
                                    launch_.threads, added.threads, copies, added.registersToCopy,
                                    "copy"));
    divided.push_back(builder_.role(builder_.fresh(computes->span()), launch_.threadVar, 0,
                                    launch_.threads, computes, added.registersToCompute,
                                    "compute"));
    return builder_.seq(builder_.fresh(launch_.body->span()), divided);
  }

private:
  // What one of the roles does of these.
  const Stmt *partOf(StmtList stmts, bool copies) {
    llvm::SmallVector<const Stmt *> part;
    for (const Stmt *stmt : stmts) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (loop && holdsCopies(*loop)) {
        llvm::SmallVector<const Stmt *> body = flatStmtsOf(loop->body);
        part.push_back(
            mapChildren(context_, loop, [&](const Stmt *) { return partOf(body, copies); }));
      } else if (isOfBoth(*stmt) || copiesOnly(*stmt) == copies) {
        part.push_back(stmt);
      }
    }
    return builder_.seq(builder_.fresh(part.empty() ? launch_.span() : part.front()->span()), part);
  }

  // A name; what each thread does for itself, of other launches.
  static bool isOfBoth(const Stmt &stmt) { return llvm::isa<Bind>(stmt) || ordersLaunches(stmt); }

  // Or the init of an mbarrier, which a barrier of all follows.
  static bool isOfAll(const Stmt &stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    bool isInit = op && isForOne(*op) && op->opInfo().sync == OpSync::None &&
                  op->opInfo().work != OpWork::Move;
    return isInit || isOfBoth(stmt);
  }

  bool holdsCopies(const Stmt &stmt) const {
    bool isFound = false;
    walk(&stmt, [&](const Stmt *part) {
      const auto *op = llvm::dyn_cast<OpStmt>(part);
      isFound |= op && isCopying_(*op);
      return !isFound;
    });
    return isFound;
  }

  bool copiesOnly(const Stmt &stmt) const {
    bool isOnly = holdsCopies(stmt);
    walk(&stmt, [&](const Stmt *part) {
      const auto *op = llvm::dyn_cast<OpStmt>(part);
      isOnly &= op ? isCopying_(*op) : llvm::isa<If, Seq>(part);
      return isOnly;
    });
    return isOnly;
  }

  Builder builder_;
  Context &context_;
  const Launch &launch_;
  llvm::function_ref<bool(const OpStmt &)> isCopying_;
};

// What threads compute is not known to the warp that copies.
bool bindsWhatThreadsCompute(Context &context, const Function &function, const Stmt &stmt) {
  return llvm::isa<Bind>(stmt) &&
         llvm::any_of(accessesOf(context, &stmt), [&](const BufferAccess &access) {
           return function.buffer(access.buffer).scope != Scope::Global;
         });
}

bool isOfData(const Expr *expr, const BoundValues &bound) {
  bool isFound = readsMemory(expr);
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    const Expr *value = var ? bound.lookup(var) : nullptr;
    isFound |= value && isOfData(value, bound);
  });
  return isFound;
}

// Data decide how long a pipelined loop is. The order between roles is shown for lengths that a
// block knows (core/analysis/block_cases.h).
bool hasLengthOfData(const Function &function, const Launch &launch) {
  const BoundValues bound = boundValuesOf(function);
  bool isFound = false;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    isFound |= loop && loop->pipeline && isOfData(loop->extent, bound);
    return !isFound;
  });
  return isFound;
}

// Under a condition, or in a loop that only one of the roles may have.
bool ordersLaunchesInside(const Launch &launch) {
  bool isFound = false;
  llvm::SmallVector<const Stmt *> stmts = flatStmtsOf(launch.body);
  for (const Stmt *stmt : stmts)
    walk(stmt, [&](const Stmt *inside) {
      isFound |= inside != stmt && ordersLaunches(*inside);
      return !isFound;
    });
  return isFound;
}

size_t writesOf(Context &context, const Stmt *body, BufferId buffer) {
  size_t writes = 0;
  walk(body, [&](const Stmt *stmt) {
    writes += static_cast<size_t>(
        llvm::count_if(accessesOf(context, stmt), [&](const BufferAccess &access) {
          return access.buffer == buffer && access.effect != Effect::Read;
        }));
    return true;
  });
  return writes;
}

// A buffer that a pipeline fills, and others too: each pipeline counts its own slots, so the warp
// that copies would not wait for those that use it elsewhere.
std::optional<BufferId> filledElsewhere(Context &context, const Launch &launch) {
  std::optional<BufferId> found;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (!loop || !loop->pipeline)
      return !found;
    for (const VersionCount &count : loop->pipeline->versions)
      if (writesOf(context, launch.body, count.buffer) > writesOf(context, loop, count.buffer))
        found = found ? found : count.buffer;
    return !found;
  });
  return found;
}

} // namespace

std::string whyNotDivided(PassContext &pass, const Function &function, const Launch &launch) {
  if (!pass.target.hasRoles())
    return llvm::formatv("{0} has no roles", pass.target.name);
  if (launch.threads % WarpGroupThreads != 0 ||
      launch.threads + addedThreadsOf(launch).threads > MostThreads)
    return llvm::formatv(
        "{0} threads are no whole warp groups, or leave no room for one that copies",
        launch.threads);
  if (std::optional<BufferId> buffer = filledElsewhere(pass.context, launch))
    return llvm::formatv("'{0}' is filled outside of its pipeline, too",
                         function.buffer(*buffer).name);
  if (hasLengthOfData(function, launch))
    return "data decide how long a pipelined loop is";
  if (ordersLaunchesInside(launch))
    return "a condition or a loop decides when it waits for other launches, or lets them begin";
  std::string reason;
  walk(launch.body, [&](const Stmt *stmt) {
    if (llvm::isa<Role>(stmt))
      reason = "the kernel has roles of its own";
    else if (isSynchronisation(*stmt) && !ordersLaunches(*stmt))
      reason = "the kernel has barriers of its own";
    else if (bindsWhatThreadsCompute(pass.context, function, *stmt))
      reason = "a name is bound to what threads compute";
    return reason.empty();
  });
  return reason;
}

const Launch *divideIntoRoles(Context &context, const Launch &launch,
                              llvm::function_ref<bool(const OpStmt &)> isCopying) {
  const Stmt *body = RoleDivider(context, launch, isCopying).divide();
  return context.make<Launch>(launch.info(), launch.blockVars, launch.gridExtents, launch.threadVar,
                              launch.threads + addedThreadsOf(launch).threads, body, launch.raster,
                              launch.minBlocks, launch.cluster);
}

} // namespace tilescope
