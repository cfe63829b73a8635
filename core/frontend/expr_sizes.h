// How large IR expressions are, counted as the trees that walks over them see.
#pragma once

#include "core/ir/expr.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope::frontend {

class ExprSizes {
public:
  struct Size {
    uint32_t depth = 0;
    // Each counted as often as it is reached; far past MaxIrExprNodes it stays as it is.
    uint64_t nodes = 0;
  };

  Size sizeOf(const Expr *expr);

private:
  llvm::DenseMap<const Expr *, Size> measured_;
};

} // namespace tilescope::frontend
