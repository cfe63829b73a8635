#include "core/analysis/statement_accesses.h"

#include "core/analysis/thread_uniform.h"
#include "core/ir/op_facts.h"

namespace tilescope {

namespace {

class StatementTree {
public:
  explicit StatementTree(const Function &function) : function_(function) {}

  AccessTree build() {
    for (const Buffer *buffer : function_.buffers)
      if (buffer->scope != Scope::Global)
        tree_.program.buffers.push_back({buffer->id, buffer->name.str(), buffer->versions});
    tree_.program.root = buildBody(function_.body);
    return std::move(tree_);
  }

private:
  using Nodes = std::vector<uint32_t>;

  uint32_t add(AccessNode node, const Stmt *stmt) {
    if (stmt) {
      node.stmt = stmt->id();
      node.anchor = stmt->anchor();
    }
    tree_.sources.push_back({stmt, stmt});
    return tree_.program.add(std::move(node));
  }

  uint32_t addParent(AccessNode::Kind kind, const Stmt *stmt, Nodes children) {
    AccessNode node;
    node.kind = kind;
    node.children = std::move(children);
    return add(std::move(node), stmt);
  }

  uint32_t addLeaf(const Stmt *stmt, std::vector<Access> accesses) {
    AccessNode node;
    node.kind = AccessNode::Kind::Leaf;
    node.accesses = std::move(accesses);
    return add(std::move(node), stmt);
  }

  uint32_t buildBody(const Stmt *body) {
    Nodes children;
    buildStmt(body, children);
    return addParent(AccessNode::Kind::Seq, nullptr, std::move(children));
  }

  void buildStmt(const Stmt *stmt, Nodes &nodes) {
    switch (stmt->kind()) {
    case StmtKind::Seq:
      for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
        buildStmt(child, nodes);
      return;
    case StmtKind::Launch:
      buildAccesses(stmt, nodes);
      return buildStmt(llvm::cast<Launch>(stmt)->body, nodes);
    case StmtKind::For:
      buildAccesses(stmt, nodes);
      return buildLoop(stmt, llvm::cast<For>(stmt)->extent, llvm::cast<For>(stmt)->body, nodes,
                       mayEndEarly(*llvm::cast<For>(stmt)));
    case StmtKind::Parallel:
      buildAccesses(stmt, nodes);
      return buildLoop(stmt, llvm::cast<Parallel>(stmt)->extents, llvm::cast<Parallel>(stmt)->body,
                       nodes);
    case StmtKind::If:
    case StmtKind::Role:
      buildAccesses(stmt, nodes);
      return buildBranch(*llvm::cast<If>(stmt), nodes);
    case StmtKind::Break:
      return;
    case StmtKind::Bind:
    case StmtKind::Store:
    case StmtKind::Op:
      buildAccesses(stmt, nodes);
    }
  }

  void buildLoop(const Stmt *stmt, ExprList extents, const Stmt *body, Nodes &nodes,
                 bool mayEndEarly = false) {
    AccessNode loop;
    loop.kind = AccessNode::Kind::Loop;
    loop.children = {buildBody(body)};
    loop.maxTrips = 1;
    for (const Expr *extent : extents) {
      std::optional<int64_t> trips = constantValue(extent);
      bool isKnown = trips && loop.maxTrips && *trips <= MaxTrips && *loop.maxTrips <= MaxTrips;
      loop.maxTrips =
          isKnown ? std::optional(std::max<int64_t>(*trips, 0) * *loop.maxTrips) : std::nullopt;
    }
    loop.minTrips = loop.maxTrips.value_or(0);
    if (mayEndEarly)
      loop.minTrips = std::min<int64_t>(loop.minTrips, 1);
    nodes.push_back(add(std::move(loop), stmt));
  }

  void buildBranch(const If &branch, Nodes &nodes) {
    Nodes sides = {buildBody(branch.thenBody)};
    if (branch.elseBody)
      sides.push_back(buildBody(branch.elseBody));
    bool isConcurrent = branch.elseBody && !isUniform(branch);
    nodes.push_back(addParent(isConcurrent ? AccessNode::Kind::Roles : AccessNode::Kind::If,
                              &branch, std::move(sides)));
  }

  bool isUniform(const If &branch) {
    if (!uniform_)
      uniform_.emplace(function_);
    return uniform_->isUniform(branch);
  }

  // What the statement itself does: reads that depend on a condition, then the others, then writes.
  void buildAccesses(const Stmt *stmt, Nodes &nodes) {
    std::vector<Access> accesses;
    forEachExpr(stmt, [&](const Expr *expr) { addLoads(stmt, expr, accesses, nodes); });
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      for (auto [index, region] : llvm::enumerate(op->regions))
        if (op->operand(index).effect == Effect::Read ||
            (op->operand(index).effect == Effect::ReadWrite &&
             clearingOf(*op, op->operand(index)) == Clearing::Never))
          addAccess(region.buffer, AccessKind::Read, accesses);
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      addAccess(store->buffer, AccessKind::Write, accesses);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      for (auto [index, region] : llvm::enumerate(op->regions))
        if (op->operand(index).effect != Effect::Read)
          addAccess(region.buffer, AccessKind::Write, accesses);
    if (!accesses.empty())
      nodes.push_back(addLeaf(stmt, std::move(accesses)));
  }

  void addLoads(const Stmt *stmt, const Expr *expr, std::vector<Access> &accesses, Nodes &nodes) {
    auto addConditional = [&](const Expr *side) {
      std::vector<Access> inside;
      addLoads(stmt, side, inside, nodes);
      if (!inside.empty())
        nodes.push_back(addParent(AccessNode::Kind::If, stmt, {addLeaf(stmt, std::move(inside))}));
    };
    if (const auto *select = llvm::dyn_cast<Select>(expr)) {
      addLoads(stmt, select->condition, accesses, nodes);
      addConditional(select->whenTrue);
      addConditional(select->whenFalse);
      return;
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
      addLoads(stmt, binary->lhs, accesses, nodes);
      addConditional(binary->rhs);
      return;
    }
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      addAccess(load->buffer, AccessKind::Read, accesses);
    forEachChild(expr, [&](const Expr *child) { addLoads(stmt, child, accesses, nodes); });
  }

  void addAccess(BufferId id, AccessKind kind, std::vector<Access> &accesses) const {
    const Buffer &buffer = function_.buffer(id);
    if (buffer.scope == Scope::Global)
      return;
    Access access;
    access.buffer = id;
    access.kind = kind;
    if (buffer.versions > 1)
      access.slot.kind = Slot::Kind::Dynamic;
    accesses.push_back(access);
  }

  static constexpr int64_t MaxTrips = int64_t(1) << 20;

  const Function &function_;
  std::optional<ThreadUniform> uniform_; // made where a branch asks
  AccessTree tree_;
};

} // namespace

AccessTree computeStatementAccesses(const Function &function) {
  return StatementTree(function).build();
}

} // namespace tilescope
