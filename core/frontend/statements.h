// Statements of Python. In kernel code a failed statement is reported, what it would have bound is
// poisoned, and execution goes on, so that one run finds many errors.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Flow exec(Evaluation &evaluation, const ast::Stmt *stmt);
Flow execBlock(Evaluation &evaluation, ast::StmtList stmts);

} // namespace tilescope::frontend
