#include "core/views/capacity_text.h"

#include "core/support/number_text.h"

namespace tilescope {

std::string capacityText(int64_t bytes, int64_t capacityBytes) {
  std::string text = groupedNumber(bytes);
  return text + (capacityBytes > 0 ? " of " + groupedNumber(capacityBytes) : "") + " bytes";
}

} // namespace tilescope
