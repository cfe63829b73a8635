#include "core/analysis/fragment_digits.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

bool continues(const Digit &outer, const Digit &inner) {
  return outer.onThread == inner.onThread && outer.stride == inner.extent * inner.stride;
}

// Numbers the register digits densely, in the order of their strides.
void makeRegistersDense(llvm::MutableArrayRef<DigitList> dims) {
  llvm::SmallVector<Digit *> registers;
  for (DigitList &digits : dims)
    for (Digit &digit : digits)
      if (!digit.onThread)
        registers.push_back(&digit);
  llvm::stable_sort(registers, [](Digit *a, Digit *b) { return a->stride < b->stride; });
  int64_t stride = 1;
  for (Digit *digit : registers) {
    digit->stride = stride;
    stride *= digit->extent;
  }
}

// Threads that a dimension of `extent` takes of the `left` ones. Without a common factor to use,
// more are taken than there are elements, unless outer dimensions still have room for threads.
int64_t takeThreads(int64_t extent, int64_t left, int64_t outerExtent) {
  int64_t common = std::gcd(extent, left);
  if (common == extent || common == left || outerExtent * common >= left)
    return common;
  int64_t taken = common;
  while (taken < extent && taken < left) {
    do
      ++taken;
    while (left % taken != 0);
  }
  return taken;
}

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t productOf(llvm::ArrayRef<int64_t> values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1}, std::multiplies<>());
}

} // namespace

DigitList mergeDigits(llvm::ArrayRef<Digit> digits) {
  DigitList merged;
  for (const Digit &digit : digits) {
    if (digit.extent == 1)
      continue;
    if (!merged.empty() && continues(merged.back(), digit))
      merged.back() = {merged.back().extent * digit.extent, digit.onThread, digit.stride};
    else
      merged.push_back(digit);
  }
  return merged;
}

const Layout *makeDenseFragment(Context &context, llvm::ArrayRef<DigitList> dims,
                                llvm::ArrayRef<Digit> replicas) {
  llvm::SmallVector<DigitList> dense;
  for (const DigitList &digits : dims)
    dense.push_back(mergeDigits(digits));
  makeRegistersDense(dense);
  for (DigitList &digits : dense)
    digits = mergeDigits(digits);
  DigitList copies(replicas);
  llvm::sort(copies, [](const Digit &a, const Digit &b) { return a.stride > b.stride; });
  return makeFragment(context, dense, mergeDigits(copies));
}

int64_t extentOf(llvm::ArrayRef<Digit> digits) {
  int64_t extent = 1;
  for (const Digit &digit : digits)
    extent *= digit.extent;
  return extent;
}

bool hasThreadDigit(llvm::ArrayRef<Digit> digits) {
  return llvm::any_of(digits, [](const Digit &digit) { return digit.onThread; });
}

const Layout *planPartition(Context &context, llvm::ArrayRef<int64_t> extents, int64_t vector,
                            int64_t threads, bool replicate) {
  llvm::SmallVector<DigitList> dims(extents.size());
  int64_t left = threads;
  int64_t threadStride = 1;
  int64_t registers = vector;
  for (size_t dim = extents.size(); dim-- > 0;) {
    bool isLast = dim + 1 == extents.size();
    int64_t pieces = isLast ? divideUp(extents[dim], vector) : extents[dim];
    int64_t taken = takeThreads(pieces, left, productOf(extents.take_front(dim)));
    int64_t rest = divideUp(pieces, taken);
    dims[dim] = {{rest, false, registers}, {taken, true, threadStride}};
    if (isLast)
      dims[dim].push_back({vector, false, 1});
    registers *= rest;
    threadStride *= taken;
    left /= taken;
  }
  DigitList copies;
  if (replicate && left > 1)
    copies.push_back({left, true, threadStride});
  return makeDenseFragment(context, dims, copies);
}

const Layout *planPartition(Context &context, llvm::ArrayRef<int64_t> extents,
                            llvm::ArrayRef<bool> serial, int64_t vector, int64_t threads,
                            bool replicate) {
  llvm::SmallVector<int64_t> spread(extents);
  for (auto [extent, isSerial] : llvm::zip_equal(spread, serial))
    extent = isSerial ? 1 : extent;
  bool isInnerSerial = !serial.empty() && serial.back();
  const Layout *plan =
      planPartition(context, spread, isInnerSerial ? 1 : vector, threads, replicate);
  int64_t inner = isInnerSerial ? extents.back() : 1;
  int64_t outer = inner * plan->registerCount();
  llvm::SmallVector<DigitList> dims;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    dims.push_back(DigitList(plan->dims[dim]));
    for (Digit &digit : dims.back())
      digit.stride *= digit.onThread ? 1 : inner;
    if (!serial[dim])
      continue;
    bool isInner = dim + 1 == extents.size();
    dims.back() = {{extent, false, isInner ? 1 : outer}};
    outer *= isInner ? 1 : extent;
  }
  return makeDenseFragment(context, dims, plan->replicas);
}

const Layout *makeReplicated(Context &context, llvm::ArrayRef<int64_t> extents, int64_t threads) {
  llvm::SmallVector<DigitList> dims(extents.size());
  int64_t stride = 1;
  for (size_t dim = extents.size(); dim-- > 0;) {
    dims[dim] = {{extents[dim], false, stride}};
    stride *= extents[dim];
  }
  return makeDenseFragment(context, dims, Digit{threads, true, 1});
}

llvm::SmallVector<WeightedDigit> weightsOf(llvm::ArrayRef<Digit> digits) {
  llvm::SmallVector<WeightedDigit> weighted;
  int64_t weight = 1;
  for (const Digit &digit : llvm::reverse(digits)) {
    weighted.push_back({digit, weight});
    weight *= digit.extent;
  }
  std::reverse(weighted.begin(), weighted.end());
  return weighted;
}

bool placesAlikeOnThreads(llvm::ArrayRef<Digit> a, llvm::ArrayRef<Digit> b) {
  auto threadPart = [](llvm::ArrayRef<Digit> digits) {
    llvm::SmallVector<WeightedDigit> weighted = weightsOf(mergeDigits(digits));
    llvm::erase_if(weighted, [](const WeightedDigit &w) { return !w.digit.onThread; });
    return weighted;
  };
  return threadPart(a) == threadPart(b);
}

llvm::SmallVector<int64_t> threadOffsets(llvm::ArrayRef<llvm::ArrayRef<Digit>> lists) {
  llvm::SmallVector<int64_t> offsets = {0};
  for (llvm::ArrayRef<Digit> digits : lists) {
    for (const Digit &digit : digits) {
      size_t count = offsets.size();
      for (int64_t value = 1; digit.onThread && value < digit.extent; ++value)
        for (size_t i = 0; i < count; ++i)
          offsets.push_back(offsets[i] + value * digit.stride);
    }
  }
  llvm::sort(offsets);
  offsets.erase(llvm::unique(offsets), offsets.end());
  return offsets;
}

} // namespace tilescope
