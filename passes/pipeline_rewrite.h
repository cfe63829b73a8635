// Rewrites that inject-pipeline makes of one statement: slots, and another iteration.
#pragma once

#include "core/analysis/dependences.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

// The slot of an access that a statement (a parallel nest as a whole) makes; null: it has none.
using SlotOf = llvm::function_ref<const Expr *(StmtId, BufferId)>;

// Gives every access in `stmt` its slot. Indices, predicates and ids stay.
const Stmt *applySlots(Context &context, const Stmt *stmt, SlotOf slotOf);
// The same for the expressions and operands of the statement itself, not for its children.
const Stmt *applyOwnSlots(Context &context, const Stmt *stmt, SlotOf slotOf);

// A copy, or a parallel loop that gathers, perhaps under a condition, as part of an open group.
const Stmt *asAsync(Context &context, const Stmt *load);

// Statements of a loop body as another iteration runs them, after clones of the replayable binds
// that they use. `keepIds`: the statements stay themselves; else they are clones.
llvm::SmallVector<const Stmt *> atIteration(Context &context, const LoopBody &body,
                                            llvm::ArrayRef<const Stmt *> stmts,
                                            const Expr *iteration, bool keepIds);

} // namespace tilescope
