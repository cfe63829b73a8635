#include "core/analysis/nest_accesses.h"

namespace tilescope {

namespace {

class NestWalk {
public:
  NestWalk(IrAffine &affine, const Function &function, const Substitution &values)
      : affine_(affine), context_(affine.context()), function_(function), builder_(context_),
        values_(values) {}

  NestAccesses run(const Parallel &nest) {
    visit(nest.body);
    return std::move(result_);
  }

private:
  void visit(const Stmt *stmt) {
    stmt_ = stmt;
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      visitBind(*bind);
    forEachExpr(stmt, [&](const Expr *expr) { visit(expr); });
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      add(store->buffer, rangesOf(store->indices), true);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      for (auto [index, region] : llvm::enumerate(op->regions))
        visitOperand(region, op->operand(index));
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      loops_.push_back(loop);
    const auto *branch = llvm::dyn_cast<If>(stmt);
    forEachChild(stmt, [&](const Stmt *child) {
      if (branch)
        conditions_.push_back({valueOf(branch->condition), child == branch->thenBody});
      visit(child);
      if (branch)
        conditions_.pop_back();
    });
    if (llvm::isa<For>(stmt))
      loops_.pop_back();
  }

  void visitBind(const Bind &bind) {
    if (affine_.isStable(bind.value))
      values_[bind.var] = valueOf(bind.value);
    else
      result_.loadedNames.push_back(bind.var);
  }

  void visitOperand(const BufferRegion &region, const OperandInfo &operand) {
    if (operand.effect != Effect::Write && !operand.isAtomic)
      add(region.buffer, region.ranges, false);
    if (operand.effect != Effect::Read)
      add(region.buffer, region.ranges, true);
  }

  void visit(const Expr *expr) {
    if (!readsMemory(expr))
      return;
    if (const auto *select = llvm::dyn_cast<Select>(expr)) {
      visit(select->condition);
      visitUnder(select->condition, true, select->whenTrue);
      visitUnder(select->condition, false, select->whenFalse);
      return;
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
      visit(binary->lhs);
      visitUnder(binary->lhs, binary->op == BinaryOp::And, binary->rhs);
      return;
    }
    forEachChild(expr, [&](const Expr *child) { visit(child); });
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      add(load->buffer, rangesOf(load->indices), false);
  }

  void visitUnder(const Expr *condition, bool holds, const Expr *expr) {
    conditions_.push_back({valueOf(condition), holds});
    visit(expr);
    conditions_.pop_back();
  }

  const Expr *valueOf(const Expr *expr) const { return substitute(context_, expr, values_); }

  llvm::SmallVector<Range> rangesOf(ExprList indices) {
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : indices)
      ranges.push_back({index, builder_.integer(1, index->dtype())});
    return ranges;
  }

  void add(BufferId id, llvm::ArrayRef<Range> ranges, bool isWrite) {
    if (function_.buffer(id).scope == Scope::Local || function_.buffer(id).scope == Scope::LocalVar)
      return;
    NestAccess access{stmt_, id, isWrite, {}, conditions_, loops_};
    for (const Range &range : ranges)
      access.ranges.push_back({valueOf(range.min), valueOf(range.extent)});
    result_.accesses.push_back(std::move(access));
  }

  IrAffine &affine_;
  Context &context_;
  const Function &function_;
  Builder builder_;
  const Stmt *stmt_ = nullptr;
  Substitution values_; // of names so far
  llvm::SmallVector<NestCondition> conditions_;
  llvm::SmallVector<const For *> loops_;
  NestAccesses result_;
};

} // namespace

NestAccesses computeNestAccesses(IrAffine &affine, const Function &function, const Parallel &nest,
                                 const Substitution &values) {
  return NestWalk(affine, function, values).run(nest);
}

} // namespace tilescope
