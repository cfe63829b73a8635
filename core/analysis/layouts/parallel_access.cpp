#include "core/analysis/layouts/parallel_access.h"

#include "core/analysis/layout_access.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Extents of the loops from 0 around and inside of parallel loops, found when first asked for.
class SerialExtents {
public:
  explicit SerialExtents(const Function &function) : function_(function) {}

  std::optional<int64_t> operator()(const Var *var) {
    if (!isFilled_)
      fill();
    auto found = extents_.find(var);
    return found == extents_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  void fill() {
    isFilled_ = true;
    walk(function_.body, [&](const Stmt *stmt) {
      const auto *loop = llvm::dyn_cast<For>(stmt);
      if (loop && constantValue(loop->min) == 0)
        if (std::optional<int64_t> extent = constantValue(loop->extent))
          extents_[loop->var] = *extent;
      return true;
    });
  }

  const Function &function_;
  bool isFilled_ = false;
  llvm::DenseMap<const Var *, int64_t> extents_;
};

using Limits = llvm::SmallVector<std::pair<const Var *, int64_t>>;

// What a condition leaves of variables that count from 0: `i < 16 and ...`.
void addLimits(const Expr *condition, Limits &limits) {
  const auto *binary = llvm::dyn_cast<Binary>(condition);
  if (!binary)
    return;
  if (binary->op == BinaryOp::And) {
    addLimits(binary->lhs, limits);
    addLimits(binary->rhs, limits);
    return;
  }
  const auto *var = llvm::dyn_cast<Var>(binary->lhs);
  std::optional<int64_t> bound = constantValue(binary->rhs);
  if (!var || !bound)
    return;
  if (binary->op == BinaryOp::Less)
    limits.push_back({var, *bound});
  else if (binary->op == BinaryOp::LessEqual)
    limits.push_back({var, *bound + 1});
}

class AccessFinder {
public:
  AccessFinder(Context &context, const Parallel &parallel, const Function &function)
      : context_(context), parallel_(parallel), function_(function), serial_(function),
        bindings_(bodyBindings(context, parallel)) {}

  std::vector<FragmentAccess> run() {
    visit(parallel_.body);
    return std::move(found_);
  }

private:
  void visit(const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context_, stmt)) {
      const Buffer *buffer = function_.findBuffer(access.buffer);
      if (buffer && buffer->scope == Scope::Fragment)
        add(access);
    }
    const auto *branch = llvm::dyn_cast<If>(stmt);
    forEachChild(stmt, [&](const Stmt *child) {
      size_t outer = limits_.size();
      if (branch && child == branch->thenBody)
        addLimits(substitute(context_, branch->condition, bindings_), limits_);
      visit(child);
      limits_.truncate(outer);
    });
  }

  void add(const BufferAccess &access) {
    FragmentAccess &found = found_.emplace_back();
    found.buffer = access.buffer;
    found.isWrite = access.effect != Effect::Read;
    found.span = access.span;
    LoopVars loop = {parallel_.vars, parallel_.extents, serial_};
    for (const Range &range : access.ranges) {
      const Expr *index = substitute(context_, range.min, bindings_);
      IndexParts parts = partsOfIndex(index, loop);
      // Of `i + 16` nothing is known but below `if i < 16`.
      if (parts == anyIndex() && !limits_.empty()) {
        LoopVars limited = loop;
        limited.limits = limits_;
        parts = partsOfIndex(index, limited);
      }
      found.axes.push_back(std::move(parts));
    }
  }

  Context &context_;
  const Parallel &parallel_;
  const Function &function_;
  SerialExtents serial_;
  Substitution bindings_;
  Limits limits_; // where the walk is
  std::vector<FragmentAccess> found_;
};

} // namespace

Substitution bodyBindings(Context &context, const Parallel &parallel) {
  Substitution bindings;
  walk(parallel.body, [&](const Stmt *stmt) {
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      bindings[bind->var] = substitute(context, bind->value, bindings);
    return true;
  });
  return bindings;
}

std::vector<FragmentAccess> fragmentAccesses(Context &context, const Parallel &parallel,
                                             const Function &function) {
  return AccessFinder(context, parallel, function).run();
}

std::optional<llvm::SmallVector<int64_t>> constantExtents(const Parallel &parallel) {
  llvm::SmallVector<int64_t> extents;
  for (const Expr *extent : parallel.extents) {
    std::optional<int64_t> value = constantValue(extent);
    if (!value || *value <= 0)
      return std::nullopt;
    extents.push_back(*value);
  }
  return extents;
}

int64_t vectorElements(Context &context, const Parallel &parallel, const Function &function,
                       const BoundValues &bound) {
  const Var *inner = parallel.vars.back();
  int64_t width = constantValue(parallel.extents.back()).value_or(1);
  width &= -width;
  bool touchesMemory = false;
  Substitution bindings = bodyBindings(context, parallel);
  walk(parallel.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      const Buffer &buffer = function.buffer(access.buffer);
      bool isMemory = buffer.scope != Scope::Fragment && buffer.scope != Scope::Local &&
                      buffer.scope != Scope::LocalVar;
      llvm::SmallVector<const Expr *> indices;
      bool varies = false;
      for (const Range &range : access.ranges) {
        indices.push_back(substitute(context, range.min, bindings));
        varies |= strideOf(indices.back(), inner) != 0;
      }
      // What does not move with the loop is read once.
      if (!isMemory || !varies)
        continue;
      touchesMemory = true;
      width = std::min(width, contiguousElements(context, buffer, indices, inner, width, bound));
    }
    return true;
  });
  return touchesMemory ? width : 1;
}

} // namespace tilescope
