#include "core/analysis/warp_convergence.h"

#include "core/analysis/thread_uniform.h"
#include "core/ir/build.h"
#include "core/ir/op_facts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

namespace {

constexpr uint32_t AllLanes = ~0U;
constexpr int64_t WarpThreads = 32;

class ConvergenceWalk {
public:
  explicit ConvergenceWalk(const Function &function) : uniform_(function, OpScope::Warp) {}

  void visit(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      active_ = std::vector<bool>(static_cast<size_t>(launch->threads), true);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt); op && takesLanes(*op))
      check(*op);
    const auto *branch = llvm::dyn_cast<If>(stmt);
    if (!branch)
      return visitInside(stmt, !uniform_.isUniform(*stmt));
    bool divides = !uniform_.isUniform(*branch);
    enter(branch, branch->thenBody, divides, /*holds=*/true);
    if (branch->elseBody)
      enter(branch, branch->elseBody, divides, /*holds=*/false);
  }

  std::vector<DivergentExchange> take() { return std::move(found_); }

private:
  static bool takesLanes(const OpStmt &op) {
    return scopeOf(op) == OpScope::Warp && op.opInfo().sync != OpSync::NamedBarrier;
  }

  // Which lanes run an iteration is not known where they disagree on how many there are.
  void visitInside(const Stmt *stmt, bool divides) {
    llvm::SaveAndRestore<const Stmt *> outer(dividedBy_, divides ? stmt : dividedBy_);
    llvm::SaveAndRestore<bool> known(isKnown_, isKnown_ && !divides);
    forEachChild(stmt, [this](const Stmt *child) { visit(child); });
  }

  void enter(const If *branch, const Stmt *body, bool divides, bool holds) {
    if (!divides)
      return visit(body);
    Lanes values = uniform_.valuesOf(branch->condition);
    llvm::SaveAndRestore<const Stmt *> outer(dividedBy_, branch);
    llvm::SaveAndRestore<bool> known(isKnown_, isKnown_ && !values.empty());
    std::vector<bool> before = active_;
    for (size_t thread = 0; thread < active_.size() && !values.empty(); ++thread)
      active_[thread] = active_[thread] && (laneOf(values, thread) != 0) == holds;
    visit(body);
    active_ = std::move(before);
  }

  void check(const OpStmt &op) {
    const OpInfo &info = op.opInfo();
    const Expr *mask = info.lanes ? op.args[*info.lanes] : nullptr;
    std::optional<int64_t> lanes = mask ? constantValue(mask) : int64_t{AllLanes};
    bool isDecided = isKnown_ && lanes && !info.takesWhoComes;
    if (!isDecided && (mask || dividedBy_))
      found_.push_back({&op, dividedBy_, std::nullopt});
    if (!isDecided)
      return;
    for (size_t first = 0; first < active_.size(); first += WarpThreads)
      if (!isThere(first, static_cast<uint32_t>(*lanes)))
        return found_.push_back({&op, dividedBy_, static_cast<int64_t>(first)});
  }

  // Whether those of a warp that get here are none, or these lanes.
  bool isThere(size_t first, uint32_t lanes) const {
    uint32_t present = 0, existing = 0;
    for (size_t lane = 0; lane != WarpThreads && first + lane < active_.size(); ++lane) {
      existing |= 1U << lane;
      present |= uint32_t{active_[first + lane]} << lane;
    }
    return present == 0 || present == (lanes & existing);
  }

  ThreadUniform uniform_;
  std::vector<bool> active_;        // threads that get here, as far as they decide
  bool isKnown_ = true;             // they decide alone
  const Stmt *dividedBy_ = nullptr; // the innermost that does
  std::vector<DivergentExchange> found_;
};

} // namespace

std::vector<DivergentExchange> findDivergentExchanges(const Function &function) {
  ConvergenceWalk walk(function);
  walk.visit(function.body);
  return walk.take();
}

} // namespace tilescope
