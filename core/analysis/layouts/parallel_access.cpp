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

FragmentAccess accessIn(Context &context, const LoopVars &loop, const Substitution &bindings,
                        const BufferAccess &access) {
  FragmentAccess found;
  found.buffer = access.buffer;
  found.isWrite = access.effect != Effect::Read;
  found.span = access.span;
  for (const Range &range : access.ranges)
    found.axes.push_back(partsOfIndex(substitute(context, range.min, bindings), loop));
  return found;
}

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
  std::vector<FragmentAccess> accesses;
  SerialExtents serial(function);
  LoopVars loop = {parallel.vars, parallel.extents, serial};
  Substitution bindings = bodyBindings(context, parallel);
  walk(parallel.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      const Buffer *buffer = function.findBuffer(access.buffer);
      if (buffer && buffer->scope == Scope::Fragment)
        accesses.push_back(accessIn(context, loop, bindings, access));
    }
    return true;
  });
  return accesses;
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
