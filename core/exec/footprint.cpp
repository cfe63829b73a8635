#include "core/exec/footprint.h"

#include "core/analysis/select_gemm.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// What one node of an expression and one element of a tile operation cost the CPU, in operations of
// a gemm.
constexpr double NodeWork = 16;
constexpr double ElementWork = 48;

double workOf(const Stmt *stmt) {
  double nodes = 0;
  walk(stmt, [&](const Stmt *part) {
    forEachExpr(part, [&](const Expr *root) { walk(root, [&](const Expr *) { ++nodes; }); });
    return true;
  });
  return nodes * NodeWork;
}

bool shareVar(const Expr *lhs, const Expr *rhs, llvm::ArrayRef<const Var *> vars) {
  return llvm::any_of(vars, [&](const Var *var) {
    auto mentions = [&](const Expr *root) {
      bool found = false;
      walk(root, [&](const Expr *part) { found |= part == var; });
      return found;
    };
    return mentions(lhs) && mentions(rhs);
  });
}

// Whether the ends of an expression lie in the corners of the space of `vars`: sums of them and
// products of different ones, divided or not. i * (7 - i) has its largest value between.
bool hasEndsInCorners(const Expr *expr, llvm::ArrayRef<const Var *> vars) {
  auto mentionsVars = [&](const Expr *root) {
    bool found = false;
    walk(root, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      found |= var && llvm::is_contained(vars, var);
    });
    return found;
  };
  bool isKnown = true;
  walk(expr, [&](const Expr *part) {
    const auto *binary = llvm::dyn_cast<Binary>(part);
    bool isSum = binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub);
    bool isProduct =
        binary && binary->op == BinaryOp::Mul && !shareVar(binary->lhs, binary->rhs, vars);
    bool isQuotient = binary && binary->op == BinaryOp::FloorDiv && !mentionsVars(binary->rhs);
    bool isPlain = llvm::isa<Var>(part) || llvm::isa<IntImm>(part) || llvm::isa<Cast>(part);
    isKnown &= isSum || isProduct || isQuotient || isPlain || !mentionsVars(part);
  });
  return isKnown;
}

// Walks the statements of a block: loops run, tiles are not touched.
class FootprintWalk {
public:
  FootprintWalk(BlockFrame &frame, int64_t threads) : frame_(frame), threads_(threads) {}

  void visit(const Stmt *stmt);
  Footprint take() { return std::move(result_); }

private:
  bool isGlobal(BufferId id) const { return frame_.function().buffer(id).scope == Scope::Global; }
  // The value; nothing if it depends on data or on the thread.
  std::optional<int64_t> valueOf(const Expr *expr);
  void add(TensorBox box) {
    // A loop that writes one tile again and again adds it once.
    auto same = [&](const TensorBox &other) {
      return other.buffer == box.buffer && other.begin == box.begin && other.end == box.end;
    };
    if (!llvm::any_of(result_.writes, same))
      result_.writes.push_back(std::move(box));
  }
  void addRange(TensorBox &box, std::optional<int64_t> low, std::optional<int64_t> high);
  void visitFor(const For &loop);
  void visitIf(const If &branch);
  void visitBind(const Bind &bind);
  void visitOp(const OpStmt &op);
  void addOpWork(const OpStmt &op);
  void visitParallel(const Parallel &parallel);
  // A write of one element by each iteration of a parallel loop.
  void addElement(BufferId buffer, ExprList indices, llvm::ArrayRef<const Var *> vars,
                  llvm::ArrayRef<int64_t> extents);
  void addWrites(const OpStmt &op, llvm::ArrayRef<const Var *> vars,
                 llvm::ArrayRef<int64_t> extents);

  BlockFrame &frame_;
  int64_t threads_;
  Footprint result_;
};

std::optional<int64_t> FootprintWalk::valueOf(const Expr *expr) {
  bool isKnown = !readsMemory(expr);
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    isKnown &= !var || frame_.isBound(var);
  });
  return isKnown ? std::optional(frame_.evaluateInt(expr)) : std::nullopt;
}

// The next dimension of a box; unknown ends may be anywhere in the tensor.
void FootprintWalk::addRange(TensorBox &box, std::optional<int64_t> low,
                             std::optional<int64_t> high) {
  if (!low || !high) {
    low = 0;
    high = frame_.evaluateInt(frame_.function().buffer(box.buffer).shape[box.begin.size()]);
  }
  box.begin.push_back(*low);
  box.end.push_back(*high);
}

void FootprintWalk::visitFor(const For &loop) {
  std::optional<int64_t> first = valueOf(loop.min);
  std::optional<int64_t> count = valueOf(loop.extent);
  if (!first || !count || loop.forKind == ForKind::Endless) {
    result_.isFlopKnown = false;
    frame_.unbind(loop.var);
    return visit(loop.body);
  }
  result_.isFlopKnown &= !mayEndEarly(loop);
  for (int64_t i = 0; i < *count; ++i) {
    frame_.bind(loop.var, Number{.i = *first + i});
    visit(loop.body);
  }
}

void FootprintWalk::visitIf(const If &branch) {
  std::optional<int64_t> condition = valueOf(branch.condition);
  result_.isFlopKnown &= condition.has_value();
  if (condition.value_or(1))
    visit(branch.thenBody);
  if (branch.elseBody && !condition.value_or(0))
    visit(branch.elseBody);
}

void FootprintWalk::visitBind(const Bind &bind) {
  if (std::optional<int64_t> value = valueOf(bind.value); value && !bind.var->dtype().isFloat())
    return frame_.bind(bind.var, Number{.i = *value});
  frame_.unbind(bind.var);
}

void FootprintWalk::visitOp(const OpStmt &op) {
  for (auto [index, region] : llvm::enumerate(op.regions)) {
    if (op.operand(index).effect == Effect::Read || !isGlobal(region.buffer))
      continue;
    TensorBox box{region.buffer, {}, {}};
    for (const Range &range : region.ranges) {
      std::optional<int64_t> begin = valueOf(range.min);
      std::optional<int64_t> extent = valueOf(range.extent);
      std::optional<int64_t> end;
      if (begin && extent)
        end = *begin + *extent;
      addRange(box, begin, end);
    }
    add(std::move(box));
  }
  addOpWork(op);
}

void FootprintWalk::addOpWork(const OpStmt &op) {
  double most = 0; // elements of an operand
  for (const BufferRegion &region : op.regions) {
    double elements = 1;
    for (const Range &range : region.ranges)
      elements *= static_cast<double>(valueOf(range.extent).value_or(1));
    most = std::max(most, elements);
  }
  result_.work += most * ElementWork;
  if (levelOf(op.op) != OpLevel::Tile || op.opInfo().work != OpWork::MatrixMultiply)
    return;
  MatrixExtents extents = extentsOfGemm(op);
  double flop = 2;
  for (const Expr *extent : {extents.m, extents.n, extents.k})
    flop *= static_cast<double>(valueOf(extent).value_or(1));
  result_.flop += flop;
  result_.work += flop;
}

void FootprintWalk::visitParallel(const Parallel &parallel) {
  llvm::SmallVector<const Var *> vars; // those whose range is known
  llvm::SmallVector<int64_t> extents;
  double iterations = 1;
  for (auto [var, extent] : llvm::zip_equal(parallel.vars, parallel.extents)) {
    frame_.unbind(var);
    std::optional<int64_t> count = valueOf(extent);
    if (!count)
      continue;
    vars.push_back(var);
    extents.push_back(*count);
    iterations *= static_cast<double>(std::max<int64_t>(*count, 0));
  }
  result_.work += iterations * workOf(parallel.body);
  if (iterations == 0)
    return;
  walk(parallel.body, [&](const Stmt *stmt) {
    for (const Var *var : varsBoundBy(stmt))
      frame_.unbind(var);
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      addElement(store->buffer, store->indices, vars, extents);
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op)
      addWrites(*op, vars, extents);
    return true;
  });
}

// In a parallel loop an operation touches single elements.
void FootprintWalk::addWrites(const OpStmt &op, llvm::ArrayRef<const Var *> vars,
                              llvm::ArrayRef<int64_t> extents) {
  for (auto [index, region] : llvm::enumerate(op.regions)) {
    if (op.operand(index).effect == Effect::Read)
      continue;
    llvm::SmallVector<const Expr *> indices;
    for (const Range &range : region.ranges)
      indices.push_back(range.min);
    addElement(region.buffer, indices, vars, extents);
  }
}

void FootprintWalk::addElement(BufferId buffer, ExprList indices, llvm::ArrayRef<const Var *> vars,
                               llvm::ArrayRef<int64_t> extents) {
  if (!isGlobal(buffer))
    return;
  TensorBox box{buffer, {}, {}};
  for (const Expr *index : indices) {
    std::optional<int64_t> low;
    std::optional<int64_t> high;
    size_t corners = hasEndsInCorners(index, vars) ? size_t{1} << vars.size() : 0;
    for (size_t corner = 0; corner < corners; ++corner) {
      for (size_t dim = 0; dim < vars.size(); ++dim)
        frame_.bind(vars[dim], Number{.i = corner >> dim & 1 ? extents[dim] - 1 : 0});
      std::optional<int64_t> value = valueOf(index);
      if (!value)
        break; // at no corner
      low = std::min(low.value_or(*value), *value);
      high = std::max(high.value_or(*value + 1), *value + 1);
    }
    addRange(box, low, high);
  }
  add(std::move(box));
}

void FootprintWalk::visit(const Stmt *stmt) {
  switch (stmt->kind()) {
  case StmtKind::Seq:
    for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
      visit(child);
    return;
  case StmtKind::For:
    return visitFor(*llvm::cast<For>(stmt));
  case StmtKind::Parallel:
    return visitParallel(*llvm::cast<Parallel>(stmt));
  case StmtKind::If:
  case StmtKind::Role:
    return visitIf(*llvm::cast<If>(stmt));
  case StmtKind::Bind:
    return visitBind(*llvm::cast<Bind>(stmt));
  case StmtKind::Store:
    result_.work += static_cast<double>(threads_) * workOf(stmt);
    return addElement(llvm::cast<Store>(stmt)->buffer, llvm::cast<Store>(stmt)->indices, {}, {});
  case StmtKind::Op:
    return visitOp(*llvm::cast<OpStmt>(stmt));
  case StmtKind::Break:
  case StmtKind::Launch:
    return;
  }
}

} // namespace

bool TensorBox::intersects(const TensorBox &other) const {
  if (buffer != other.buffer)
    return false;
  for (size_t dim = 0; dim < begin.size(); ++dim)
    if (begin[dim] >= other.end[dim] || other.begin[dim] >= end[dim])
      return false;
  return true;
}

Footprint computeFootprint(const Stmt *body, BlockFrame &frame, int64_t threads) {
  FootprintWalk footprint(frame, threads);
  footprint.visit(body);
  return footprint.take();
}

} // namespace tilescope
