// Expressions of Python: each kind of syntax, and what it evaluates to.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value eval(Evaluation &evaluation, const ast::Expr *expr);
// With the names of `env`.
Value evalIn(Evaluation &evaluation, Closure place, const ast::Expr *expr);
// What stands in brackets behind an object. Slices are values only here.
Value evalIndex(Evaluation &evaluation, const ast::Expr &index);
// Elements between commas, with `*x` spread.
bool evalElements(Evaluation &evaluation, ast::ExprList elements, Values &out);

} // namespace tilescope::frontend
