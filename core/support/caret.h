// Errors of short texts that a user types: a predicate, a list of values.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

// Two lines, each after a line break: the text, and a caret below its byte `at`.
//
//     <cause>
//       peak > and
//              ^
std::string caretBelow(llvm::StringRef text, size_t at);

} // namespace tilescope
