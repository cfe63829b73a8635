#include "core/analysis/exchange_apart.h"

#include "core/analysis/lane_walk.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace tilescope {

namespace {

constexpr int64_t MaxElements = 1 << 14;

struct PlacedAccess {
  const Stmt *stmt = nullptr;
  bool isWrite = false;
  llvm::ArrayRef<Range> ranges;
  llvm::SmallVector<const Expr *> conditions; // of the same expression: evaluated before
};

class ExchangeCheck {
public:
  ExchangeCheck(Context &context, const StmtPlaces &places, StmtList stmts, const Buffer &buffer)
      : context_(context), places_(places), stmts_(stmts), buffer_(buffer) {}

  bool run() {
    std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer_);
    if (!shape)
      return false;
    for (int64_t extent : *shape)
      elements_ *= extent;
    shape_ = *shape;
    if (elements_ > MaxElements || buffer_.dtype.bits < 8)
      return false;
    for (const Stmt *root : stmts_)
      walk(root, [&](const Stmt *stmt) {
        collect(stmt);
        return true;
      });
    if (!isKnown_)
      return false;
    findLoops();
    return llvm::all_of(accesses_, [&](const PlacedAccess &access) { return enter(access); }) ||
           areInPairs();
  }

private:
  // --- what is touched ---

  void collect(const Stmt *stmt) {
    if (llvm::isa<Parallel>(stmt))
      isKnown_ = false;
    forEachExpr(stmt, [&](const Expr *root) { collectLoads(stmt, root, {}); });
    for (const BufferAccess &access : accessesOf(context_, stmt)) {
      if (access.buffer != buffer_.id || access.effect == Effect::Read)
        continue;
      // Others have more than one thread, or a time of their own.
      isKnown_ &= llvm::isa<Store>(stmt) && access.effect == Effect::Write;
      accesses_.push_back({stmt, true, context_.copy<Range>(access.ranges), {}});
    }
    isKnown_ &= !llvm::isa<OpStmt>(stmt) || llvm::none_of(accessesOf(context_, stmt), [&](auto &a) {
      return a.buffer == buffer_.id;
    });
  }

  // The right side of an `and` is evaluated where the left side holds.
  void collectLoads(const Stmt *stmt, const Expr *expr,
                    const llvm::SmallVector<const Expr *> &conditions) {
    if (const auto *load = llvm::dyn_cast<Load>(expr); load && load->buffer == buffer_.id) {
      llvm::SmallVector<Range> ranges;
      Builder builder(context_);
      for (const Expr *index : load->indices)
        ranges.push_back({index, builder.integer(1, index->dtype())});
      accesses_.push_back({stmt, false, context_.copy<Range>(ranges), conditions});
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && binary->op == BinaryOp::And) {
      collectLoads(stmt, binary->lhs, conditions);
      llvm::SmallVector<const Expr *> both(conditions);
      both.push_back(binary->lhs);
      collectLoads(stmt, binary->rhs, both);
      return;
    }
    forEachChild(expr, [&](const Expr *operand) { collectLoads(stmt, operand, conditions); });
  }

  // --- the loops around that decide what is touched ---

  void findLoops() {
    llvm::SetVector<const Expr *> seen;
    for (const PlacedAccess &access : accesses_) {
      for (const Range &range : access.ranges)
        seen.insert(range.min);
      for (const Expr *condition : access.conditions)
        seen.insert(condition);
    }
    for (const Stmt *root : stmts_)
      walk(root, [&](const Stmt *stmt) {
        if (const auto *branch = llvm::dyn_cast<If>(stmt))
          seen.insert(branch->condition);
        return true;
      });
    llvm::SmallVector<const For *> around;
    for (const Stmt *parent = places_.parentOf(stmts_.front()); parent;
         parent = places_.parentOf(parent))
      if (const auto *loop = llvm::dyn_cast<For>(parent))
        around.push_back(loop);
    for (size_t next = 0; next != seen.size(); ++next)
      walk(seen[next], [&](const Expr *part) {
        const auto *var = llvm::dyn_cast<Var>(part);
        if (!var)
          return;
        if (const Bind *bind = places_.bindOf(var))
          seen.insert(bind->value);
        const auto *loop = llvm::find_if(around, [&](const For *one) { return one->var == var; });
        if (loop == around.end() || llvm::is_contained(loops_, *loop))
          return;
        loops_.push_back(*loop);
        seen.insert((*loop)->min);
        seen.insert((*loop)->extent);
      });
  }

  // --- who touches what ---

  enum : int32_t { Nobody = -1, Several = -2 };
  struct Element {
    int32_t thread = Nobody;
    bool isWritten = false;

    // False: threads meet.
    bool touch(int32_t by, bool writes) {
      bool isShared = thread != Nobody && thread != by;
      thread = isShared ? Several : by;
      isWritten |= writes;
      return !isShared || !isWritten;
    }
  };

  bool enter(const PlacedAccess &access) {
    LaneWalk walk(places_, access.stmt);
    if (!walk.launch())
      return false;
    walk.need(access.ranges);
    for (const For *loop : loops_)
      walk.need(loop->var);
    for (const Expr *condition : access.conditions)
      walk.addCondition(condition);
    return walk.run([&](const Lanes &active) { return enterLanes(access, walk, active); });
  }

  bool enterLanes(const PlacedAccess &access, LaneWalk &walk, const Lanes &active) {
    std::vector<int64_t> run;
    for (const For *loop : loops_) {
      Lanes value = walk.evaluate(loop->var);
      if (value.size() != 1)
        return false;
      run.push_back(value[0]);
    }
    std::vector<Element> &elements = runs_[run];
    elements.resize(static_cast<size_t>(elements_));
    llvm::SmallVector<Lanes, 2> indices;
    for (const Range &range : access.ranges) {
      LaneIndex index = walk.indexOf(range.min);
      if (index.first.empty() || index.period != 0 || !index.fixed.empty())
        return false;
      indices.push_back(std::move(index.first));
    }
    int64_t threads = walk.launch()->threads;
    for (int64_t lane = 0; lane != threads; ++lane) {
      if (laneOf(active, static_cast<size_t>(lane)) == 0)
        continue;
      std::optional<size_t> at = placeOf(indices, static_cast<size_t>(lane));
      if (!at || !elements[*at].touch(static_cast<int32_t>(lane), access.isWrite))
        return false;
    }
    return walk.spend(threads);
  }

  std::optional<size_t> placeOf(llvm::ArrayRef<Lanes> indices, size_t lane) const {
    int64_t at = 0;
    for (auto [index, extent] : llvm::zip_equal(indices, shape_)) {
      int64_t value = laneOf(index, lane);
      if (value < 0 || value >= extent)
        return std::nullopt;
      at = at * extent + value;
    }
    return static_cast<size_t>(at);
  }

  // --- pairs over a distance that is not known ---

  // Of `j = tx ^ d` where all agree on d the thread with tx < j has both elements, whatever d is:
  // each element is of one pair.
  bool areInPairs() const {
    const Var *partner = nullptr;
    for (const PlacedAccess &access : accesses_)
      if (const auto *var = llvm::dyn_cast<Var>(access.ranges[0].min); var && isPartner(*var))
        partner = var;
    return partner && shape_.size() == 1 &&
           llvm::all_of(accesses_, [&](const PlacedAccess &access) {
             const Expr *index = access.ranges[0].min;
             return (index == partner || isThread(index)) &&
                    constantValue(access.ranges[0].extent) == 1 && isOfLower(access, *partner);
           });
  }

  // Bound once for a run of the statements.
  bool isPartner(const Var &var) const {
    const Bind *bind = places_.bindOf(&var);
    const auto *value = bind ? llvm::dyn_cast<Binary>(bind->value) : nullptr;
    if (!value || value->op != BinaryOp::BitXor ||
        llvm::any_of(stmts_, [&](const Stmt *root) { return isAround(root, bind); }))
      return false;
    auto isAgreed = [&](const Expr *expr) { return places_.uniform().isUniform(expr); };
    return (isThread(value->lhs) && isAgreed(value->rhs)) ||
           (isThread(value->rhs) && isAgreed(value->lhs));
  }

  bool isThread(const Expr *expr) const {
    const auto *var = llvm::dyn_cast<Var>(expr);
    for (const Bind *bind = nullptr; var && (bind = places_.bindOf(var));)
      var = llvm::dyn_cast<Var>(bind->value);
    const Stmt *around = stmts_.front();
    while (around && !llvm::isa<Launch>(around))
      around = places_.parentOf(around);
    return var && around && llvm::cast<Launch>(around)->threadVar == var;
  }

  bool isAround(const Stmt *outer, const Stmt *stmt) const {
    while (stmt && stmt != outer)
      stmt = places_.parentOf(stmt);
    return stmt != nullptr;
  }

  bool isOfLower(const PlacedAccess &access, const Var &partner) const {
    if (llvm::any_of(access.conditions,
                     [&](const Expr *condition) { return saysLower(condition, partner); }))
      return true;
    const Stmt *inside = access.stmt;
    for (const Stmt *at = places_.parentOf(inside); at; at = places_.parentOf(at)) {
      const auto *branch = llvm::dyn_cast<If>(at);
      if (branch && branch->thenBody == inside && saysLower(branch->condition, partner))
        return true;
      inside = at;
    }
    return false;
  }

  bool saysLower(const Expr *condition, const Var &partner) const {
    const auto *binary = llvm::dyn_cast<Binary>(condition);
    if (!binary)
      return false;
    if (binary->op == BinaryOp::And)
      return saysLower(binary->lhs, partner) || saysLower(binary->rhs, partner);
    return (binary->op == BinaryOp::Less && isThread(binary->lhs) && binary->rhs == &partner) ||
           (binary->op == BinaryOp::Greater && binary->lhs == &partner && isThread(binary->rhs));
  }

  Context &context_;
  const StmtPlaces &places_;
  StmtList stmts_;
  const Buffer &buffer_;
  llvm::SmallVector<int64_t> shape_;
  int64_t elements_ = 1;
  bool isKnown_ = true;
  std::vector<PlacedAccess> accesses_;
  llvm::SmallVector<const For *> loops_;
  std::map<std::vector<int64_t>, std::vector<Element>> runs_; // by the values of `loops_`
};

} // namespace

bool isExchangeApart(Context &context, const StmtPlaces &places, StmtList stmts,
                     const Buffer &buffer) {
  return ExchangeCheck(context, places, stmts, buffer).run();
}

} // namespace tilescope
