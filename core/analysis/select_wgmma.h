// Whether and how a tile gemm is carried out by wgmma: infer-layouts asks for layouts,
// lower-tile-ops for instructions. Which unit a gemm takes stands in its attribute Attr::Unit.
#pragma once

#include "core/analysis/wgmma_layouts.h"
#include "core/ir/module.h"
#include "core/target/target.h"

#include <string>

namespace tilescope {

struct WgmmaChoice {
  std::string reason; // why not; empty: it can be
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  WarpGroupGrid grid;
  int64_t columns = 0; // of one instruction
  int64_t depth = 0;   // of one instruction, along k
  bool kIsRowOfA = false;
  bool kIsRowOfB = false;
  bool isFromRegisters = false; // a is in a fragment

  // Of one warp group.
  int64_t rowBlocks() const { return m / (WgmmaRows * grid.rows); }
  int64_t columnBlocks() const { return n / (columns * grid.columns); }
};

WgmmaChoice selectWgmma(const OpStmt &gemm, const Function &function, const Target &target,
                        int64_t threads);

// Of the swizzle that an operand lies in, bytes.
int64_t spanOfRow(const Buffer &buffer);

// The aligned swizzle that an operand of wgmma in shared memory lies in, a tile whose rows have a
// constant extent.
const Layout *wgmmaOperandLayout(Context &context, const Buffer &buffer);

} // namespace tilescope
