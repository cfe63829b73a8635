#include "core/analysis/unproven_bounds.h"

#include "core/analysis/bounds_guard.h"
#include "core/analysis/lane_walk.h"
#include "core/analysis/stmt_places.h"
#include "core/ir/content_key.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class BoundsWalk {
public:
  BoundsWalk(Context &context, const Function &function)
      : context_(context), function_(function), builder_(context), affine_(context, function) {}

  std::vector<UnprovenBound> run() {
    visit(function_.body);
    return std::move(found_);
  }

private:
  void visit(const Stmt *stmt) {
    stmt_ = stmt;
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt); bind && affine_.isStable(bind->value))
      values_[bind->var] = substitute(context_, bind->value, values_);
    forEachExpr(stmt, [&](const Expr *expr) { visit(expr); });
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      checkElement(store->buffer, store->indices);
    for (const BufferAccess &access : accessesOf(context_, stmt))
      if (access.operand)
        checkOperand(access);
    forEachChild(stmt, [&](const Stmt *child) {
      if (neverRuns(affine_, stmt, child))
        return;
      ScopedFacts facts(affine_, stmt, child);
      if (const auto *choice = llvm::dyn_cast<If>(stmt))
        affine_.assume(substitute(context_, choice->condition, values_), child == choice->thenBody,
                       FactScope::Statements);
      visit(child);
    });
  }

  void visit(const Expr *expr) {
    mapOperandsWithFacts(affine_, expr, [&](const Expr *operand) {
      visit(operand);
      return operand;
    });
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      checkElement(load->buffer, load->indices);
  }

  void checkElement(BufferId buffer, ExprList indices) {
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : indices)
      ranges.push_back({index, builder_.integer(1, index->dtype())});
    check(buffer, ranges);
  }

  void checkOperand(const BufferAccess &access) {
    const Buffer &buffer = function_.buffer(access.buffer);
    const Expr *predicate = accessPredicate(*stmt_, buffer, access.effect);
    size_t mark = affine_.ranges().facts().size();
    if (predicate)
      affine_.assume(substitute(context_, predicate, values_), true, FactScope::Statements);
    check(access.buffer, access.ranges);
    affine_.forget(mark);
  }

  void check(BufferId id, llvm::ArrayRef<Range> ranges) {
    const Buffer &buffer = function_.buffer(id);
    bool isTold = !found_.empty() && found_.back().stmt == stmt_ && found_.back().buffer == id;
    bool isAsked = isShared(buffer.scope) || buffer.scope == Scope::Local;
    if (isAsked && !isTold && !isInside(buffer, ranges))
      found_.push_back({stmt_, id});
  }

  // Whether constants say so: most accesses are of registers, and this is the cheap question.
  bool isPlainlyInside(const Buffer &buffer, llvm::ArrayRef<Range> ranges) {
    return llvm::all_of(llvm::zip_equal(buffer.shape, ranges), [&](auto axis) {
      auto [shape, range] = axis;
      std::optional<int64_t> size = constantValue(shape), extent = constantValue(range.extent);
      if (!size || !extent)
        return false;
      if (std::optional<int64_t> first = constantValue(range.min))
        return *first >= 0 && *first <= *size - *extent;
      return isAffineType(range.min->dtype()) &&
             affine_.bounds(range.min).within(0, *size - *extent);
    });
  }

  // What is known here of a thread is not known of a name that was bound before, but of its value.
  bool isInside(const Buffer &buffer, llvm::ArrayRef<Range> ranges) {
    if (isPlainlyInside(buffer, ranges))
      return true;
    if (coordinatesAtRisk(affine_, buffer, ranges).empty())
      return true;
    llvm::SmallVector<Range> values;
    for (const Range &range : ranges)
      values.push_back({substitute(context_, range.min, values_), range.extent});
    return coordinatesAtRisk(affine_, buffer, values).empty() || areLanesInside(buffer, ranges);
  }

  // Whether all threads stay inside, in all iterations of the loops that decide: `i ^ (1 << s)`.
  bool areLanesInside(const Buffer &buffer, llvm::ArrayRef<Range> ranges) {
    LaneWalk walk(computeStmtPlaces(context_, function_), stmt_);
    if (!walk.launch())
      return false;
    walk.need(ranges);
    return walk.run([&](const Lanes &active) {
      return llvm::all_of(llvm::zip_equal(buffer.shape, ranges), [&](auto axis) {
        auto [shape, range] = axis;
        std::optional<int64_t> size = constantValue(shape), extent = constantValue(range.extent);
        LaneIndex index = walk.indexOf(range.min);
        if (!size || !extent || index.first.empty() || index.period != 0 || !index.fixed.empty())
          return false;
        for (size_t lane = 0; lane != static_cast<size_t>(walk.launch()->threads); ++lane) {
          int64_t first = laneOf(index.first, lane);
          if (laneOf(active, lane) != 0 && (first < 0 || first > *size - *extent))
            return false;
        }
        return walk.spend(walk.launch()->threads);
      });
    });
  }

  Context &context_;
  const Function &function_;
  Builder builder_;
  IrAffine affine_;
  const Stmt *stmt_ = nullptr;
  Substitution values_; // of names so far
  std::vector<UnprovenBound> found_;
};

} // namespace

const std::vector<UnprovenBound> &findUnprovenBounds(Context &context, const Function &function) {
  return context.cached<std::vector<UnprovenBound>>(
      contentKey(function), [&] { return BoundsWalk(context, function).run(); });
}

} // namespace tilescope
