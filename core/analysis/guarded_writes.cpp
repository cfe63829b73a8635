#include "core/analysis/guarded_writes.h"

#include "core/ir/build.h"
#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// What is not remembered, or asked too often, is not known. Kernels make a handful.
constexpr size_t MaxWrites = 64;
constexpr int64_t MaxProofs = 1 << 14;

bool isSameRanges(llvm::ArrayRef<Range> a, llvm::ArrayRef<Range> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           auto [x, y] = pair;
           return isSameExpr(x.min, y.min) && isSameExpr(x.extent, y.extent);
         });
}

} // namespace

void GuardedWrites::add(size_t buffer, llvm::ArrayRef<Range> ranges, bool isRecorded) {
  bool isKnown = llvm::any_of(writes_, [&](const Write &write) {
    return !write.isForgotten && write.buffer == buffer && write.guards.empty() &&
           write.all.empty() && !write.elements && isSameRanges(write.ranges, ranges);
  });
  if (!isKnown && writes_.size() < MaxWrites)
    writes_.push_back({buffer, {}, {}, llvm::to_vector(ranges), isRecorded});
}

void GuardedWrites::add(size_t buffer, const ElementSet &elements, WriteGuard guard) {
  if (writes_.size() < MaxWrites)
    writes_.push_back({buffer, {guard}, elements, {}, false});
}

void GuardedWrites::guard(size_t mark, WriteGuard guard) {
  for (Write &write : llvm::drop_begin(writes_, mark))
    write.guards.push_back(guard);
}

void GuardedWrites::eraseIf(size_t mark, llvm::function_ref<bool(Write &write)> isErased) {
  auto begin = writes_.begin() + static_cast<ptrdiff_t>(mark);
  writes_.erase(std::remove_if(begin, writes_.end(), isErased), writes_.end());
}

void GuardedWrites::forget(const Var *var) {
  for (Write &write : writes_)
    write.isForgotten = write.isForgotten || dependsOn(write, var);
}

void GuardedWrites::drop(size_t mark, const Var *var) {
  eraseIf(mark, [&](const Write &write) { return dependsOn(write, var); });
}

void GuardedWrites::settle(size_t mark, const Var *var, const Expr *value) {
  for (Write &write : llvm::drop_begin(writes_, mark))
    substituteAll(write, {{var, value}});
  drop(mark, var);
}

void GuardedWrites::substituteAll(Write &write, const Substitution &values) {
  Context &context = facts_.context();
  for (WriteGuard &guard : write.guards)
    guard.condition = substitute(context, guard.condition, values);
  for (Range &range : write.ranges)
    range = {substitute(context, range.min, values), substitute(context, range.extent, values)};
}

void GuardedWrites::leaveLoop(size_t mark, const For &loop) {
  eraseIf(mark, [&](Write &write) { return !widen(write, loop.var, loop.min, loop.extent); });
}

void GuardedWrites::leaveNest(size_t mark, const Parallel &nest,
                              llvm::function_ref<bool(size_t buffer)> isPrivate,
                              llvm::function_ref<bool(const Expr *expr)> isUniform) {
  Builder builder(facts_.context());
  eraseIf(mark, [&](Write &write) {
    if (isPrivate(write.buffer) || (write.isRecorded && write.guards.empty()))
      return true;
    for (auto [var, extent] : llvm::reverse(llvm::zip_equal(nest.vars, nest.extents))) {
      const Expr *zero = builder.integer(0, var->dtype());
      Write wider = write;
      if (widen(wider, var, zero, extent))
        write = std::move(wider);
      else
        write.all.push_back({var, {zero, extent}});
    }
    return !isUniformWrite(write, isUniform);
  });
}

// Variables that the write holds for all values of are nobody's own.
bool GuardedWrites::isUniformWrite(const Write &write,
                                   llvm::function_ref<bool(const Expr *expr)> isUniform) {
  Builder builder(facts_.context());
  Substitution none;
  for (const auto &one : write.all)
    none[one.var] = builder.integer(0, one.var->dtype());
  auto isFine = [&](const Expr *expr) {
    return isUniform(substitute(facts_.context(), expr, none));
  };
  return llvm::all_of(write.guards,
                      [&](const WriteGuard &guard) { return isFine(guard.condition); }) &&
         llvm::all_of(write.ranges, [&](const Range &range) {
           return isFine(range.min) && isFine(range.extent);
         });
}

// One axis may move with the variable, and no further at a step than it is wide.
bool GuardedWrites::widen(Write &write, const Var *var, const Expr *min, const Expr *trips) {
  IrAffine &affine = facts_.affine();
  Range *moving = nullptr;
  for (Range &range : write.ranges) {
    if (!affine.dependsOn(range.min, var))
      continue;
    if (moving)
      return false;
    moving = &range;
  }
  return (!moving || widen(*moving, var, min, trips)) && !dependsOn(write, var);
}

bool GuardedWrites::widen(Range &range, const Var *var, const Expr *min, const Expr *trips) {
  IrAffine &affine = facts_.affine();
  AffineContext &arithmetic = affine.arithmetic();
  Affine first = affine.convert(range.min), extent = affine.convert(range.extent);
  const AffineAtom *symbol = affine.convert(var).asAtom();
  if (!first.isKnown() || !extent.isConstant())
    return false;
  const auto *found =
      llvm::find_if(first.sum->terms, [&](const AffineTerm &term) { return term.atom == symbol; });
  if (found == first.sum->terms.end() || found->coefficient <= 0 ||
      found->coefficient > *extent.asConstant())
    return false;
  int64_t step = found->coefficient;
  Affine atStart = arithmetic.subtract(first, arithmetic.term(*found));
  Affine last = arithmetic.scale(arithmetic.add(affine.convert(trips), -1), step);
  DType dtype = range.min->dtype();
  range.extent = affine.emit(arithmetic.add(last, extent), dtype, trips);
  range.min = affine.emit(arithmetic.add(atStart, arithmetic.scale(affine.convert(min), step)),
                          dtype, range.min);
  return range.min && range.extent;
}

bool GuardedWrites::dependsOn(const Write &write, const Var *var) {
  IrAffine &affine = facts_.affine();
  return llvm::any_of(
             write.guards,
             [&](const WriteGuard &guard) { return affine.dependsOn(guard.condition, var); }) ||
         llvm::any_of(write.ranges,
                      [&](const Range &range) {
                        return affine.dependsOn(range.min, var) ||
                               affine.dependsOn(range.extent, var);
                      }) ||
         llvm::any_of(write.all, [&](const Write::Quantified &one) {
           return affine.dependsOn(one.range.extent, var);
         });
}

std::vector<GuardedWrites::OnBothSides> GuardedWrites::writtenOnBothSides(size_t mark,
                                                                          const Expr *condition) {
  std::vector<OnBothSides> both;
  llvm::ArrayRef<Write> inside = llvm::ArrayRef<Write>(writes_).drop_front(mark);
  for (const Write &one : inside)
    for (const Write &other : inside)
      if (one.buffer == other.buffer && isOnlyUnder(one, condition, true) &&
          isOnlyUnder(other, condition, false) && isSameRanges(one.ranges, other.ranges) &&
          areStable(one.ranges))
        both.push_back({one.buffer, one.ranges});
  return both;
}

bool GuardedWrites::isOnlyUnder(const Write &write, const Expr *condition, bool holds) {
  return !write.elements && !write.isForgotten && write.all.empty() && write.guards.size() == 1 &&
         write.guards[0].condition == condition && write.guards[0].holds == holds;
}

bool GuardedWrites::covers(size_t buffer, llvm::ArrayRef<Range> ranges) {
  return llvm::any_of(writes_, [&](const Write &write) {
    if (write.buffer != buffer || write.elements || write.isForgotten)
      return false;
    std::optional<Write> one = instanceFor(write, ranges);
    return one && holds(*one) && llvm::all_of(llvm::zip_equal(ranges, one->ranges), [&](auto pair) {
             return isInside(std::get<0>(pair), std::get<1>(pair));
           });
  });
}

std::optional<GuardedWrites::Write> GuardedWrites::instanceFor(const Write &write,
                                                               llvm::ArrayRef<Range> ranges) {
  if (write.all.empty())
    return write;
  Substitution values;
  for (const auto &one : write.all)
    for (auto [mine, wanted] : llvm::zip_equal(write.ranges, ranges))
      if (mine.min == one.var && constantValue(wanted.extent) == 1)
        values[one.var] = wanted.min;
  for (const auto &one : write.all) {
    const Expr *value = values.lookup(one.var);
    Range point{value, value ? Builder(facts_.context()).integer(1, value->dtype()) : nullptr};
    if (!value || value->dtype() != one.var->dtype() || !isInside(point, one.range))
      return std::nullopt;
  }
  Write instance = write;
  substituteAll(instance, values);
  return instance;
}

ElementSet GuardedWrites::with(size_t buffer, const ElementSet &written) {
  ElementSet all = written;
  for (const Write &write : writes_)
    if (write.buffer == buffer && write.elements && !write.isForgotten && holds(write))
      all.unite(*write.elements);
  return all;
}

bool GuardedWrites::proves(const Expr *condition, bool holds) {
  return facts_.isAssumed(condition, holds) ||
         (++proofs_ <= MaxProofs &&
          facts_.affine().prove(condition) == (holds ? Proof::True : Proof::False));
}

bool GuardedWrites::holds(const Write &write) {
  return isStable(write) && llvm::all_of(write.guards, [&](const WriteGuard &guard) {
           return proves(guard.condition, guard.holds);
         });
}

// What its expressions mean does not change from statement to statement.
bool GuardedWrites::isStable(const Write &write) {
  return areStable(write.ranges) && llvm::all_of(write.guards, [&](const WriteGuard &guard) {
           return facts_.affine().isStable(guard.condition);
         });
}

bool GuardedWrites::areStable(llvm::ArrayRef<Range> ranges) {
  return llvm::all_of(ranges, [&](const Range &range) {
    return facts_.affine().isStable(range.min) && facts_.affine().isStable(range.extent);
  });
}

bool GuardedWrites::isInside(const Range &inner, const Range &outer) {
  if (isSameExpr(inner.min, outer.min) && isSameExpr(inner.extent, outer.extent))
    return true;
  bool isAffine = isAffineType(inner.min->dtype()) && inner.min->dtype() == outer.min->dtype() &&
                  inner.extent->dtype() == inner.min->dtype() &&
                  outer.extent->dtype() == inner.min->dtype();
  if (!isAffine)
    return false;
  Builder builder(facts_.context());
  const Expr *isBefore = builder.binary(BinaryOp::LessEqual, outer.min, inner.min);
  const Expr *isWithin = builder.binary(BinaryOp::LessEqual, builder.add(inner.min, inner.extent),
                                        builder.add(outer.min, outer.extent));
  return proves(isBefore, true) && proves(isWithin, true);
}

} // namespace tilescope
