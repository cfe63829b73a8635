// `x.name`: members of modules, methods, attributes of buffers, expressions and instances.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value attribute(Evaluation &evaluation, Value object, llvm::StringRef name, Span span);
// Whether `attribute` would find it; nothing is reported.
bool hasAttribute(Evaluation &evaluation, Value object, llvm::StringRef name);
// Invalid, without a report, if there is no such member.
Value namespaceMember(Evaluation &evaluation, llvm::StringRef space, llvm::StringRef name,
                      Span span);

} // namespace tilescope::frontend
