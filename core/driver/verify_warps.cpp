#include "core/driver/verify_warps.h"

#include "core/analysis/named_barriers.h"
#include "core/analysis/warp_convergence.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

static bool verifyNamedBarriers(const Function &function, Diagnostics &diagnostics) {
  using Meeting = NamedBarrierPlace::Meeting;
  bool isFine = true;
  for (const NamedBarrierPlace &place : findNamedBarriers(function)) {
    if (place.meeting == Meeting::Fixed)
      continue;
    int64_t number = place.op->attr(Attr::Number), wanted = place.op->attr(Attr::Threads);
    bool isWrong = place.meeting == Meeting::Wrong;
    isFine &= !isWrong;
    Span span = place.op->span();
    Diagnostic &made =
        !isWrong ? diagnostics.report(DiagId::BarrierNotEstablished, span, wanted, number)
        : place.hasParts
            ? diagnostics.report(DiagId::BarrierPartsWarp, span, number)
            : diagnostics.report(DiagId::BarrierThreads, span, *place.threads, number, wanted);
    if (place.dividedBy)
      made.note(place.dividedBy->span(), "threads may disagree on this");
  }
  return isFine;
}

// What is known before the launch: no place of a block, nothing of memory.
static bool isSameInGrid(const Expr *expr, const llvm::DenseSet<const Var *> &known) {
  bool isSame = true;
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    isSame &= !llvm::isa<Load>(part) && (!var || known.contains(var));
  });
  return isSame;
}

// All blocks of a launch must get to a barrier of the grid, those of a cluster to one of theirs.
static void verifyGridBarriers(const Stmt *stmt, llvm::DenseSet<const Var *> &known,
                               const Stmt *dividedBy, Diagnostics &diagnostics) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  bool isOfCluster = op && op->opInfo().isOfCluster;
  if (op && (op->opInfo().isOfGrid || isOfCluster) && dividedBy)
    diagnostics
        .report(DiagId::HazardNotEstablished, op->span(),
                isOfCluster
                    ? "it is not established that all blocks of a cluster get to its barrier here"
                    : "it is not established that all blocks get to this barrier of the grid")
        .note(dividedBy->span(), "blocks may disagree on this");
  const auto *loop = llvm::dyn_cast<For>(stmt);
  const auto *branch = llvm::dyn_cast<If>(stmt);
  bool isSame = !loop || (isSameInGrid(loop->min, known) && isSameInGrid(loop->extent, known));
  isSame &= !branch || isSameInGrid(branch->condition, known);
  if (loop && isSame)
    known.insert(loop->var);
  if (const auto *bind = llvm::dyn_cast<Bind>(stmt); bind && isSameInGrid(bind->value, known))
    known.insert(bind->var);
  forEachChild(stmt, [&](const Stmt *child) {
    verifyGridBarriers(child, known, isSame ? dividedBy : stmt, diagnostics);
  });
}

static bool holdsClusterBarrier(const Stmt *stmt) {
  bool isFound = false;
  walk(stmt, [&](const Stmt *part) {
    const auto *op = llvm::dyn_cast<OpStmt>(part);
    isFound |= op && op->opInfo().isOfCluster;
    return !isFound;
  });
  return isFound;
}

// Who arrives at the barrier of the cluster waits there before arriving again: told of statements
// in one sequence, the wait behind the arrival and no other such statement between.
static void verifyClusterHalves(const Stmt *stmt, Diagnostics &diagnostics) {
  const Stmt *arrival = nullptr;
  auto doubt = [&](const Stmt *where) {
    diagnostics.report(DiagId::HazardNotEstablished, where->span(),
                       "it is not established that each arrival at the barrier of the cluster is "
                       "waited for before the next");
  };
  auto end = [&] {
    if (arrival)
      doubt(arrival);
    arrival = nullptr;
  };
  forEachChild(stmt, [&](const Stmt *child) {
    verifyClusterHalves(child, diagnostics);
    const auto *op = llvm::dyn_cast<OpStmt>(child);
    OpSync sync = op ? op->opInfo().sync : OpSync::None;
    bool isOfCluster = op ? op->opInfo().isOfCluster : holdsClusterBarrier(child);
    if (isOfCluster && (sync == OpSync::ClusterWait) != (arrival != nullptr))
      doubt(child);
    if (isOfCluster)
      arrival = sync == OpSync::ClusterArrive ? child : nullptr;
    if (!llvm::isa<Seq>(stmt))
      end();
  });
  end();
}

// What blocks of a cluster do to each other's shared memory is not compared.
static void verifyReaches(const Function &function, Diagnostics &diagnostics) {
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    bool isKnown = llvm::any_of(diagnostics.all(), [&](const Diagnostic &known) {
      return known.id == DiagId::HazardNotEstablished && known.span == stmt->span();
    });
    if (!op || !reachesBlocks(*op) || isKnown)
      return true;
    const char *text =
        op->opInfo().work == OpWork::Move
            ? "it is not established that other blocks of the cluster have read what "
              "this copy overwrites there, and expect its bytes"
            : "it is not established that the phase of the block which this reaches "
              "takes the arrival, and that the block has not ended by then";
    diagnostics.report(DiagId::HazardNotEstablished, op->span(), text);
    return true;
  });
}

bool verifyWarps(const Function &function, Diagnostics &diagnostics) {
  bool isFine = verifyNamedBarriers(function, diagnostics);
  llvm::DenseSet<const Var *> known;
  for (const Param &param : function.params)
    if (param.var)
      known.insert(param.var);
  verifyGridBarriers(function.body, known, nullptr, diagnostics);
  verifyClusterHalves(function.body, diagnostics);
  verifyReaches(function, diagnostics);
  for (const DivergentExchange &found : findDivergentExchanges(function)) {
    std::string name = nameOf(found.op->op).str();
    isFine &= !found.thread;
    Diagnostic &made =
        found.thread
            ? diagnostics.report(DiagId::LanesDiverge, found.op->span(), name, *found.thread)
            : diagnostics.report(DiagId::LanesNotEstablished, found.op->span(), name);
    if (found.dividedBy)
      made.note(found.dividedBy->span(), "lanes of a warp may disagree on this");
  }
  return isFine;
}

} // namespace tilescope
