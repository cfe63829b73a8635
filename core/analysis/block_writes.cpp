#include "core/analysis/block_writes.h"

#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Of one variable of a launch.
class BlockWriteWalk {
public:
  BlockWriteWalk(Context &context, const Function &function, std::vector<BlockWrite> &found)
      : context_(context), function_(function), found_(found) {}

  void run(const Launch &launch, const Var *block) {
    depending_ = {block};
    visit(launch.body);
  }

private:
  void visit(const Stmt *stmt) {
    if (const auto *choice = llvm::dyn_cast<If>(stmt); choice && depends(choice->condition))
      return;
    noteVariables(*stmt);
    for (const BufferAccess &access : accessesOf(context_, stmt))
      if (access.effect != Effect::Read && !access.isAtomic() &&
          function_.buffer(access.buffer).scope == Scope::Global && !isOfBlock(*stmt, access) &&
          mayDiffer(*stmt))
        add({stmt, access.buffer});
    forEachChild(stmt, [&](const Stmt *child) { visit(child); });
  }

  void noteVariables(const Stmt &stmt) {
    const auto *bind = llvm::dyn_cast<Bind>(&stmt);
    const auto *loop = llvm::dyn_cast<For>(&stmt);
    if (bind && depends(bind->value))
      depending_.insert(bind->var);
    if (loop && (depends(loop->min) || depends(loop->extent)))
      depending_.insert(loop->var);
  }

  bool isOfBlock(const Stmt &stmt, const BufferAccess &access) const {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    const Expr *predicate = op ? predicateOf(*op) : nullptr;
    return (predicate && depends(predicate)) ||
           llvm::any_of(access.ranges, [&](const Range &range) { return depends(range.min); });
  }

  // What an operation copies was computed somewhere, and so was what is loaded from memory that the
  // function writes.
  bool mayDiffer(const Stmt &stmt) const {
    const auto *store = llvm::dyn_cast<Store>(&stmt);
    if (!store || depends(store->value))
      return true;
    bool isComputed = false;
    walk(store->value, [&](const Expr *part) {
      const auto *load = llvm::dyn_cast<Load>(part);
      isComputed |= load && function_.buffer(load->buffer).scope != Scope::Global;
    });
    return isComputed;
  }

  bool depends(const Expr *expr) const {
    bool isFound = false;
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      isFound |= var && depending_.contains(var);
    });
    return isFound;
  }

  void add(const BlockWrite &write) {
    bool isKnown = llvm::any_of(found_, [&](const BlockWrite &known) {
      return known.stmt == write.stmt && known.buffer == write.buffer;
    });
    if (!isKnown)
      found_.push_back(write);
  }

  Context &context_;
  const Function &function_;
  std::vector<BlockWrite> &found_;
  llvm::DenseSet<const Var *> depending_;
};

} // namespace

std::vector<BlockWrite> findBlockWrites(Context &context, const Function &function) {
  std::vector<BlockWrite> found;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (launch)
      for (auto [block, extent] : llvm::zip_equal(launch->blockVars, launch->gridExtents))
        if (constantValue(extent) != 1)
          BlockWriteWalk(context, function, found).run(*launch, block);
    return !launch;
  });
  return found;
}

} // namespace tilescope
