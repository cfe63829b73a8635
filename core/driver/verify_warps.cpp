#include "core/driver/verify_warps.h"

#include "core/analysis/named_barriers.h"
#include "core/analysis/warp_convergence.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"

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

// All blocks of a launch must get to a barrier of the grid.
static void verifyGridBarriers(const Stmt *stmt, llvm::DenseSet<const Var *> &known,
                               const Stmt *dividedBy, Diagnostics &diagnostics) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  if (op && op->opInfo().isOfGrid && dividedBy)
    diagnostics
        .report(DiagId::HazardNotEstablished, op->span(),
                "it is not established that all blocks get to this barrier of the grid")
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

bool verifyWarps(const Function &function, Diagnostics &diagnostics) {
  bool isFine = verifyNamedBarriers(function, diagnostics);
  llvm::DenseSet<const Var *> known;
  for (const Param &param : function.params)
    if (param.var)
      known.insert(param.var);
  verifyGridBarriers(function.body, known, nullptr, diagnostics);
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
