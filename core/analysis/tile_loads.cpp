#include "core/analysis/tile_loads.h"

#include "core/analysis/select_gather.h"
#include "core/ir/visit.h"

namespace tilescope {

namespace {

// A move that may become asynchronous.
const OpStmt *asCopy(const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  bool isCopy =
      op && op->opInfo().work == OpWork::Move && op->opInfo().async == AsyncWhen::ByAttribute;
  return isCopy ? op : nullptr;
}

} // namespace

const Stmt *movingPart(const Stmt *stmt) {
  while (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    if (branch->elseBody)
      return stmt;
    stmt = branch->thenBody;
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt); seq && seq->stmts.size() == 1)
      stmt = seq->stmts.front();
  }
  return stmt;
}

std::optional<TileLoad> tileLoadOf(const Function &function, const Stmt *stmt) {
  const Stmt *moving = movingPart(stmt);
  if (const auto *nest = llvm::dyn_cast<Parallel>(moving)) {
    std::optional<Gather> gather = gatherOf(*nest, function);
    return gather ? std::optional(TileLoad{gather->load->buffer, gather->store->buffer})
                  : std::nullopt;
  }
  const OpStmt *copy = asCopy(moving);
  if (!copy || function.buffer(copy->regions[0].buffer).scope != Scope::Global ||
      !isShared(function.buffer(copy->regions[1].buffer).scope))
    return std::nullopt;
  return TileLoad{copy->regions[0].buffer, copy->regions[1].buffer};
}

BufferId filledBy(const Stmt *load) {
  const Stmt *moving = movingPart(load);
  if (const auto *copy = llvm::dyn_cast<OpStmt>(moving))
    return copy->regions[1].buffer;
  BufferId filled;
  walk(moving, [&](const Stmt *stmt) {
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      filled = store->buffer;
    return true;
  });
  return filled;
}

} // namespace tilescope
