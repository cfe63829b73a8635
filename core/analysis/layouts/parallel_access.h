// Which iterations of a parallel loop touch which elements of fragments.
#pragma once

#include "core/analysis/divisor.h"
#include "core/analysis/layouts/index_parts.h"
#include "core/ir/visit.h"

#include <optional>

namespace tilescope {

// One access to a fragment in the body: what the index of each of its dimensions is made of.
struct FragmentAccess {
  BufferId buffer;
  bool isWrite = false;
  Span span;
  llvm::SmallVector<IndexParts> axes;
};

// Values of the variables that the body binds, in terms of the loop variables and what is outside.
Substitution bodyBindings(Context &context, const Parallel &parallel);

// In program order; bound variables count as their values.
std::vector<FragmentAccess> fragmentAccesses(Context &context, const Parallel &parallel,
                                             const Function &function);

// Constant extents, or nullopt.
std::optional<llvm::SmallVector<int64_t>> constantExtents(const Parallel &parallel);

// Elements of the innermost variable that all accesses to memory in the body could move at once.
int64_t vectorElements(Context &context, const Parallel &parallel, const Function &function,
                       const BoundValues &bound);

} // namespace tilescope
