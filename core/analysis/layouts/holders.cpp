#include "core/analysis/layouts/holders.h"

#include "core/analysis/layouts/loop_digits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

enum class Match : uint8_t { Alike, Elsewhere, NoVariable };

// Whether the threads of a digit of the fragment are those that the loop puts the same part of its
// variables on. Takes these from the loop.
Match matchDigit(const WeightedDigit &digit, const IndexParts &parts, LoopDigits &loop) {
  int64_t weight = digit.weight;
  int64_t end = digit.weight * digit.digit.extent;
  int64_t stride = digit.digit.stride;
  for (const IndexPart &part : llvm::reverse(parts)) {
    if (part.end() <= weight || part.weight >= end)
      continue;
    if (!part.loopDim || part.weight > weight || weight % part.weight != 0)
      return Match::NoVariable;
    int64_t high = std::min(end, part.end());
    if (high % weight != 0)
      return Match::Elsewhere;
    int64_t low = part.low * (weight / part.weight);
    std::optional<DigitList> taken = loop.take(*part.loopDim, low, low * (high / weight));
    if (!taken || mergeDigits(*taken) != DigitList{{high / weight, true, stride}})
      return Match::Elsewhere;
    stride *= high / weight;
    weight = high;
  }
  return weight >= end ? Match::Alike : Match::NoVariable;
}

} // namespace

std::string whyNotHeld(const FragmentAccess &access, const Layout &fragment, const Layout &loop) {
  LoopDigits unmatched(loop);
  for (auto [index, digits, parts] : llvm::enumerate(fragment.dims, access.axes))
    for (const WeightedDigit &digit : weightsOf(mergeDigits(digits))) {
      Match match = digit.digit.onThread ? matchDigit(digit, parts, unmatched) : Match::Alike;
      if (match == Match::NoVariable)
        return llvm::formatv("dimension {0} is spread over threads and its index is not a variable "
                             "of the parallel loop",
                             index);
      if (match == Match::Elsewhere)
        return llvm::formatv("elements along dimension {0} lie on other threads than the "
                             "iterations",
                             index);
    }
  // What remains of the thread number must run over copies.
  DigitList left = unmatched.threadsLeft();
  llvm::SmallVector<int64_t> needed = threadOffsets({loop.replicas, left});
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
