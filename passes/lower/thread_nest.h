// Runs an iteration space on the threads of a block: the loops over the registers of a layout.
//
//     64 x 32 by 2@r8 32@t4 | 4@t1 8@r1, dimensions `row` and `col`:
//
//     lane_row = tx // 4            at the head of the launch, for all statements
//     lane_col = tx % 4 * 8
//     for row_step in T.unroll(2):
//       for col_step in T.unroll(8):
//         row = lane_row + row_step * 32
//         col = lane_col + col_step
//         <body>
//
// Registers with large numbers run in outer loops. Coordinates that do not exist are skipped by an
// `if`, and so are threads that hold nothing.
#pragma once

#include "passes/lower/lower_context.h"

namespace tilescope {

// One dimension: the variable that the body uses, its extent, and what one step of the layout's
// coordinate is worth (vectors: their elements; the extent is in elements too).
struct NestDim {
  const Var *var = nullptr;
  int64_t extent = 1;
  int64_t unit = 1;
  bool isOfKernel = false; // a name that its author gave: it is kept
};

// A register digit of the layout and the loop over it.
struct RegisterLoop {
  size_t dim = 0;
  WeightedDigit digit;
  const Expr *value = nullptr;
};

class ThreadNest {
public:
  ThreadNest(LowerContext &lower, const Layout &layout, llvm::ArrayRef<NestDim> dims);

  // The register of a fragment element with these indices, for a thread that holds it.
  const Expr *registerOf(const Layout &fragment, ExprList indices) const;
  // True on one of the threads that hold copies; null if there are none.
  const Expr *isFirstCopy() const;
  // The whole nest around `body`.
  const Stmt *wrap(const Stmt *body) const;

private:
  const Expr *registerOfDim(llvm::ArrayRef<Digit> digits, const Expr *index) const;
  const Expr *digitOfLoops(size_t dim, const WeightedDigit &digit) const;
  const Expr *threadPart(size_t dim) const;
  const Expr *stepPart(size_t dim) const;
  // Variables that have one loop and no part of the thread need no binding of their own.
  bool isLoopVar(size_t dim) const;
  size_t loopCount(size_t dim) const;
  void makeLoops();

  LowerContext &lower_;
  const Layout &layout_;
  llvm::SmallVector<NestDim> dims_;
  llvm::SmallVector<RegisterLoop> loops_; // outermost first
};

} // namespace tilescope
