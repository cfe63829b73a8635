// `for`: over Python values it runs while the kernel is built; over a loop of the device the body
// runs once and becomes the loop's body.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Flow execFor(Evaluation &evaluation, const ast::ForStmt &stmt);
// A loop from `start` to `stop`; null after reporting.
LoopObject *loopOver(Evaluation &evaluation, Value start, Value stop, int64_t step,
                     LoopObject::Form form, Span span);

} // namespace tilescope::frontend
