#include "core/ir/op_facts.h"

#include "core/access/access_program.h"
#include "core/ir/build.h"

namespace tilescope {

Clearing clearingOf(const OpStmt &op, const OperandInfo &operand) {
  if (operand.effect != Effect::ReadWrite)
    return Clearing::Never;
  if (operand.clearedByAttr)
    return op.attr(*operand.clearedByAttr) ? Clearing::Always : Clearing::Never;
  const Expr *condition = operand.clearedByArg ? op.args[*operand.clearedByArg] : nullptr;
  if (!condition || constantValue(condition) == 0)
    return Clearing::Never;
  return constantValue(condition) ? Clearing::Always : Clearing::OnCondition;
}

bool clearsFirst(const Stmt &stmt, const BufferAccess &access) {
  return access.operand &&
         clearingOf(*llvm::cast<OpStmt>(&stmt), *access.operand) == Clearing::Always;
}

bool isAsynchronous(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  if (!op || op->opInfo().async == AsyncWhen::Never)
    return false;
  return op->opInfo().async == AsyncWhen::Always || op->attr(Attr::Async) != 0;
}

bool isSynchronisation(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  return op && op->opInfo().sync != OpSync::None;
}

bool keepsHalves(const OpStmt &op) {
  return op.opInfo().work == OpWork::MatrixMultiply && op.regions.size() > 3;
}

OpScope scopeOf(const OpStmt &op) {
  if (!op.opInfo().has(Attr::Scope))
    return op.opInfo().scope;
  bool isWarp = op.attr(Attr::Scope) == static_cast<int64_t>(BarrierScope::Warp);
  return isWarp ? OpScope::Warp : OpScope::Block;
}

static bool holds(const Launch &launch, llvm::function_ref<bool(const OpStmt &)> counts) {
  bool isFound = false;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    isFound |= op && counts(*op);
    return !isFound;
  });
  return isFound;
}

bool meetsBlocks(const Launch &launch) {
  return holds(launch, [](const OpStmt &op) { return op.opInfo().isOfGrid; });
}

const Expr *rankOf(const OpStmt &op) {
  std::optional<size_t> rank = op.opInfo().rank;
  return rank ? op.args[*rank] : nullptr;
}

bool reachesBlocks(const OpStmt &op) {
  return rankOf(op) || (op.opInfo().has(Attr::ClusterMask) && op.attr(Attr::ClusterMask) != 0);
}

bool meetsCluster(const Launch &launch) {
  return holds(launch,
               [](const OpStmt &op) { return op.opInfo().isOfCluster || reachesBlocks(op); });
}

bool ordersLaunches(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  return op &&
         (op->opInfo().sync == OpSync::EarlierLaunches || op->opInfo().sync == OpSync::NextLaunch);
}

bool beginsEarly(const Launch &launch) {
  return holds(launch,
               [](const OpStmt &op) { return op.opInfo().sync == OpSync::EarlierLaunches; });
}

const Expr *predicateOf(const OpStmt &op) {
  std::optional<size_t> predicate = op.opInfo().predicate;
  return predicate && *predicate < op.args.size() ? op.args[*predicate] : nullptr;
}

bool isForOne(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  return op && scopeOf(*op) == OpScope::Elected;
}

bool hasOneLaunch(const Function &function) {
  int launches = 0;
  walk(function.body, [&](const Stmt *stmt) {
    launches += llvm::isa<Launch>(stmt);
    return !llvm::isa<Launch>(stmt);
  });
  return launches == 1;
}

} // namespace tilescope
