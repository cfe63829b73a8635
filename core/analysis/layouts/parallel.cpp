// A parallel loop runs each iteration on the thread that holds its fragment elements:
//
//     for i, j in T.Parallel(128, 128):          the loop takes the layout of C, which covers i and
//     j
//         C[i, j] = C[i, j] * scale[i]           scale is then held by all threads of a row
//
// The layout comes from a written fragment, else from a read one, else from a plan of our own.
//
// Who holds an element also runs the iterations that write it. So a loop is not spread along a
// variable that does not choose the thread of an element that is written:
//
//     for i, j in T.Parallel(64, 32):        every thread runs all i; j and f by 64@r1 | 32@t1
//         f[63 - i, j] = A[i, j]
#include "core/analysis/layouts/holders.h"
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/layouts/parallel_access.h"
#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

// The loop's layout if `access` decides it: its fragment without the dimensions that are no loop
// variable.
const Layout *layoutOfLoop(LayoutState &state, const FragmentAccess &access, size_t loopRank) {
  const Layout *layout = state.find(access.buffer);
  if (!layout || !access.coversLoop(loopRank))
    return nullptr;
  llvm::SmallVector<DigitList> dims(loopRank);
  for (auto [digits, loopDim] : llvm::zip_equal(layout->dims, access.loopDims))
    if (loopDim)
      dims[*loopDim] = DigitList(digits);
  return makeDenseFragment(state.context(), dims, layout->replicas);
}

// The layout that a fragment gets from the loop; null if the loop does not touch all of it.
const Layout *layoutOfFragment(LayoutState &state, const FragmentAccess &access,
                               const Layout &loop) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(access.buffer));
  if (!shape)
    return nullptr;
  llvm::SmallVector<DigitList> dims;
  llvm::SmallVector<bool> isUsed(loop.dims.size(), false);
  int64_t outerStride = loop.registerCount();
  for (auto [extent, loopDim] : llvm::zip_equal(*shape, access.loopDims)) {
    if (!loopDim || isUsed[*loopDim]) {
      dims.push_back({{extent, false, outerStride}});
      outerStride *= extent;
      continue;
    }
    if (extentOf(loop.dims[*loopDim]) < extent)
      return nullptr;
    isUsed[*loopDim] = true;
    dims.push_back(DigitList(loop.dims[*loopDim]));
  }
  DigitList copies(loop.replicas);
  for (auto [digits, used] : llvm::zip_equal(loop.dims, isUsed))
    if (!used)
      llvm::copy_if(digits, std::back_inserter(copies),
                    [](const Digit &digit) { return digit.onThread; });
  return makeDenseFragment(state.context(), dims, copies);
}

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

llvm::SmallVector<const Layout *>
layoutsOfFragments(LayoutState &state, llvm::ArrayRef<FragmentAccess> accesses, size_t loopRank) {
  llvm::SmallVector<const Layout *> layouts;
  for (bool wantsWrite : {true, false})
    for (const FragmentAccess &access : accesses)
      if (access.isWrite == wantsWrite)
        if (const Layout *layout = layoutOfLoop(state, access, loopRank))
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

// The variables along which the loop may not be spread over threads: each is not, by itself, an
// index of some fragment element that the body writes.
llvm::SmallVector<bool> serialDims(llvm::ArrayRef<FragmentAccess> accesses,
                                   llvm::ArrayRef<int64_t> extents) {
  llvm::SmallVector<bool> serial(extents.size(), false);
  for (const FragmentAccess &access : accesses)
    for (size_t dim = 0; dim < extents.size(); ++dim)
      serial[dim] |= access.isWrite && extents[dim] > 1 &&
                     !llvm::is_contained(access.loopDims, std::optional(dim));
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
    for (auto [digits, loopDim] : llvm::zip_equal(layout->dims, access.loopDims))
      if (loopDim)
        given[*loopDim] = DigitList(digits);
    return extendLayout(state.context(), *extents, given, serial, layout->replicas, vector);
  }
  return planSpread(state, parallel, *extents, serial, vector, !accesses.empty());
}

const Layout *chooseLoop(LayoutState &state, const Parallel &parallel,
                         llvm::ArrayRef<FragmentAccess> accesses, LayoutStrength strength) {
  llvm::SmallVector<const Layout *> known =
      layoutsOfFragments(state, accesses, parallel.vars.size());
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
