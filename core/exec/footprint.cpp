#include "core/exec/footprint.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool readsMemory(const Expr *expr) {
  bool found = false;
  walk(expr, [&](const Expr *part) { found |= llvm::isa<Load>(part); });
  return found;
}

// Walks the statements of a block: loops run, tiles are not touched.
class FootprintWalk {
public:
  explicit FootprintWalk(BlockFrame &frame) : frame_(frame) {}

  void visit(const Stmt *stmt);
  std::optional<Footprint> take() {
    return known_ ? std::optional(std::move(result_)) : std::nullopt;
  }

private:
  bool isGlobal(BufferId id) const { return frame_.function().buffer(id).scope == Scope::Global; }
  bool isKnown(const Expr *expr) {
    known_ &= !readsMemory(expr);
    return known_;
  }
  void bindInt(const Var *var, int64_t value) {
    Number number;
    number.i = value;
    frame_.bind(var, number);
  }
  void add(Box box) {
    // A loop that writes one tile again and again adds it once.
    auto same = [&](const Box &other) {
      return other.buffer == box.buffer && other.begin == box.begin && other.end == box.end;
    };
    if (!llvm::any_of(result_.writes, same))
      result_.writes.push_back(std::move(box));
  }
  void visitFor(const For &loop);
  void visitOp(const OpStmt &op);
  void visitParallel(const Parallel &parallel);
  void addStores(const Stmt *body, llvm::ArrayRef<const Var *> vars,
                 llvm::ArrayRef<int64_t> extents);
  void addStore(const Store &store, llvm::ArrayRef<const Var *> vars,
                llvm::ArrayRef<int64_t> extents);

  BlockFrame &frame_;
  Footprint result_;
  bool known_ = true;
};

void FootprintWalk::visitFor(const For &loop) {
  if (!isKnown(loop.min) || !isKnown(loop.extent))
    return;
  int64_t first = frame_.evaluateInt(loop.min);
  int64_t count = frame_.evaluateInt(loop.extent);
  for (int64_t i = 0; i < count && known_; ++i) {
    bindInt(loop.var, first + i);
    visit(loop.body);
  }
}

void FootprintWalk::visitOp(const OpStmt &op) {
  for (auto [region, operand] : llvm::zip(op.regions, op.opInfo().operands)) {
    if (operand.effect == Effect::Read || !isGlobal(region.buffer))
      continue;
    Box box{region.buffer, {}, {}};
    for (const Range &range : region.ranges) {
      if (!isKnown(range.min) || !isKnown(range.extent))
        return;
      box.begin.push_back(frame_.evaluateInt(range.min));
      box.end.push_back(box.begin.back() + frame_.evaluateInt(range.extent));
    }
    add(std::move(box));
  }
  if (op.op == Op::Gemm) {
    double flop = 2;
    for (const Range &range : op.regions[2].ranges)
      flop *= static_cast<double>(frame_.evaluateInt(range.extent));
    llvm::ArrayRef<Range> a = op.regions[0].ranges;
    const Range &depth = a[a.size() - (op.attr(Attr::TransposeA) ? 2 : 1)];
    result_.flop += flop * static_cast<double>(frame_.evaluateInt(depth.extent));
  }
}

void FootprintWalk::visitParallel(const Parallel &parallel) {
  llvm::SmallVector<int64_t> extents;
  for (const Expr *extent : parallel.extents) {
    if (!isKnown(extent))
      return;
    extents.push_back(frame_.evaluateInt(extent));
  }
  if (!llvm::is_contained(extents, 0))
    addStores(parallel.body, parallel.vars, extents);
}

void FootprintWalk::addStores(const Stmt *body, llvm::ArrayRef<const Var *> vars,
                              llvm::ArrayRef<int64_t> extents) {
  walk(body, [&](const Stmt *stmt) {
    if (const auto *store = llvm::dyn_cast<Store>(stmt); store && isGlobal(store->buffer))
      addStore(*store, vars, extents);
    // What is bound or looped inside would need its own ranges.
    bool writesByOp = llvm::isa<OpStmt>(stmt);
    known_ &= !writesByOp && !llvm::isa<Bind>(stmt) && !llvm::isa<For>(stmt);
    return true;
  });
}

// Index expressions are taken to be monotonic: their ends lie in the corners of the iteration
// space.
void FootprintWalk::addStore(const Store &store, llvm::ArrayRef<const Var *> vars,
                             llvm::ArrayRef<int64_t> extents) {
  Box box{store.buffer, {}, {}};
  for (const Expr *index : store.indices) {
    if (!isKnown(index))
      return;
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    for (size_t corner = 0; corner < size_t{1} << vars.size(); ++corner) {
      for (size_t dim = 0; dim < vars.size(); ++dim)
        bindInt(vars[dim], corner >> dim & 1 ? extents[dim] - 1 : 0);
      int64_t value = frame_.evaluateInt(index);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    box.begin.push_back(low);
    box.end.push_back(high + 1);
  }
  add(std::move(box));
}

void FootprintWalk::visit(const Stmt *stmt) {
  if (!known_)
    return;
  switch (stmt->kind()) {
  case StmtKind::Seq:
    for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
      visit(child);
    return;
  case StmtKind::For:
    return visitFor(*llvm::cast<For>(stmt));
  case StmtKind::Parallel:
    return visitParallel(*llvm::cast<Parallel>(stmt));
  case StmtKind::If: {
    const auto *choice = llvm::cast<If>(stmt);
    if (!isKnown(choice->condition))
      return;
    if (frame_.evaluateInt(choice->condition))
      visit(choice->thenBody);
    else if (choice->elseBody)
      visit(choice->elseBody);
    return;
  }
  case StmtKind::Bind: {
    const auto *bind = llvm::cast<Bind>(stmt);
    if (isKnown(bind->value))
      frame_.bind(bind->var, frame_.evaluate(bind->value));
    return;
  }
  case StmtKind::Store:
    if (const auto *store = llvm::cast<Store>(stmt); isGlobal(store->buffer))
      addStore(*store, {}, {});
    return;
  case StmtKind::Op:
    return visitOp(*llvm::cast<OpStmt>(stmt));
  case StmtKind::Launch:
    known_ = false;
  }
}

} // namespace

bool Box::intersects(const Box &other) const {
  if (buffer != other.buffer)
    return false;
  for (size_t dim = 0; dim < begin.size(); ++dim)
    if (begin[dim] >= other.end[dim] || other.begin[dim] >= end[dim])
      return false;
  return true;
}

std::optional<Footprint> computeFootprint(const Stmt *body, BlockFrame &frame) {
  FootprintWalk footprint(frame);
  footprint.visit(body);
  return footprint.take();
}

} // namespace tilescope
