// `match`: patterns against values.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Flow execMatch(Evaluation &evaluation, const ast::MatchStmt &stmt);

} // namespace tilescope::frontend
