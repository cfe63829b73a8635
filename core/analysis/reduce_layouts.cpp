#include "core/analysis/reduce_layouts.h"

#include "core/analysis/mma_layouts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

} // namespace

std::optional<ReducedThreads> reducedThreadsOf(llvm::ArrayRef<Digit> digits) {
  ReducedThreads threads;
  for (const Digit &digit : digits) {
    if (!digit.onThread || digit.extent == 1)
      continue;
    int64_t end = digit.extent * digit.stride;
    if (digit.stride >= WarpThreads && digit.stride % WarpThreads == 0) {
      threads.warps.push_back(digit);
      continue;
    }
    int64_t lanes = std::min(end, WarpThreads) / digit.stride;
    if (!isPowerOfTwo(digit.stride) || !isPowerOfTwo(lanes) || digit.extent % lanes != 0)
      return std::nullopt;
    if (digit.extent > lanes)
      threads.warps.push_back({digit.extent / lanes, true, WarpThreads});
    threads.lanes.push_back({lanes, true, digit.stride});
    for (int64_t mask = digit.stride; mask < lanes * digit.stride; mask *= 2)
      threads.laneMasks.push_back(mask);
  }
  return threads;
}

const Layout *planReduction(Context &context, llvm::ArrayRef<int64_t> kept, int64_t reduced,
                            bool alongRow, int64_t threads) {
  int64_t results = 1;
  for (int64_t extent : kept)
    results *= extent;
  int64_t lanes = 1;
  while (2 * lanes <= WarpThreads && reduced % (2 * lanes) == 0 && threads % (2 * lanes) == 0 &&
         results * lanes < threads * (alongRow ? 8 : 1))
    lanes *= 2;
  const Layout *groups =
      planPartition(context, kept, /*vector=*/1, threads / lanes, /*replicate=*/true);
  llvm::SmallVector<DigitList> dims;
  auto spread = [&](llvm::ArrayRef<Digit> digits) {
    DigitList spreadDigits(digits);
    for (Digit &digit : spreadDigits)
      if (digit.onThread)
        digit.stride *= lanes;
    return spreadDigits;
  };
  for (llvm::ArrayRef<Digit> digits : groups->dims)
    dims.push_back(spread(digits));
  DigitList copies = spread(groups->replicas);
  copies.push_back({lanes, true, 1});
  return makeDenseFragment(context, dims, copies);
}

const Layout *reducedTileLayout(Context &context, const Layout &result, size_t dim,
                                int64_t reduced) {
  DigitList shared; // neighbours get neighbouring elements: the largest stride first
  DigitList left;
  int64_t rest = reduced;
  for (const Digit &digit : result.replicas) {
    int64_t lanes = 1;
    while (2 * lanes * digit.stride <= WarpThreads && digit.extent % (2 * lanes) == 0 &&
           rest % (2 * lanes) == 0 && isPowerOfTwo(digit.stride))
      lanes *= 2;
    rest /= lanes;
    shared.push_back({lanes, true, digit.stride});
    left.push_back({digit.extent / lanes, true, digit.stride * lanes});
  }
  llvm::stable_sort(shared, [](const Digit &a, const Digit &b) { return a.stride > b.stride; });
  llvm::SmallVector<DigitList> dims;
  for (llvm::ArrayRef<Digit> digits : result.dims)
    dims.push_back(DigitList(digits));
  shared.insert(shared.begin(), {rest, false, result.registerCount()});
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(dim), shared);
  return makeDenseFragment(context, dims, left);
}

} // namespace tilescope
