#include "core/support/fresh_names.h"

#include <algorithm>

namespace tilescope {

static std::string numbered(llvm::StringRef stem, unsigned number) {
  return number == 0 ? stem.str() : stem.str() + "_" + std::to_string(number);
}

std::string FreshNames::claim(llvm::StringRef stem,
                              llvm::function_ref<bool(llvm::StringRef)> isReserved) {
  unsigned &number = firstMaybeFree_[stem];
  std::string name = numbered(stem, number);
  while (isReserved(name) || inUse_.contains(name))
    name = numbered(stem, ++number);
  inUse_.insert(name);
  ++number;
  return name;
}

// "a_2" is number 0 of its own stem and number 2 of "a".
void FreshNames::release(llvm::StringRef name) {
  inUse_.erase(name);
  auto lower = [&](llvm::StringRef stem, unsigned number) {
    auto hint = firstMaybeFree_.find(stem);
    if (hint != firstMaybeFree_.end())
      hint->second = std::min(hint->second, number);
  };
  lower(name, 0);
  auto [stem, digits] = name.rsplit('_');
  unsigned number = 0;
  if (!digits.getAsInteger(10, number))
    lower(stem, number);
}

} // namespace tilescope
