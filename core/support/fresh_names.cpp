#include "core/support/fresh_names.h"

#include <algorithm>

namespace tilescope {

std::string FreshNames::claim(llvm::StringRef stem,
                              llvm::function_ref<bool(llvm::StringRef)> isReserved) {
  // Entries stay where they are when others are added.
  Name &ofStem = names_[stem];
  for (;; ++ofStem.firstMaybeFree) {
    unsigned number = ofStem.firstMaybeFree;
    std::string name = number == 0 ? stem.str() : stem.str() + "_" + std::to_string(number);
    Name &wished = number == 0 ? ofStem : names_[name];
    if (wished.isInUse || isReserved(name))
      continue;
    wished.isInUse = true;
    ++ofStem.firstMaybeFree;
    return name;
  }
}

// "a_2" is number 0 of its own stem and number 2 of "a".
void FreshNames::release(llvm::StringRef name) {
  Name &released = names_[name];
  released.isInUse = false;
  released.firstMaybeFree = 0;
  auto [stem, digits] = name.rsplit('_');
  unsigned number = 0;
  if (digits.getAsInteger(10, number))
    return;
  auto found = names_.find(stem);
  if (found != names_.end())
    found->second.firstMaybeFree = std::min(found->second.firstMaybeFree, number);
}

} // namespace tilescope
