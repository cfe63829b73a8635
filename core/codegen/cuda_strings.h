// Text as a literal of C++.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

// With its quotes; what is not printable ASCII, quotes and backslashes are octal escapes.
std::string cudaString(llvm::StringRef text);

} // namespace tilescope
