#include "core/analysis/block_writes.h"

#include "core/analysis/block_separation.h"
#include "core/analysis/stmt_places.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

struct Write {
  const Stmt *stmt = nullptr;
  bool isAtomic = false;
  BlockAccess access;
  // Of what decides whether and where: conditions, trip counts, indices.
  std::vector<const Expr *> deciding;
};

class BlockWriteWalk {
public:
  BlockWriteWalk(Context &context, const Function &function, const Launch &launch)
      : context_(context), function_(function), launch_(launch), affine_(context, function),
        separation_(affine_, launch) {}

  std::vector<BlockWrite> run() {
    ScopedFacts facts(affine_, &launch_, launch_.body);
    if (collectWays(launch_.body))
      visit(launch_.body);
    std::vector<BlockWrite> found;
    for (auto &[buffer, writes] : writes_)
      if (!llvm::all_of(writes, [](const Write &write) { return write.isAtomic; }))
        for (const Stmt *stmt : findShared(writes))
          found.push_back({stmt, BufferId(buffer)});
    return found;
  }

private:
  // Whether there is a write in it, or a name is bound that one may use.
  bool collectWays(const Stmt *stmt) {
    bool isWay = false;
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      bound_[bind->var] = bind->value;
    forEachWritten(
        *stmt, [&](BufferId buffer) { isWay |= function_.buffer(buffer).scope == Scope::Global; });
    forEachChild(stmt, [&](const Stmt *child) { isWay |= collectWays(child); });
    if (isWay)
      ways_.insert(stmt);
    return isWay;
  }

  void visit(const Stmt *stmt) {
    if (llvm::isa<Store, OpStmt>(stmt))
      for (const BufferAccess &access : accessesOf(context_, stmt))
        if (access.effect != Effect::Read && function_.buffer(access.buffer).scope == Scope::Global)
          add(*stmt, access);
    forEachChild(stmt, [&](const Stmt *child) {
      if (ways_.contains(child))
        enter(stmt, child);
    });
  }

  void enter(const Stmt *stmt, const Stmt *child) {
    ScopedFacts facts(affine_, stmt, child);
    size_t mark = deciding_.size();
    if (const auto *choice = llvm::dyn_cast<If>(stmt)) {
      deciding_.push_back(choice->condition);
      const Expr *condition = withValues(choice->condition);
      if (condition != choice->condition)
        affine_.assume(condition, child == choice->thenBody, FactScope::Statements);
    } else if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
      deciding_.insert(deciding_.end(), {loop->min, loop->extent});
      addEnds(*loop);
    } else if (const auto *nest = llvm::dyn_cast<Parallel>(stmt)) {
      llvm::append_range(deciding_, nest->extents);
    }
    visit(child);
    deciding_.resize(mark);
  }

  // What decides whether a loop ends early.
  void addEnds(const For &loop) {
    if (!mayEndEarly(loop))
      return;
    walk(loop.body, [&](const Stmt *stmt) {
      if (const auto *branch = llvm::dyn_cast<If>(stmt))
        deciding_.push_back(branch->condition);
      return !llvm::isa<For>(stmt);
    });
  }

  void add(const Stmt &stmt, const BufferAccess &access) {
    const Expr *predicate = accessPredicate(stmt, function_.buffer(access.buffer), access.effect);
    size_t mark = affine_.ranges().facts().size();
    Write write{&stmt, access.isAtomic(), {}, deciding_};
    if (predicate) {
      write.deciding.push_back(predicate);
      affine_.assume(withValues(predicate), true, FactScope::Statements);
    }
    for (const Range &range : access.ranges) {
      write.deciding.insert(write.deciding.end(), {range.min, range.extent});
      write.access.axes.push_back({valueOf(range.min), valueOf(range.extent)});
    }
    for (const Expr *stride : function_.buffer(access.buffer).strides)
      write.access.strides.push_back(valueOf(stride));
    write.access.facts = affine_.ranges().facts();
    affine_.forget(mark);
    writes_[access.buffer.value].push_back(std::move(write));
  }

  // With what names are bound to, where that is the same later on.
  const Expr *withValues(const Expr *expr) {
    bool isChanged = false;
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      const Expr *value = var ? bound_.lookup(var) : nullptr;
      if (!value || !affine_.isStable(value))
        return;
      isChanged = true;
      if (!values_.contains(var)) {
        const Expr *whole = withValues(value);
        values_[var] = whole;
      }
    });
    return isChanged ? substitute(context_, expr, values_) : expr;
  }

  Affine valueOf(const Expr *expr) { return affine_.convert(withValues(expr)); }

  // Of one buffer: statements that two blocks may be at odds in, or one that is with another.
  std::vector<const Stmt *> findShared(llvm::ArrayRef<Write> writes) {
    std::vector<const Stmt *> shared;
    if (isHarmless(writes))
      return shared;
    for (const Write &write : writes)
      if (!write.isAtomic && !isHarmless(write) && !llvm::is_contained(shared, write.stmt))
        shared.push_back(write.stmt);
    for (size_t later = 1; later != writes.size() && shared.empty(); ++later)
      for (size_t earlier = 0; earlier != later && shared.empty(); ++earlier)
        if (mayMeet(writes[earlier], writes[later]))
          shared.push_back(writes[writes[later].isAtomic ? earlier : later].stmt);
    return shared;
  }

  // In two blocks, one of them by the one write and one by the other.
  bool mayMeet(const Write &a, const Write &b) {
    return !(a.isAtomic && b.isAtomic) && !separation_.areApart(a.access, b.access) &&
           !isHarmless({a, b});
  }

  bool isHarmless(llvm::ArrayRef<Write> writes) {
    if (writesOneValue(writes))
      return true;
    std::vector<BlockAccess> accesses;
    for (const Write &write : writes)
      accesses.push_back(write.access);
    llvm::SmallVector<const Var *, 3> untold = separation_.findUntold(accesses);
    return untold.empty() ||
           llvm::all_of(writes, [&](const Write &write) { return isAlike(write, untold); });
  }

  // Whoever comes last.
  static bool writesOneValue(llvm::ArrayRef<Write> writes) {
    return llvm::all_of(writes, [&](const Write &write) {
      const auto *first = llvm::dyn_cast<Store>(writes.front().stmt);
      const auto *store = llvm::dyn_cast<Store>(write.stmt);
      return first && store && llvm::isa<IntImm, FloatImm>(store->value) &&
             isSameExpr(first->value, store->value);
    });
  }

  // Whether blocks that differ in these coordinates alone write the same to the same elements. What
  // an operation copies was computed somewhere.
  bool isAlike(const Write &write, llvm::ArrayRef<const Var *> coordinates) const {
    const auto *store = llvm::dyn_cast<Store>(write.stmt);
    return store && isAlike(store->value, coordinates) &&
           llvm::all_of(write.deciding,
                        [&](const Expr *expr) { return isAlike(expr, coordinates); });
  }

  bool isAlike(const Expr *expr, llvm::ArrayRef<const Var *> coordinates) const {
    bool isAlike = affine_.isStable(expr);
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      const Expr *value = var && isAlike ? bound_.lookup(var) : nullptr;
      isAlike = isAlike && !llvm::is_contained(coordinates, var) &&
                (!value || this->isAlike(value, coordinates));
    });
    return isAlike;
  }

  Context &context_;
  const Function &function_;
  const Launch &launch_;
  IrAffine affine_;
  BlockSeparation separation_;
  Substitution values_;
  llvm::DenseMap<const Var *, const Expr *> bound_;
  llvm::DenseSet<const Stmt *> ways_;  // to writes
  std::vector<const Expr *> deciding_; // around the statement
  llvm::MapVector<uint32_t, std::vector<Write>> writes_;
};

} // namespace

const std::vector<BlockWrite> &computeBlockWrites(Context &context, const Function &function) {
  return context.cached<std::vector<BlockWrite>>({&function}, [&] {
    std::vector<BlockWrite> found;
    walk(function.body, [&](const Stmt *stmt) {
      const auto *launch = llvm::dyn_cast<Launch>(stmt);
      bool hasBlocks = launch && llvm::any_of(launch->gridExtents, [](const Expr *extent) {
                         return constantValue(extent) != 1;
                       });
      if (hasBlocks)
        llvm::append_range(found, BlockWriteWalk(context, function, *launch).run());
      return !launch;
    });
    return found;
  });
}

} // namespace tilescope
