// Recognises what a pipeline writes into conditions and slots:
//
//     k + 2 < trips        the guard of loop k, distance 2      (also `2 < trips` before the loop)
//     (k + 1) % 3          slot (k + 1) mod 3 of loop k
//     1 - k % 2            slot (k + 1) mod 2 of loop k
//     k                    with three versions and k in [0, 3): slot k mod 3
//     k // 3 % 2           the parity of k / 3
#pragma once

#include "core/access/access_program.h"
#include "core/analysis/ir_affine.h"

namespace tilescope {

struct LoopGuard {
  const For *loop = nullptr;
  int64_t distance = 0; // holds exactly when iteration + distance < trips, iterations from 0
};

// `inside`: enclosing loops, outermost first; `ahead`: loops that come later, for which the
// iteration counts as 0.
std::optional<LoopGuard> recogniseGuard(IrAffine &affine, const Expr *condition,
                                        llvm::ArrayRef<const For *> inside,
                                        llvm::ArrayRef<const For *> ahead);

struct IterationRange {
  const For *loop = nullptr;
  int64_t begin = 0, end = 0; // holds exactly in iterations [begin, end)
};

// What constants decide of the iterations of one loop around it, of known length: k != 0, k < 7.
std::optional<IterationRange> recogniseRange(IrAffine &affine, const Expr *condition,
                                             llvm::ArrayRef<const For *> inside);

// In lists of statements that follow, the last list first.
llvm::SmallVector<const For *> loopsIn(llvm::ArrayRef<StmtList> ahead);

// That the loop makes for sure, unless it ends early. Of a pipelined loop as many are tried as its
// prologue asks for: conditions there that are known to hold are gone, and what they said of it.
int64_t leastTrips(Context &context, IrAffine &affine, const For &loop);

// `slot` null: slot 0. What is not recognised may be any slot.
Slot recogniseSlot(IrAffine &affine, const Expr *slot, int64_t versions,
                   llvm::ArrayRef<const For *> inside);

// The mbarrier of that slot, where slot 0 is number `first` of the program.
MbarrierRef mbarrierAt(const Slot &slot, uint32_t first);

// One of `count`, of which that of 0 is number `first`: k % 2 + 4 is one of two from number 4 on.
MbarrierRef recogniseMbarrier(IrAffine &affine, const Expr *which, int64_t count, uint32_t first,
                              llvm::ArrayRef<const For *> inside);

// (k + 4) // 3 % 2: the parity of (k + 4) / 3 of loop k. What is not recognised has no divisor.
PhaseParity recogniseParity(IrAffine &affine, const Expr *parity,
                            llvm::ArrayRef<const For *> inside);

// What of the above is not recognised, but for a part that no loop around it decides alone: the
// value is counter + rest, modulo `modulus`, or for a parity divided by it.
struct OpenCounter {
  LoopCounter counter;
  int64_t modulus = 1;
  const Expr *rest = nullptr;
};

std::optional<OpenCounter> openSlot(IrAffine &affine, const Expr *slot, int64_t versions,
                                    llvm::ArrayRef<const For *> inside);
std::optional<OpenCounter> openParity(IrAffine &affine, const Expr *parity,
                                      llvm::ArrayRef<const For *> inside);

} // namespace tilescope
