#include "core/analysis/block_writes.h"

#include "core/analysis/block_separation.h"
#include "core/analysis/grid_phases.h"
#include "core/analysis/stmt_places.h"
#include "core/ir/expr_equal.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

struct Touch {
  const Stmt *stmt = nullptr;
  bool isAtomic = false;
  BlockAccess access;
  // Of what decides whether and where: conditions, trip counts, indices.
  std::vector<const Expr *> deciding;
};

class BlockWalk {
public:
  BlockWalk(Context &context, const Function &function, const Launch &launch)
      : context_(context), function_(function), launch_(launch), affine_(context, function),
        separation_(affine_, launch), phases_(launch) {}

  std::vector<BlockWrite> findWrites() {
    gather();
    std::vector<BlockWrite> found;
    for (auto &[buffer, writes] : writes_)
      if (!llvm::all_of(writes, [](const Touch &write) { return write.isAtomic; }))
        for (const Stmt *stmt : findShared(writes))
          found.push_back({stmt, BufferId(buffer)});
    return found;
  }

  std::vector<BlockRead> findReads() {
    walk(launch_.body, [&](const Stmt *stmt) {
      forEachWritten(*stmt, [&](BufferId buffer) {
        if (function_.buffer(buffer).scope == Scope::Global)
          followed_.insert(buffer.value);
      });
      return true;
    });
    std::vector<BlockRead> found;
    if (followed_.empty())
      return found;
    gather();
    for (auto &[buffer, reads] : reads_)
      if (!areTold(writes_[buffer], reads))
        for (const Touch &read : reads)
          if (const Stmt *write = findWrite(read, writes_[buffer]))
            found.push_back({read.stmt, BufferId(buffer), write});
    return found;
  }

private:
  void gather() {
    ScopedFacts facts(affine_, &launch_, launch_.body);
    if (collectWays(launch_.body))
      visit(launch_.body);
  }

  // Whether there is a write in it or a read that is followed, or a name is bound that one may use.
  bool collectWays(const Stmt *stmt) {
    bool isWay = false;
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      bound_[bind->var] = bind->value;
    forEachWritten(
        *stmt, [&](BufferId buffer) { isWay |= function_.buffer(buffer).scope == Scope::Global; });
    if (!followed_.empty())
      for (const BufferAccess &access : accessesOf(context_, stmt))
        isWay |= followed_.contains(access.buffer.value);
    forEachChild(stmt, [&](const Stmt *child) { isWay |= collectWays(child); });
    if (isWay)
      ways_.insert(stmt);
    return isWay;
  }

  void visit(const Stmt *stmt) {
    if (llvm::isa<Store, OpStmt>(stmt))
      for (const BufferAccess &access : accessesOf(context_, stmt))
        if (access.effect != Effect::Read && function_.buffer(access.buffer).scope == Scope::Global)
          add(writes_, *stmt, access);
    if (!followed_.empty())
      addReads(*stmt);
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

  void addReads(const Stmt &stmt) {
    if (llvm::isa<OpStmt>(stmt))
      for (const BufferAccess &access : accessesOf(context_, &stmt))
        if (access.operand && isRead(access) && followed_.contains(access.buffer.value))
          add(reads_, stmt, access);
    forEachExpr(&stmt, [&](const Expr *expr) { addLoads(stmt, expr); });
  }

  // What an atomic update reads nobody sees, or the next one as well.
  static bool isRead(const BufferAccess &access) {
    return access.effect == Effect::Read ||
           (access.effect == Effect::ReadWrite && !access.isAtomic());
  }

  void addLoads(const Stmt &stmt, const Expr *expr) {
    if (const auto *load = llvm::dyn_cast<Load>(expr);
        load && followed_.contains(load->buffer.value)) {
      llvm::SmallVector<Range> ranges;
      for (const Expr *index : load->indices)
        ranges.push_back({index, Builder(context_).integer(1, index->dtype())});
      add(reads_, stmt, {load->buffer, load->slot, ranges, Effect::Read, stmt.span()});
    }
    mapOperandsWithFacts(affine_, expr, [&](const Expr *operand) {
      addLoads(stmt, operand);
      return operand;
    });
  }

  using Touches = llvm::MapVector<uint32_t, std::vector<Touch>>;

  void add(Touches &touches, const Stmt &stmt, const BufferAccess &access) {
    const Expr *predicate = accessPredicate(stmt, function_.buffer(access.buffer), access.effect);
    size_t mark = affine_.ranges().facts().size();
    Touch touch{&stmt, access.isAtomic(), {}, deciding_};
    if (predicate) {
      touch.deciding.push_back(predicate);
      affine_.assume(withValues(predicate), true, FactScope::Statements);
    }
    for (const Range &range : access.ranges) {
      touch.deciding.insert(touch.deciding.end(), {range.min, range.extent});
      touch.access.axes.push_back({valueOf(range.min), valueOf(range.extent)});
    }
    for (const Expr *stride : function_.buffer(access.buffer).strides)
      touch.access.strides.push_back(valueOf(stride));
    touch.access.facts = affine_.ranges().facts();
    affine_.forget(mark);
    touches[access.buffer.value].push_back(std::move(touch));
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
  std::vector<const Stmt *> findShared(llvm::ArrayRef<Touch> writes) {
    std::vector<const Stmt *> shared;
    if (isHarmless(writes))
      return shared;
    for (const Touch &write : writes)
      if (!write.isAtomic && !isHarmless(write) && !llvm::is_contained(shared, write.stmt))
        shared.push_back(write.stmt);
    for (size_t later = 1; later != writes.size() && shared.empty(); ++later)
      for (size_t earlier = 0; earlier != later && shared.empty(); ++earlier)
        if (mayMeet(writes[earlier], writes[later]))
          shared.push_back(writes[writes[later].isAtomic ? earlier : later].stmt);
    return shared;
  }

  // In two blocks, one of them by the one write and one by the other.
  bool mayMeet(const Touch &a, const Touch &b) {
    return !(a.isAtomic && b.isAtomic) && phases_.mayMeet(a.stmt, b.stmt) &&
           !separation_.areApart(a.access, b.access) && !isHarmless({a, b});
  }

  bool areTold(llvm::ArrayRef<Touch> some, llvm::ArrayRef<Touch> others) {
    std::vector<BlockAccess> accesses;
    for (const Touch &touch : llvm::concat<const Touch>(some, others))
      accesses.push_back(touch.access);
    return separation_.findUntold(accesses).empty();
  }

  // Null: no block writes it while another one reads.
  const Stmt *findWrite(const Touch &read, llvm::ArrayRef<Touch> writes) {
    for (const Touch &write : writes)
      if (!(read.isAtomic && write.isAtomic) && phases_.mayMeet(read.stmt, write.stmt) &&
          !separation_.areApart(read.access, write.access) && !areTold(read, write))
        return write.stmt;
    return nullptr;
  }

  bool isHarmless(llvm::ArrayRef<Touch> writes) {
    if (writesOneValue(writes))
      return true;
    std::vector<BlockAccess> accesses;
    for (const Touch &write : writes)
      accesses.push_back(write.access);
    llvm::SmallVector<const Var *, 3> untold = separation_.findUntold(accesses);
    return untold.empty() ||
           llvm::all_of(writes, [&](const Touch &write) { return isAlike(write, untold); });
  }

  // Whoever comes last.
  static bool writesOneValue(llvm::ArrayRef<Touch> writes) {
    return llvm::all_of(writes, [&](const Touch &write) {
      const auto *first = llvm::dyn_cast<Store>(writes.front().stmt);
      const auto *store = llvm::dyn_cast<Store>(write.stmt);
      return first && store && llvm::isa<IntImm, FloatImm>(store->value) &&
             isSameExpr(first->value, store->value);
    });
  }

  // Whether blocks that differ in these coordinates alone write the same to the same elements. What
  // an operation copies was computed somewhere.
  bool isAlike(const Touch &write, llvm::ArrayRef<const Var *> coordinates) const {
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
  GridPhases phases_;
  Substitution values_;
  llvm::DenseMap<const Var *, const Expr *> bound_;
  llvm::DenseSet<const Stmt *> ways_;  // to what is gathered
  std::vector<const Expr *> deciding_; // around the statement
  llvm::DenseSet<uint32_t> followed_;  // buffers whose reads are gathered too
  Touches writes_;
  Touches reads_;
};

void forEachLaunchOfBlocks(const Function &function,
                           llvm::function_ref<void(const Launch &launch)> visit) {
  walk(function.body, [&](const Stmt *stmt) {
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    bool hasBlocks = launch && llvm::any_of(launch->gridExtents, [](const Expr *extent) {
                       return constantValue(extent) != 1;
                     });
    if (hasBlocks)
      visit(*launch);
    return !launch;
  });
}

} // namespace

const std::vector<BlockWrite> &computeBlockWrites(Context &context, const Function &function) {
  return context.cached<std::vector<BlockWrite>>({&function}, [&] {
    std::vector<BlockWrite> found;
    forEachLaunchOfBlocks(function, [&](const Launch &launch) {
      llvm::append_range(found, BlockWalk(context, function, launch).findWrites());
    });
    return found;
  });
}

std::vector<BlockRead> findBlockReads(Context &context, const Function &function) {
  std::vector<BlockRead> found;
  forEachLaunchOfBlocks(function, [&](const Launch &launch) {
    llvm::append_range(found, BlockWalk(context, function, launch).findReads());
  });
  return found;
}

} // namespace tilescope
