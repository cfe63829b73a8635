#include "core/analysis/layouts/loop_digits.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The part of a digit from weight `low` to `high`; nullopt if it cannot be cut there.
std::optional<WeightedDigit> cut(const WeightedDigit &from, int64_t low, int64_t high) {
  int64_t end = from.weight * from.digit.extent;
  if (low % from.weight != 0 || high % low != 0 || end % high != 0)
    return std::nullopt;
  return WeightedDigit{{high / low, from.digit.onThread, from.digit.stride * (low / from.weight)},
                       low};
}

// Outermost first; nullopt if a digit cannot be cut.
std::optional<llvm::SmallVector<WeightedDigit>> slice(llvm::ArrayRef<WeightedDigit> digits,
                                                      int64_t low, int64_t high) {
  llvm::SmallVector<WeightedDigit> found;
  for (const WeightedDigit &digit : digits) {
    int64_t begin = std::max(low, digit.weight);
    int64_t end = std::min(high, digit.weight * digit.digit.extent);
    if (begin >= end)
      continue;
    std::optional<WeightedDigit> part = cut(digit, begin, end);
    if (!part)
      return std::nullopt;
    found.push_back(*part);
  }
  return found;
}

DigitList withoutWeights(llvm::ArrayRef<WeightedDigit> digits) {
  DigitList list;
  for (const WeightedDigit &digit : digits)
    list.push_back(digit.digit);
  return list;
}

// Parts of one variable, innermost first.
llvm::SmallVector<std::pair<IndexPart, size_t>> partsOf(const FragmentAccess &access,
                                                        size_t loopDim) {
  llvm::SmallVector<std::pair<IndexPart, size_t>> found;
  for (auto [axis, parts] : llvm::enumerate(access.axes))
    for (const IndexPart &part : parts)
      if (part.loopDim == loopDim)
        found.push_back({part, axis});
  llvm::stable_sort(found, [](const auto &a, const auto &b) { return a.first.low < b.first.low; });
  return found;
}

int64_t endOf(const IndexPart &part) {
  return part.extent >= IndexPart::Open ? IndexPart::Open : part.low * part.extent;
}

} // namespace

LoopDigits::LoopDigits(const Layout &loop) {
  for (llvm::ArrayRef<Digit> digits : loop.dims) {
    left_.push_back(weightsOf(digits));
    ends_.push_back(extentOf(digits));
  }
}

std::optional<DigitList> LoopDigits::take(size_t loopDim, int64_t low, int64_t high) {
  llvm::SmallVector<WeightedDigit> &left = left_[loopDim];
  std::optional<llvm::SmallVector<WeightedDigit>> taken = slice(left, low, high);
  std::optional<llvm::SmallVector<WeightedDigit>> above = slice(left, high, IndexPart::Open);
  std::optional<llvm::SmallVector<WeightedDigit>> below = slice(left, 1, low);
  if (!taken || !above || !below)
    return std::nullopt;
  // Without gaps, from `low` on: a digit that is missing was taken before.
  int64_t covered = low;
  for (const WeightedDigit &digit : llvm::reverse(*taken)) {
    if (digit.weight != covered)
      return std::nullopt;
    covered *= digit.digit.extent;
  }
  if (covered != (high >= IndexPart::Open ? std::max(low, ends_[loopDim]) : high))
    return std::nullopt;
  left = std::move(*above);
  left.append(*below);
  return withoutWeights(*taken);
}

DigitList LoopDigits::threadsLeft() const {
  DigitList threads;
  for (llvm::ArrayRef<WeightedDigit> digits : left_)
    for (const WeightedDigit &digit : digits)
      if (digit.digit.onThread)
        threads.push_back(digit.digit);
  return threads;
}

std::optional<DigitList> digitsOfVariable(const FragmentAccess &access, const Layout &fragment,
                                          size_t loopDim, int64_t extent) {
  llvm::SmallVector<DigitList> pieces;
  int64_t covered = 1;
  llvm::SmallVector<std::pair<IndexPart, size_t>> parts = partsOf(access, loopDim);
  if (parts.empty())
    return std::nullopt;
  // Registers inside of all those of the fragment.
  for (const auto &[part, axis] : parts) {
    if (part.low < covered || part.low % covered != 0)
      return std::nullopt;
    if (part.low > covered)
      pieces.push_back({{part.low / covered, false, 0}});
    std::optional<llvm::SmallVector<WeightedDigit>> digits =
        slice(weightsOf(fragment.dims[axis]), part.weight, part.end());
    if (!digits)
      return std::nullopt;
    pieces.push_back(withoutWeights(*digits));
    covered = endOf(part);
  }
  if (covered < extent)
    pieces.push_back({{(extent + covered - 1) / covered, false, 0}});
  DigitList all;
  for (const DigitList &piece : llvm::reverse(pieces))
    all.append(piece);
  return extentOf(all) < extent ? std::nullopt : std::optional(std::move(all));
}

bool tellsApart(const FragmentAccess &access, size_t loopDim, int64_t extent) {
  int64_t covered = 1;
  for (const auto &[part, axis] : partsOf(access, loopDim)) {
    if (part.low > covered)
      return false;
    covered = std::max(covered, endOf(part));
  }
  return covered >= extent;
}

} // namespace tilescope
