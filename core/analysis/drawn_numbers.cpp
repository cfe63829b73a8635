#include "core/analysis/drawn_numbers.h"

#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class DrawWalk {
public:
  explicit DrawWalk(const Function &function) : function_(function) {}

  bool run() {
    size_t known = 0;
    do {
      known = vars_.size() + buffers_.size();
      walk(function_.body, [&](const Stmt *stmt) {
        visit(*stmt);
        return !isFound_;
      });
    } while (!isFound_ && vars_.size() + buffers_.size() != known);
    return isFound_;
  }

private:
  void visit(const Stmt &stmt) {
    if (const auto *bind = llvm::dyn_cast<Bind>(&stmt); bind && isDrawn(bind->value))
      vars_.insert(bind->var);
    if (const auto *store = llvm::dyn_cast<Store>(&stmt)) {
      isFound_ |= llvm::any_of(store->indices, [&](const Expr *index) { return isDrawn(index); });
      if (isDrawn(store->value))
        addWritten(store->buffer);
    }
    if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt))
      visitOp(*op);
  }

  void visitOp(const OpStmt &op) {
    bool gives = llvm::any_of(op.args, [&](const Expr *arg) { return arg && isDrawn(arg); });
    for (auto [region, operand] : llvm::zip(op.regions, op.opInfo().operands)) {
      bool isPlaceDrawn =
          llvm::any_of(region.ranges, [&](const Range &range) { return isDrawn(range.min); });
      isFound_ |= isPlaceDrawn && operand.effect != Effect::Read;
      gives |= operand.effect != Effect::Write &&
               (isPlaceDrawn || buffers_.contains(region.buffer.value));
      gives |= operand.isAtomic && operand.effect == Effect::ReadWrite;
    }
    for (auto [region, operand] : llvm::zip(op.regions, op.opInfo().operands))
      if (gives && operand.effect != Effect::Read && !operand.isAtomic)
        addWritten(region.buffer);
  }

  void addWritten(BufferId buffer) {
    isFound_ |= function_.buffer(buffer).scope == Scope::Global;
    buffers_.insert(buffer.value);
  }

  bool isDrawn(const Expr *expr) const {
    bool found = false;
    walk(expr, [&](const Expr *part) {
      const auto *load = llvm::dyn_cast<Load>(part);
      found |= load && buffers_.contains(load->buffer.value);
      const auto *var = llvm::dyn_cast<Var>(part);
      found |= var && vars_.contains(var);
    });
    return found;
  }

  const Function &function_;
  llvm::DenseSet<const Var *> vars_;
  llvm::DenseSet<uint32_t> buffers_;
  bool isFound_ = false;
};

} // namespace

bool writesByDrawnNumbers(const Function &function) { return DrawWalk(function).run(); }

} // namespace tilescope
