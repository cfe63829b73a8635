// `for`: over Python values it runs while the kernel is built; over a loop of the device the body
// runs once and becomes the loop's body.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Flow execFor(Evaluation &evaluation, const ast::ForStmt &stmt);
// A loop from `start` to `stop`; null after reporting.
LoopObject *loopOver(Evaluation &evaluation, Value start, Value stop, int64_t step,
                     LoopObject::Form form, Span span);

// The same by a step that only the device knows, and that is taken to be above 0.
LoopObject *loopOverBy(Evaluation &evaluation, Value start, Value stop, const Expr *step,
                       LoopObject::Form form, Span span);

class Args;
// `loop_layout=T.Fragment(...)` of a parallel loop of these extents; null where it is not given,
// nothing after reporting.
std::optional<const Layout *> loopLayoutIn(Args &args, llvm::ArrayRef<const Expr *> extents);

} // namespace tilescope::frontend
