// What a user may have meant by a name that is not known.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

// The one of `names` with the fewest letters to change, at most a third of them or
// two; "": none is near.
std::string nearestName(llvm::StringRef name, const std::vector<std::string> &names);

// "; did you mean 'show'?", or "" if no name is near.
std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &names);

} // namespace tilescope
