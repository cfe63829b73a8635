// Whatever Python iterates over.
#pragma once

#include "core/frontend/evaluation.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope::frontend {

// Calls `visit` with each element until it returns false; true if it never did.
bool forEach(Evaluation &evaluation, Value iterable, Span span,
             llvm::function_ref<bool(Value)> visit);
std::optional<Values> toList(Evaluation &evaluation, Value iterable, Span span);

} // namespace tilescope::frontend
