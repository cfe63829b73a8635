// The statements of a body in order, those of sequences inside of it among them.
#pragma once

#include "core/ir/stmt.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

llvm::SmallVector<const Stmt *> flatStmtsOf(const Stmt *body);

} // namespace tilescope
