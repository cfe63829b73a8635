#include "core/support/nearest_name.h"

#include <algorithm>

namespace tilescope {

std::string nearestName(llvm::StringRef name, const std::vector<std::string> &names) {
  // Two letters that changed places count as two.
  size_t most = name.size() > 3 ? std::max<size_t>(2, name.size() / 3) : 1;
  size_t best = most + 1;
  std::string nearest;
  for (const std::string &candidate : names) {
    size_t distance = name.edit_distance(candidate);
    if (distance >= best)
      continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &names) {
  std::string nearest = nearestName(name, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

} // namespace tilescope
