// The usual way to change a function: an analysis fills an EditMap, applyEdits does the rest.
#pragma once

#include "core/ir/visit.h"

#include <map>

namespace tilescope {

struct Edit {
  llvm::SmallVector<const Stmt *> before;
  llvm::SmallVector<const Stmt *> after;
  const Stmt *replacement = nullptr;
  bool remove = false;
};

using EditMap = std::map<StmtId, Edit>;

// Statements keep their ids. A replacement is taken as it is: edits of statements inside a replaced
// statement apply only if the replacement still contains them.
const Stmt *applyEdits(Context &context, const Stmt *root, const EditMap &edits);

} // namespace tilescope
