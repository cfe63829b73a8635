#include "core/analysis/global_traffic.h"

#include "core/analysis/execution_count.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

class TrafficWalk {
public:
  TrafficWalk(Context &context, const Function &function)
      : function_(function), places_(computeStmtPlaces(context, function)) {}

  std::optional<int64_t> bits() {
    visit(function_.body);
    return bits_;
  }

private:
  void visit(const Stmt *stmt);
  void visitOp(const OpStmt &op);
  void addLoads(const Expr *expr);
  void addElement(BufferId buffer);
  void addRegion(const BufferRegion &region);
  void add(int64_t bits);
  // Calls `inner` for what is executed only where the condition has this value; null: always.
  void under(const Expr *condition, bool holds, llvm::function_ref<void()> inner) {
    if (condition)
      place_.conditions.push_back({condition, holds});
    inner();
    if (condition)
      place_.conditions.pop_back();
  }
  void inside(LoopRange loop, const Stmt *body) {
    place_.loops.push_back(loop);
    visit(body);
    place_.loops.pop_back();
  }

  const Function &function_;
  const StmtPlaces &places_;
  ExecutionPlace place_;
  int64_t firstThread_ = 0; // of the role, or of the launch
  std::optional<int64_t> bits_ = 0;
};

// One access of so many bits by a thread, at the place where the walk is.
void TrafficWalk::add(int64_t bits) {
  if (!bits_)
    return;
  std::optional<int64_t> times = countExecutions(place_, places_);
  int64_t all = 0;
  if (!times || __builtin_mul_overflow(*times, bits, &all) ||
      __builtin_add_overflow(*bits_, all, &all))
    bits_.reset();
  else
    bits_ = all;
}

void TrafficWalk::addElement(BufferId buffer) {
  if (places_.isGlobal(buffer))
    add(function_.buffer(buffer).dtype.bits);
}

void TrafficWalk::addRegion(const BufferRegion &region) {
  if (!places_.isGlobal(region.buffer))
    return;
  int64_t bits = function_.buffer(region.buffer).dtype.bits;
  for (const Range &range : region.ranges) {
    std::optional<int64_t> extent = constantValue(range.extent);
    if (!extent || __builtin_mul_overflow(bits, *extent, &bits))
      return bits_.reset();
  }
  add(bits);
}

void TrafficWalk::addLoads(const Expr *expr) {
  if (const auto *select = llvm::dyn_cast<Select>(expr)) {
    addLoads(select->condition);
    under(select->condition, true, [&] { addLoads(select->whenTrue); });
    under(select->condition, false, [&] { addLoads(select->whenFalse); });
    return;
  }
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
    addLoads(binary->lhs);
    under(binary->lhs, binary->op == BinaryOp::And, [&] { addLoads(binary->rhs); });
    return;
  }
  if (const auto *load = llvm::dyn_cast<Load>(expr))
    addElement(load->buffer);
  forEachChild(expr, [&](const Expr *child) { addLoads(child); });
}

void TrafficWalk::visitOp(const OpStmt &op) {
  llvm::SaveAndRestore only(place_.onlyThread);
  if (isForOne(op))
    place_.onlyThread = firstThread_;
  const Expr *guard = nullptr; // of everything the operation does, addresses too
  for (auto [index, region] : llvm::enumerate(op.regions)) {
    const OperandInfo &operand = op.operand(index);
    const Buffer &buffer = function_.buffer(region.buffer);
    const Expr *predicate = accessPredicate(op, buffer, operand.effect);
    if (operand.effect != Effect::Read && buffer.scope == Scope::Global)
      guard = predicate;
    under(predicate, true, [this, &accessed = region] { addRegion(accessed); });
  }
  for (const Expr *arg : op.args)
    if (arg)
      addLoads(arg);
  under(guard, true, [&] {
    for (const BufferRegion &region : op.regions) {
      if (region.slot)
        addLoads(region.slot);
      for (const Range &range : region.ranges)
        addLoads(range.min);
    }
  });
}

void TrafficWalk::visit(const Stmt *stmt) {
  if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
    return visitOp(*op);
  if (place_.launch)
    forEachExpr(stmt, [&](const Expr *expr) { addLoads(expr); });
  if (const auto *store = llvm::dyn_cast<Store>(stmt))
    return addElement(store->buffer);
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    return inside({loop->var, loop->min, loop->extent, mayEndEarly(*loop)}, loop->body);
  if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    const auto *role = llvm::dyn_cast<Role>(branch);
    llvm::SaveAndRestore first(firstThread_, role ? role->firstThread : firstThread_);
    under(branch->condition, true, [&] { visit(branch->thenBody); });
    if (branch->elseBody)
      under(branch->condition, false, [&] { visit(branch->elseBody); });
    return;
  }
  if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
    place_.launch = launch;
    for (auto [var, extent] : llvm::zip_equal(launch->blockVars, launch->gridExtents))
      place_.loops.push_back({var, nullptr, extent});
    visit(launch->body);
    place_ = {};
    return;
  }
  forEachChild(stmt, [&](const Stmt *child) { visit(child); });
}

} // namespace

std::optional<int64_t> computeGlobalBytes(const Module &module) {
  int64_t all = 0;
  for (const Function *function : module.functions) {
    if (!function->properties.has(Property::Lowered))
      return std::nullopt;
    std::optional<int64_t> bits = TrafficWalk(*module.context, *function).bits();
    if (!bits || __builtin_add_overflow(all, *bits, &all))
      return std::nullopt;
  }
  return all / 8 + (all % 8 != 0);
}

} // namespace tilescope
