// Which integers a condition keeps within 32 bits.
//
//     start + row >= 0 and start + row < 4096    with start of 64 bits:    start + row
#pragma once

#include "core/codegen/index_bounds.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

// Parts of the condition, null for "true", that lie there where it holds, but may lie outside by
// `bounds` alone.
llvm::SmallVector<const Expr *> narrowParts(const Expr *condition, const IndexBounds &bounds);

} // namespace tilescope
