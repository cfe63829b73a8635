#include "core/support/size_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tilescope {

std::optional<int64_t> parseBytes(llvm::StringRef text) {
  constexpr double MostBytes = static_cast<double>(int64_t(1) << 60);
  text = text.trim();
  double unit = 1;
  if (text.consume_back("KiB"))
    unit = 0x1p10;
  else if (text.consume_back("MiB"))
    unit = 0x1p20;
  else if (text.consume_back("GiB"))
    unit = 0x1p30;
  else
    text.consume_back("B");
  text = text.rtrim();
  bool isPlain = llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '.'; });
  double number = 0;
  if (text.empty() || !isPlain || !llvm::isDigit(text.front()) || text.getAsDouble(number) ||
      number * unit > MostBytes)
    return std::nullopt;
  return std::llround(number * unit);
}

} // namespace tilescope
