#include "core/support/number_text.h"

namespace tilescope {

std::string groupedNumber(int64_t value) {
  std::string digits = std::to_string(value);
  size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;)
    digits.insert(i -= 3, ",");
  return digits;
}

std::string signedNumber(int64_t value) { return (value > 0 ? "+" : "") + groupedNumber(value); }

} // namespace tilescope
