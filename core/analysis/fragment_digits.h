// Algebra of fragment layouts, which are lists of digits (core/ir/layout.h).
#pragma once

#include "core/ir/layout.h"

namespace tilescope {

using DigitList = llvm::SmallVector<Digit>;

// The same map with as few digits as possible: digits of extent 1 are dropped, and neighbours that
// continue each other become one (2@t4 4@t1 is 8@t1).
DigitList mergeDigits(llvm::ArrayRef<Digit> digits);

// The layout with merged digits and dense register numbers, in the order of the given ones:
// `8@t4 2@r8 | 2@r1` becomes `8@t4 2@r2 | 2@r1`. Layouts that place elements alike compare equal.
const Layout *makeDenseFragment(Context &context, llvm::ArrayRef<DigitList> dims,
                                llvm::ArrayRef<Digit> replicas = {});

// Product of the extents: coordinates that the digits can tell apart.
int64_t extentOf(llvm::ArrayRef<Digit> digits);

// Whether a coordinate with these digits chooses the thread.
bool hasThreadDigit(llvm::ArrayRef<Digit> digits);

// Spreads an iteration space over threads: `vector` elements of the last dimension to one thread,
// then threads from the innermost dimension outwards, the rest to registers.
//
//   64 x 32, vector 8, 128 threads:  2@r8 32@t4 | 4@t1 8@r1
//
// An extent that does not divide is rounded up: surplus coordinates do not exist. Threads that are
// left over hold copies if `replicate`, else nothing.
const Layout *planPartition(Context &context, llvm::ArrayRef<int64_t> extents, int64_t vector,
                            int64_t threads, bool replicate);

// The same, but the dimensions of `serial` are not spread: they lie on registers.
//
//   4 x 64 with the first one serial, 32 threads:  4@r2 | 2@r1 32@t1
const Layout *planPartition(Context &context, llvm::ArrayRef<int64_t> extents,
                            llvm::ArrayRef<bool> serial, int64_t vector, int64_t threads,
                            bool replicate);

// Every thread holds everything.
const Layout *makeReplicated(Context &context, llvm::ArrayRef<int64_t> extents, int64_t threads);

// A digit and the weight of its unit in the coordinate: 4@t1 in `8@t4 4@t1 2@r1` has weight 2.
struct WeightedDigit {
  Digit digit;
  int64_t weight = 1;

  friend bool operator==(const WeightedDigit &, const WeightedDigit &) = default;
};
// Outermost first.
llvm::SmallVector<WeightedDigit> weightsOf(llvm::ArrayRef<Digit> digits);

// Whether a coordinate lies on the same thread by both lists (registers may differ).
bool placesAlikeOnThreads(llvm::ArrayRef<Digit> a, llvm::ArrayRef<Digit> b);

// Thread numbers that the thread digits of the lists generate together, sorted.
llvm::SmallVector<int64_t> threadOffsets(llvm::ArrayRef<llvm::ArrayRef<Digit>> lists);

} // namespace tilescope
