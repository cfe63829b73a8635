#include "core/analysis/block_touches.h"

#include "core/analysis/stmt_places.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool BlockTouchWalk::followReads() {
  walk(launch_.body, [&](const Stmt *stmt) {
    forEachWritten(*stmt, [&](BufferId buffer) {
      if (function_.buffer(buffer).scope == Scope::Global)
        followed_.insert(buffer.value);
    });
    return true;
  });
  return !followed_.empty();
}

void BlockTouchWalk::gather() {
  ScopedFacts facts(affine_, &launch_, launch_.body);
  if (collectWays(launch_.body))
    visit(launch_.body);
}

// Whether there is a write in it or a read that is followed, or a name is bound that one may use.
bool BlockTouchWalk::collectWays(const Stmt *stmt) {
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

void BlockTouchWalk::visit(const Stmt *stmt) {
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

void BlockTouchWalk::enter(const Stmt *stmt, const Stmt *child) {
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
void BlockTouchWalk::addEnds(const For &loop) {
  if (!mayEndEarly(loop))
    return;
  walk(loop.body, [&](const Stmt *stmt) {
    if (const auto *branch = llvm::dyn_cast<If>(stmt))
      deciding_.push_back(branch->condition);
    return !llvm::isa<For>(stmt);
  });
}

// What an atomic update reads nobody sees, or the next one as well.
static bool isRead(const BufferAccess &access) {
  return access.effect == Effect::Read ||
         (access.effect == Effect::ReadWrite && !access.isAtomic());
}

void BlockTouchWalk::addReads(const Stmt &stmt) {
  if (llvm::isa<OpStmt>(stmt))
    for (const BufferAccess &access : accessesOf(context_, &stmt))
      if (access.operand && isRead(access) && followed_.contains(access.buffer.value))
        add(reads_, stmt, access);
  forEachExpr(&stmt, [&](const Expr *expr) { addLoads(stmt, expr); });
}

void BlockTouchWalk::addLoads(const Stmt &stmt, const Expr *expr) {
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

void BlockTouchWalk::add(BlockTouches &touches, const Stmt &stmt, const BufferAccess &access) {
  const Expr *predicate = accessPredicate(stmt, function_.buffer(access.buffer), access.effect);
  size_t mark = affine_.ranges().facts().size();
  BlockTouch touch{&stmt, access.isAtomic(), {}, deciding_};
  if (predicate) {
    touch.deciding.push_back(predicate);
    affine_.assume(withValues(predicate), true, FactScope::Statements);
  }
  for (const Range &range : access.ranges) {
    touch.deciding.insert(touch.deciding.end(), {range.min, range.extent});
    touch.access.axes.push_back({converted(range.min), converted(range.extent)});
  }
  for (const Expr *stride : function_.buffer(access.buffer).strides)
    touch.access.strides.push_back(converted(stride));
  touch.access.facts = affine_.ranges().facts();
  affine_.forget(mark);
  touches[access.buffer.value].push_back(std::move(touch));
}

// With what names are bound to, where that is the same later on.
const Expr *BlockTouchWalk::withValues(const Expr *expr) {
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

} // namespace tilescope
