#include "core/codegen/cuda_uses.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

static void addVars(const Expr *root, llvm::DenseSet<uint32_t> &vars) {
  walk(root, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      vars.insert(var->id.value);
  });
}

CudaUses collectUses(Context &context, const Function &function, const Stmt *body) {
  CudaUses uses;
  walk(body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    forEachExpr(stmt, [&](const Expr *root) { addVars(root, uses.vars); });
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      uint32_t id = access.buffer.value;
      uses.accessed.insert(id);
      if (op)
        uses.accessedAsWords.insert(id);
      if (stmt->span().isValid())
        uses.accessLines[id].push_back(stmt->span().line);
      std::optional<int64_t> slot = access.slot ? constantValue(access.slot) : std::nullopt;
      if (slot && !llvm::is_contained(uses.constantSlots[id], *slot))
        uses.constantSlots[id].push_back(*slot);
      if (access.slot && !slot)
        uses.computesSlots.insert(id);
      if (access.slot && isShared(function.buffer(access.buffer).scope))
        addVars(access.slot, uses.slotVars);
    }
    return true;
  });
  return uses;
}

} // namespace tilescope
