#include "core/analysis/layouts/holders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

std::string whyNotHeld(const FragmentAccess &access, const Layout &fragment, const Layout &loop) {
  llvm::SmallVector<bool> isMatched(loop.dims.size(), false);
  for (auto [index, digits, loopDim] : llvm::enumerate(fragment.dims, access.loopDims)) {
    if (!hasThreadDigit(digits))
      continue;
    if (!loopDim)
      return llvm::formatv("dimension {0} is spread over threads and its index is not a variable "
                           "of the parallel loop",
                           index);
    if (isMatched[*loopDim] || !placesAlikeOnThreads(digits, loop.dims[*loopDim]))
      return llvm::formatv("elements along dimension {0} lie on other threads than the iterations",
                           index);
    isMatched[*loopDim] = true;
  }
  // What remains of the thread number must run over copies.
  llvm::SmallVector<llvm::ArrayRef<Digit>> others = {loop.replicas};
  for (auto [digits, matched] : llvm::zip_equal(loop.dims, isMatched))
    if (!matched)
      others.push_back(digits);
  llvm::SmallVector<int64_t> needed = threadOffsets(others);
  llvm::SmallVector<int64_t> held = threadOffsets(fragment.replicas);
  if (!std::includes(held.begin(), held.end(), needed.begin(), needed.end()))
    return llvm::formatv("{0} threads touch an element that {1} hold", needed.size(), held.size());
  return "";
}

// The threads that run an iteration are among those that hold its element: they are all of them if
// they are as many.
std::string whyCopiesStale(const FragmentAccess &access, const Layout &fragment,
                           const Layout &loop) {
  if (!access.isWrite)
    return "";
  size_t holders = threadOffsets(fragment.replicas).size();
  size_t runners = threadOffsets(loop.replicas).size();
  if (holders == runners)
    return "";
  return llvm::formatv("an element is held by {0} threads and an iteration is run by {1}", holders,
                       runners);
}

} // namespace tilescope
