// Keeps emitted text within the column limit.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

inline constexpr size_t MaxCudaColumns = 120;

// Breaks a line of C++ or a `//` comment at spaces, outside as many parentheses as possible.
// Continuations are indented by four more; a comment is cut short instead.
std::vector<std::string> breakLine(llvm::StringRef line);

} // namespace tilescope
