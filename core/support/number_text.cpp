#include "core/support/number_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>

namespace tilescope {

std::string groupedNumber(int64_t value) {
  std::string digits = std::to_string(value);
  size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;)
    digits.insert(i -= 3, ",");
  return digits;
}

std::string signedNumber(int64_t value) { return (value > 0 ? "+" : "") + groupedNumber(value); }

std::string kibText(int64_t bytes) {
  int64_t size = std::abs(bytes);
  if (size < 1024)
    return std::to_string(bytes) + " B";
  return kibNumber(bytes) + " KiB";
}

std::string kibNumber(int64_t bytes) {
  int64_t size = std::abs(bytes);
  std::string sign = bytes < 0 ? "-" : "";
  if (size % 1024 == 0)
    return sign + groupedNumber(size / 1024);
  double kib = static_cast<double>(size) / 1024;
  bool isTiny = size < 52; // one digit would say 0.0
  return sign + (isTiny ? llvm::formatv("{0:f3}", kib) : llvm::formatv("{0:f1}", kib)).str();
}

} // namespace tilescope
