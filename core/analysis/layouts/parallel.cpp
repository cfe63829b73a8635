// A parallel loop runs each iteration on the thread that holds its fragment elements:
//
//     for i, j in T.Parallel(128, 128):          the loop takes the layout of C, which covers i and
//     j
//         C[i, j] = C[i, j] * scale[i]           scale is then held by all threads of a row
//
// The layout comes from a written fragment, else from a read one, else from a plan of our own.
//
// Who holds an element also runs the iterations that write it. So a loop is not spread along a
// variable that does not tell elements apart that are written:
//
//     for i, j in T.Parallel(64, 32):        every thread runs all i; j and f by 64@r1 | 32@t1
//         f[63 - i, j] = A[i, j]
#include "core/analysis/layouts/holders.h"
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/layouts/loop_digits.h"
#include "core/analysis/layouts/parallel_access.h"
#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

// The loop's layout if `access` decides it: all of its variables choose the element.
const Layout *layoutOfLoop(LayoutState &state, const FragmentAccess &access,
                           llvm::ArrayRef<int64_t> extents) {
  const Layout *layout = state.find(access.buffer);
  if (!layout)
    return nullptr;
  llvm::SmallVector<DigitList> dims;
  for (auto [loopDim, extent] : llvm::enumerate(extents)) {
    std::optional<DigitList> digits = digitsOfVariable(access, *layout, loopDim, extent);
    if (!digits)
      return nullptr;
    dims.push_back(std::move(*digits));
  }
  return makeDenseFragment(state.context(), dims, layout->replicas);
}

// The digits of a dimension of a fragment whose index is made of `parts`. What no variable of the
// loop chooses, or one that has chosen already, lies on registers, from `outerStride` on. Nullopt
// if the loop does not touch all of it.
std::optional<DigitList> digitsOfAxis(llvm::ArrayRef<IndexPart> parts, int64_t extent,
                                      LoopDigits &loop, int64_t &outerStride) {
  llvm::SmallVector<DigitList> pieces; // innermost first
  int64_t covered = 1;
  auto addRegisters = [&](int64_t count) {
    pieces.push_back({{count, false, outerStride}});
    outerStride *= count;
    covered *= count;
  };
  for (const IndexPart &part : llvm::reverse(parts)) {
    if (part.weight % covered != 0)
      return std::nullopt;
    if (part.weight > covered)
      addRegisters(part.weight / covered);
    bool isOutermost = &part == parts.begin();
    int64_t high = part.extent >= IndexPart::Open ? part.extent : part.low * part.extent;
    std::optional<DigitList> digits =
        part.loopDim ? loop.take(*part.loopDim, part.low, high) : std::nullopt;
    if (digits) {
      covered *= extentOf(*digits);
      pieces.push_back(std::move(*digits));
    } else if (isOutermost && (!part.loopDim || parts.size() == 1)) {
      addRegisters((extent + covered - 1) / covered);
    } else if (part.extent < IndexPart::Open) {
      addRegisters(part.extent);
    }
  }
  if (covered < extent)
    return std::nullopt;
  DigitList all;
  for (const DigitList &piece : llvm::reverse(pieces))
    all.append(piece);
  return all;
}

} // namespace

const Layout *layoutOfFragment(LayoutState &state, const FragmentAccess &access,
                               const Layout &loop) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(access.buffer));
  if (!shape)
    return nullptr;
  llvm::SmallVector<DigitList> dims;
  LoopDigits unused(loop);
  int64_t outerStride = loop.registerCount();
  for (auto [extent, parts] : llvm::zip_equal(*shape, access.axes)) {
    std::optional<DigitList> digits = digitsOfAxis(parts, extent, unused, outerStride);
    if (!digits)
      return nullptr;
    dims.push_back(std::move(*digits));
  }
  DigitList copies(loop.replicas);
  copies.append(unused.threadsLeft());
  return makeDenseFragment(state.context(), dims, copies);
}

namespace {

// Whether every copy of what the body writes is written, if the loop has this layout.
bool writesAllCopies(LayoutState &state, llvm::ArrayRef<FragmentAccess> accesses,
                     const Layout &loop) {
  return llvm::all_of(accesses, [&](const FragmentAccess &access) {
    const Layout *layout = state.find(access.buffer);
    if (!layout)
      layout = layoutOfFragment(state, access, loop);
    return !layout || whyCopiesStale(access, *layout, loop).empty();
  });
}

llvm::SmallVector<const Layout *> layoutsOfFragments(LayoutState &state,
                                                     llvm::ArrayRef<FragmentAccess> accesses,
                                                     llvm::ArrayRef<int64_t> extents) {
  llvm::SmallVector<const Layout *> layouts;
  for (bool wantsWrite : {true, false})
    for (const FragmentAccess &access : accesses)
      if (access.isWrite == wantsWrite)
        if (const Layout *layout = layoutOfLoop(state, access, extents))
          layouts.push_back(layout);
  return layouts;
}

void propagateToFragments(LayoutState &state, const Parallel &parallel, const Layout &loop,
                          llvm::ArrayRef<FragmentAccess> accesses) {
  for (const FragmentAccess &access : accesses) {
    if (state.find(access.buffer))
      continue;
    if (const Layout *layout = layoutOfFragment(state, access, loop))
      state.setFragment(access.buffer, layout, &parallel);
  }
}

// The variables along which the loop may not be spread over threads: several values of each write
// one element of a fragment.
llvm::SmallVector<bool> serialDims(llvm::ArrayRef<FragmentAccess> accesses,
                                   llvm::ArrayRef<int64_t> extents) {
  llvm::SmallVector<bool> serial(extents.size(), false);
  for (const FragmentAccess &access : accesses)
    for (size_t dim = 0; dim < extents.size(); ++dim)
      serial[dim] |= access.isWrite && extents[dim] > 1 && !tellsApart(access, dim, extents[dim]);
  return serial;
}

// Spreads the dimensions that `given` leaves open, but those of `serial`, over threads that would
// hold copies.
const Layout *extendLayout(Context &context, llvm::ArrayRef<int64_t> extents,
                           llvm::MutableArrayRef<std::optional<DigitList>> given,
                           llvm::ArrayRef<bool> serial, llvm::ArrayRef<Digit> replicas,
                           int64_t vector) {
  llvm::SmallVector<DigitList> dims(extents.size());
  DigitList left(replicas);
  int64_t registers = 1 << 20;
  for (size_t dim = extents.size(); dim-- > 0;) {
    if (given[dim]) {
      dims[dim] = *given[dim];
      continue;
    }
    int64_t inner = dim + 1 == extents.size() ? vector : 1;
    int64_t rest = (extents[dim] + inner - 1) / inner;
    dims[dim] = {{inner, false, 1 << 19}};
    while (!serial[dim] && !left.empty() && rest % left.back().extent == 0) {
      rest /= left.back().extent;
      dims[dim].insert(dims[dim].begin(), left.pop_back_val());
    }
    dims[dim].insert(dims[dim].begin(), {rest, false, registers});
    registers *= rest;
  }
  return makeDenseFragment(context, dims, left);
}

// A partition of all dimensions but those of `serial`.
const Layout *planSpread(LayoutState &state, const Parallel &parallel,
                         llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<bool> serial,
                         int64_t vector, bool replicate) {
  int64_t total = 1;
  for (auto [extent, isSerial] : llvm::zip_equal(extents, serial))
    total *= isSerial ? 1 : extent;
  while (vector > 1 && parallel.coalescedWidth == 0 && total / vector < state.threads())
    vector /= 2;
  return planPartition(state.context(), extents, serial, vector, state.threads(), replicate);
}

// Whether all that the body writes is each thread's own: then every thread runs all of the loop.
bool writesOwnMemory(LayoutState &state, const Parallel &parallel) {
  bool own = false;
  bool other = false;
  walk(parallel.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(state.context(), stmt))
      if (access.effect != Effect::Read)
        (state.buffer(access.buffer).scope == Scope::Local ? own : other) = true;
    return true;
  });
  return own && !other;
}

const Layout *planLoop(LayoutState &state, const Parallel &parallel,
                       llvm::ArrayRef<FragmentAccess> accesses) {
  std::optional<llvm::SmallVector<int64_t>> extents = constantExtents(parallel);
  if (!extents)
    return nullptr;
  if (writesOwnMemory(state, parallel))
    return makeReplicated(state.context(), *extents, state.threads());
  llvm::SmallVector<bool> serial = serialDims(accesses, *extents);
  int64_t vector = vectorElements(state.context(), parallel, state.function(), state.boundValues());
  if (parallel.coalescedWidth > 0)
    vector = std::gcd(parallel.coalescedWidth, extents->back());
  for (const FragmentAccess &access : accesses) {
    const Layout *layout = state.find(access.buffer);
    if (!layout)
      continue;
    llvm::SmallVector<std::optional<DigitList>> given(extents->size());
    for (auto [dim, extent] : llvm::enumerate(*extents))
      given[dim] = digitsOfVariable(access, *layout, dim, extent);
    return extendLayout(state.context(), *extents, given, serial, layout->replicas, vector);
  }
  return planSpread(state, parallel, *extents, serial, vector, !accesses.empty());
}

const Layout *chooseLoop(LayoutState &state, const Parallel &parallel,
                         llvm::ArrayRef<FragmentAccess> accesses, LayoutStrength strength) {
  std::optional<llvm::SmallVector<int64_t>> extents = constantExtents(parallel);
  if (!extents)
    return nullptr;
  llvm::SmallVector<const Layout *> known = layoutsOfFragments(state, accesses, *extents);
  for (const Layout *layout : known)
    if (writesAllCopies(state, accesses, *layout))
      return layout;
  if (strength != LayoutStrength::Free)
    return nullptr;
  const Layout *plan = planLoop(state, parallel, accesses);
  // No layout is right: the one of a fragment says best what is wrong.
  if (!known.empty() && (!plan || !writesAllCopies(state, accesses, *plan)))
    return known.front();
  return plan;
}

} // namespace

bool hasSerialDims(LayoutState &state, const Parallel &parallel) {
  std::optional<llvm::SmallVector<int64_t>> extents = constantExtents(parallel);
  return extents &&
         llvm::is_contained(
             serialDims(fragmentAccesses(state.context(), parallel, state.function()), *extents),
             true);
}

void inferParallelLayout(LayoutState &state, const Parallel &parallel, LayoutStrength strength) {
  if (strength == LayoutStrength::Strict)
    return;
  std::vector<FragmentAccess> accesses =
      fragmentAccesses(state.context(), parallel, state.function());
  const Layout *loop = state.find(parallel);
  if (!loop) {
    loop = chooseLoop(state, parallel, accesses, strength);
    if (!loop)
      return;
    state.setParallel(parallel, loop);
  }
  propagateToFragments(state, parallel, *loop, accesses);
}

} // namespace tilescope
