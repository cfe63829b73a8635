#include "core/exec/claims.h"

namespace tilescope {

void Claims::clear() {
  owners_.clear();
  isContested_ = false;
}

bool Claims::take(BufferId tensor, size_t element, uint32_t owner) {
  auto owners = owners_.find(tensor);
  if (owners == owners_.end())
    return true;
  std::atomic<uint32_t> &own = owners->second[element];
  uint32_t known = own.load(std::memory_order_relaxed);
  if (known == owner + 1 ||
      (known == 0 && own.compare_exchange_strong(known, owner + 1, std::memory_order_relaxed)))
    return true;
  isContested_.store(true, std::memory_order_relaxed);
  return false;
}

} // namespace tilescope
