// Words of a command line, as bash and zsh read them.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

// In single quotes.
std::string shellQuoted(llvm::StringRef text);
// In quotes only where it needs them.
std::string shellWord(llvm::StringRef text);

} // namespace tilescope
