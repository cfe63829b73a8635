// Text as Python sees it: a row of code points. Strings here are valid UTF-8.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilescope::frontend {

bool isAscii(llvm::StringRef text);
size_t codePointCount(llvm::StringRef text);
// One piece for each code point.
std::vector<llvm::StringRef> codePoints(llvm::StringRef text);
// The first `count` code points, or all.
llvm::StringRef takeCodePoints(llvm::StringRef text, size_t count);

} // namespace tilescope::frontend
