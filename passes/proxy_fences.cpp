#include "passes/proxy_fences.h"

#include "core/analysis/role_lanes.h"
#include "core/ir/edit_map.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tilescope {

namespace {

bool isOfAsyncProxy(const Stmt &stmt) {
  return isAsynchronous(stmt) && llvm::cast<OpStmt>(stmt).opInfo().queue != AsyncQueue::CpAsync;
}

bool hasAsyncProxy(const Function &function) {
  bool isFound = false;
  walk(function.body, [&](const Stmt *stmt) {
    isFound |= isOfAsyncProxy(*stmt);
    return !isFound;
  });
  return isFound;
}

bool letsOthersKnow(const OpStmt &op) {
  OpSync sync = op.opInfo().sync;
  return sync == OpSync::NamedBarrier || sync == OpSync::Arrive ||
         (sync == OpSync::Barrier && scopeOf(op) == OpScope::Block);
}

// Copies of cp.async are written when they are waited for.
bool waitsForCopies(const OpStmt &op) {
  return op.opInfo().sync == OpSync::Wait && op.opInfo().queue == AsyncQueue::CpAsync;
}

// Follows the threads of each lane through the statements of a launch, and notes where they come to
// with accesses that they have not fenced.
class UnfencedAccesses {
public:
  UnfencedAccesses(Context &context, const Function &function, const Launch &launch)
      : context_(context), function_(function) {
    StmtList stmts = launch.body;
    if (const auto *seq = llvm::dyn_cast<Seq>(launch.body))
      stmts = seq->stmts;
    lanes_ = roleLanesOf(launch, stmts).lanes;
    llvm::BitVector all(std::max<size_t>(lanes_.size(), 1), true);
    unfenced_.resize(all.size());
    follow(launch.body, all);
  }

  // Statements that want a fence in front.
  llvm::ArrayRef<const Stmt *> found() const { return found_.getArrayRef(); }

private:
  // The threads of `lanes` execute it.
  void follow(const Stmt *stmt, const llvm::BitVector &lanes) {
    if (!stmt)
      return;
    if (const auto *role = llvm::dyn_cast<Role>(stmt))
      return follow(role->thenBody, lanesOf(*role));
    if (const auto *branch = llvm::dyn_cast<If>(stmt))
      return followBranch(*branch, lanes);
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      return followLoop(*loop, lanes);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      followOp(*op, lanes);
    else if (touchesShared(*stmt))
      unfenced_ |= lanes;
    forEachChild(stmt, [&](const Stmt *child) { follow(child, lanes); });
  }

  void followBranch(const If &branch, const llvm::BitVector &lanes) {
    llvm::BitVector before = unfenced_;
    follow(branch.thenBody, lanes);
    std::swap(before, unfenced_);
    follow(branch.elseBody, lanes);
    unfenced_ |= before;
  }

  // What an iteration leaves the next one finds.
  void followLoop(const For &loop, const llvm::BitVector &lanes) {
    llvm::BitVector head;
    do {
      head = unfenced_;
      follow(loop.body, lanes);
      unfenced_ |= head;
    } while (unfenced_ != head);
  }

  void followOp(const OpStmt &op, const llvm::BitVector &lanes) {
    if (letsOthersKnow(op) && unfenced_.anyCommon(lanes))
      found_.insert(&op);
    if (letsOthersKnow(op) || op.opInfo().sync == OpSync::ProxyFence)
      unfenced_.reset(lanes);
    else if (waitsForCopies(op) || touchesShared(op))
      unfenced_ |= lanes;
  }

  // Who waits or arrives at an mbarrier does not touch its bytes.
  bool touchesShared(const Stmt &stmt) const {
    return !isOfAsyncProxy(stmt) &&
           llvm::any_of(accessesOf(context_, &stmt), [&](const BufferAccess &access) {
             bool asks =
                 access.operand && access.operand->isMbarrier && access.effect == Effect::Read;
             return !asks && isShared(function_.buffer(access.buffer).scope);
           });
  }

  llvm::BitVector lanesOf(const Role &role) const {
    llvm::BitVector lanes(unfenced_.size());
    for (auto [number, lane] : llvm::enumerate(lanes_))
      if (lane.isOf(role))
        lanes.set(static_cast<unsigned>(number));
    return lanes;
  }

  Context &context_;
  const Function &function_;
  std::vector<RoleLane> lanes_;
  llvm::BitVector unfenced_; // lanes whose threads may have touched some since they fenced
  llvm::SetVector<const Stmt *> found_; // in the order in which threads come to them
};

} // namespace

const Function *withProxyFences(Context &context, const Function &function) {
  if (!hasAsyncProxy(function))
    return &function;
  EditMap edits;
  Builder builder(context);
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (!launch)
      return true;
    const UnfencedAccesses unfenced(context, function, *launch);
    for (const Stmt *barrier : unfenced.found())
      edits[barrier->id()].before.push_back(
          builder.op(builder.fresh(barrier->span()), Op::ProxyFence, {}));
    return false;
  });
  return withBody(context, function, applyEdits(context, function.body, edits));
}

} // namespace tilescope
