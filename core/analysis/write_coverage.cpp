#include "core/analysis/write_coverage.h"

#include "core/analysis/element_set.h"
#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/stmt_places.h"
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MaxElements = 1 << 18, MaxLanes = 1 << 16;
constexpr int64_t LoopStepWork = 64; // at least, in steps of LaneArithmetic

// Names bound before `first` in the bodies around it, from the outside in: coordinates of lanes
// stand there for several statements. False: it is not in `stmt`.
bool findNames(const Stmt *stmt, const Stmt *first, llvm::SmallVectorImpl<const Bind *> &names) {
  if (stmt == first)
    return true;
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    return findNames(loop->body, first, names);
  if (const auto *branch = llvm::dyn_cast<If>(stmt))
    return findNames(branch->thenBody, first, names) ||
           (branch->elseBody && findNames(branch->elseBody, first, names));
  size_t outer = names.size();
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
    for (const Stmt *child : seq->stmts) {
      if (findNames(child, first, names))
        return true;
      if (const auto *bind = llvm::dyn_cast<Bind>(child))
        names.push_back(bind);
    }
  names.resize(outer);
  return false;
}

class CoverageRun {
public:
  CoverageRun(const Buffer &buffer, const Launch *launch) : buffer_(buffer), launch_(launch) {}

  WriteCoverage run(StmtList stmts, llvm::ArrayRef<const Bind *> names, const Role *role) {
    std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer_);
    if (!shape)
      return {};
    shape_ = *shape;
    int64_t elements = 1;
    for (int64_t extent : shape_)
      if (extent <= 0 || __builtin_mul_overflow(elements, extent, &elements) ||
          elements > MaxElements)
        return {};
    written_.resize(elements);
    sure_.resize(elements);
    if (launch_ && !isTileLevel(stmts)) {
      laneCount_ = static_cast<size_t>(role ? role->threads : launch_->threads);
      Lanes threads(laneCount_);
      for (auto [lane, thread] : llvm::enumerate(threads))
        thread = static_cast<int64_t>(lane) + (role ? role->firstThread : 0);
      lanes_.bind(launch_->threadVar, std::move(threads));
    }
    for (const Bind *bind : names)
      runStmt(bind, {1});
    for (const Stmt *stmt : stmts)
      runStmt(stmt, {1});
    if (!isKnown_)
      return {};
    return {sure_.all(), !isWrittenTwice_};
  }

private:
  static bool isTileLevel(StmtList stmts) {
    bool found = false;
    for (const Stmt *root : stmts)
      walk(root, [&](const Stmt *stmt) {
        const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        found |= llvm::isa<Parallel>(stmt) || (op && levelOf(op->op) == OpLevel::Tile);
        return !found;
      });
    return found;
  }

  // `active`: which lanes run the statement.
  void runStmt(const Stmt *stmt, const Lanes &active) {
    isKnown_ &= !active.empty() && !lanes_.isSpent(); // else the work was too much
    if (!isKnown_)
      return;
    switch (stmt->kind()) {
    case StmtKind::Seq:
      for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
        runStmt(child, active);
      return;
    case StmtKind::For:
      return runFor(*llvm::cast<For>(stmt), active);
    case StmtKind::Parallel:
      return runParallel(*llvm::cast<Parallel>(stmt), active);
    case StmtKind::If:
    case StmtKind::Role:
      return runIf(*llvm::cast<If>(stmt), active);
    case StmtKind::Bind:
      lanes_.bind(llvm::cast<Bind>(stmt)->var, lanes_.evaluate(llvm::cast<Bind>(stmt)->value));
      return;
    case StmtKind::Store:
      return runStore(*llvm::cast<Store>(stmt), active);
    case StmtKind::Op:
      return runOp(*llvm::cast<OpStmt>(stmt), active);
    case StmtKind::Break:
    case StmtKind::Launch:
      isKnown_ &= llvm::isa<Break>(stmt);
    }
  }

  void runFor(const For &loop, const Lanes &active) {
    if (!writesBuffer(loop))
      return;
    Lanes min = lanes_.evaluate(loop.min), extent = lanes_.evaluate(loop.extent);
    isKnown_ = min.size() == 1 && extent.size() == 1 && loop.forKind != ForKind::Endless;
    unknownConditions_ += int{mayEndEarly(loop)};
    for (int64_t step = 0; isKnown_ && step < extent[0]; ++step) {
      lanes_.bind(loop.var, {min[0] + step});
      lanes_.spend(LoopStepWork);
      runStmt(loop.body, active);
    }
    unknownConditions_ -= int{mayEndEarly(loop)};
  }

  // All iterations at once; the threads that run them do not matter.
  void runParallel(const Parallel &nest, const Lanes &active) {
    int64_t lanes = 1;
    llvm::SmallVector<int64_t> extents;
    for (const Expr *expr : nest.extents) {
      Lanes extent = lanes_.evaluate(expr);
      bool isSmall = extent.size() == 1 && extent[0] > 0 && (lanes *= extent[0]) <= MaxLanes;
      if (!isSmall || active.size() != 1 || laneCount_ != 1) {
        isKnown_ = !writesBuffer(nest);
        return;
      }
      extents.push_back(extent[0]);
    }
    laneCount_ = static_cast<size_t>(lanes);
    int64_t inner = 1;
    for (size_t axis = extents.size(); axis-- != 0; inner *= extents[axis]) {
      Lanes values(laneCount_);
      for (size_t lane = 0; lane != laneCount_; ++lane)
        values[lane] = static_cast<int64_t>(lane) / inner % extents[axis];
      lanes_.bind(nest.vars[axis], std::move(values));
    }
    runStmt(nest.body, active);
    for (const Var *var : nest.vars)
      lanes_.unbind(var);
    laneCount_ = 1;
  }

  void runIf(const If &branch, const Lanes &active) {
    Lanes condition = lanes_.evaluate(branch.condition);
    // Either side may run, so no write counts as sure and all count as writes.
    if (condition.empty()) {
      ++unknownConditions_;
      runStmt(branch.thenBody, active);
      if (branch.elseBody)
        runStmt(branch.elseBody, active);
      --unknownConditions_;
      return;
    }
    Lanes negated = condition;
    for (int64_t &value : negated)
      value = value == 0;
    runStmt(branch.thenBody, lanes_.combine(BinaryOp::And, active, condition));
    if (branch.elseBody)
      runStmt(branch.elseBody, lanes_.combine(BinaryOp::And, active, negated));
  }

  bool writesBuffer(const Stmt &root) const {
    bool found = false;
    walk(&root, [&](const Stmt *stmt) {
      if (const auto *store = llvm::dyn_cast<Store>(stmt))
        found |= store->buffer == buffer_.id;
      if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
        for (const BufferRegion &region : op->regions)
          found |= region.buffer == buffer_.id;
      return !found;
    });
    return found;
  }

  void runStore(const Store &store, const Lanes &active) {
    if (store.buffer != buffer_.id || !sameSlot(store.slot))
      return;
    llvm::SmallVector<Lanes> first;
    for (const Expr *index : store.indices)
      first.push_back(lanes_.evaluate(index));
    mark(first, llvm::SmallVector<int64_t>(first.size(), 1), active);
  }

  // Memory that a false predicate leaves alone is written as if inside of an `if`.
  void runOp(const OpStmt &op, const Lanes &active) {
    const Expr *predicate = accessPredicate(op, buffer_, Effect::Write);
    if (!predicate)
      return runRegions(op, active);
    Lanes condition = lanes_.evaluate(predicate);
    if (!condition.empty()) {
      Lanes chosen = lanes_.combine(BinaryOp::And, active, condition);
      isKnown_ &= !chosen.empty();
      return runRegions(op, chosen);
    }
    ++unknownConditions_;
    runRegions(op, active);
    --unknownConditions_;
  }

  void runRegions(const OpStmt &op, const Lanes &active) {
    for (auto [index, region] : llvm::enumerate(op.regions)) {
      const OperandInfo &operand = op.operand(index);
      if (region.buffer != buffer_.id || operand.effect == Effect::Read || !sameSlot(region.slot))
        continue;
      llvm::SmallVector<Lanes> first;
      llvm::SmallVector<int64_t> extents;
      for (const Range &range : region.ranges) {
        first.push_back(lanes_.evaluate(range.min));
        Lanes extent = lanes_.evaluate(range.extent);
        isKnown_ &= extent.size() == 1;
        extents.push_back(isKnown_ ? extent[0] : 0);
      }
      if (isKnown_)
        mark(first, extents, active);
    }
  }

  // Writes to several slots are not told apart: nothing is known then.
  bool sameSlot(const Expr *slot) {
    isKnown_ &= !hasSlot_ || isSameExpr(slot, slot_);
    hasSlot_ = true;
    slot_ = slot;
    return isKnown_;
  }

  // Each active lane writes a box: in each axis `extents` elements from its own `first` on.
  void mark(llvm::ArrayRef<Lanes> first, llvm::ArrayRef<int64_t> extents, const Lanes &active) {
    isKnown_ &= llvm::none_of(first, [](const Lanes &lanes) { return lanes.empty(); });
    isKnown_ &= first.size() == shape_.size();
    llvm::SmallVector<int64_t> box(first.size());
    for (size_t lane = 0; lane != laneCount_ && isKnown_; ++lane) {
      if (laneOf(active, lane) == 0)
        continue;
      for (size_t axis = 0; axis != shape_.size(); ++axis) {
        box[axis] = laneOf(first[axis], lane);
        isKnown_ &= box[axis] >= 0 && extents[axis] <= shape_[axis] - box[axis];
      }
      isKnown_ &= !lanes_.isSpent();
      if (isKnown_)
        forEachRun(shape_, box, extents, [&](int64_t begin, int64_t end) { markRun(begin, end); });
    }
  }

  void markRun(int64_t first, int64_t last) {
    lanes_.spend(1 + (last - first) / 8);
    auto begin = static_cast<unsigned>(first), end = static_cast<unsigned>(last);
    isWrittenTwice_ |= written_.find_first_in(begin, end) != -1;
    written_.set(begin, end);
    if (unknownConditions_ == 0)
      sure_.set(begin, end);
  }

  const Buffer &buffer_;
  const Launch *launch_;
  llvm::SmallVector<int64_t> shape_;
  llvm::BitVector written_; // per element
  llvm::BitVector sure_;    // per element: some write does not depend on what is unknown
  bool isWrittenTwice_ = false;
  LaneArithmetic lanes_;
  size_t laneCount_ = 1;
  int unknownConditions_ = 0; // that enclose the statement at hand
  bool isKnown_ = true;
  bool hasSlot_ = false;
  const Expr *slot_ = nullptr;
};

} // namespace

WriteCoverage computeWriteCoverage(Context &context, StmtList stmts, const Buffer &buffer,
                                   const Launch *launch, const Role *role) {
  // Not declaration and role themselves: passes rebuild them for things not asked about here.
  std::vector<CacheKeyPart> key(stmts.begin(), stmts.end());
  llvm::append_values(key, buffer.id.value, buffer.shape.data(),
                      launch ? launch->threadVar : nullptr,
                      static_cast<uint64_t>(launch ? launch->threads : 0),
                      static_cast<uint64_t>(role ? role->threads : 0),
                      static_cast<uint64_t>(role ? role->firstThread : 0));
  llvm::SmallVector<const Bind *> names;
  if (launch)
    findNames(launch->body, stmts.front(), names);
  for (const Bind *bind : names)
    llvm::append_values(key, bind->var, bind->value);
  return context.cached<WriteCoverage>(
      key, [&] { return CoverageRun(buffer, launch).run(stmts, names, role); });
}

} // namespace tilescope
