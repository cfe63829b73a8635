// `with T.ws(...)`: what some warp groups of the block do while others do something else.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// Collects `body` as a role, which becomes a statement.
Flow execRole(Evaluation &evaluation, const RoleObject &role, const StmtInfo &info,
              llvm::function_ref<Flow()> body);

} // namespace tilescope::frontend
