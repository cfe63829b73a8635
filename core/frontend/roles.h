// `with T.ws(...)`: what some warp groups of the block do while others do something else.
#pragma once

#include "core/frontend/evaluation.h"
#include "core/frontend/jumps.h"

namespace tilescope::frontend {

// Collects `body` as a role, which becomes a statement.
Flow execRole(Evaluation &evaluation, const RoleObject &role, const StmtInfo &info,
              llvm::function_ref<Flow()> body);

// An `if` whose sides are of whole warp groups, in a launch where they wait for each other: the
// same in roles.
//
//     if tx < 128:               with T.ws(0):
//       T.set_max_nreg(24, 0)      T.tma_copy(...)
//       T.tma_copy(...)        with T.ws(1, 2):
//     else:                        T.barrier_wait(...)
//       T.barrier_wait(...)
//
// False: it is none, and nothing is emitted.
bool emitAsRoles(Evaluation &evaluation, const StmtInfo &info, const Expr *condition,
                 const DeviceSide &whenTrue, const DeviceSide &whenFalse);

} // namespace tilescope::frontend
