// Names that are all different: the first wish for a name gets it as it is, a later one gets it
// with the smallest number that is free.
//
//     claim("k")    k         claim("k")    k_1         release("k")    claim("k")    k
//
// Claiming n times the same name takes time proportional to n: for each stem the numbers below
// `firstMaybeFree` are known to be taken.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace tilescope {

class FreshNames {
public:
  // `isReserved` names what may never be given out.
  std::string claim(llvm::StringRef stem, llvm::function_ref<bool(llvm::StringRef)> isReserved);
  // Precondition: `name` was claimed and not released since.
  void release(llvm::StringRef name);

private:
  struct Name {
    bool isInUse = false;
    unsigned firstMaybeFree = 0; // of the names with this stem; number 0 is the stem itself
  };

  llvm::StringMap<Name> names_;
};

} // namespace tilescope
