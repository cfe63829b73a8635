#include "core/support/printable.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

// Bytes of the control character, or of the mark that turns the direction of text, that `text`
// starts with; 0 for anything else. Terminals obey them, so what a stranger's file holds must not
// reach one.
static size_t controlLength(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  if (byte(0) < 0x20 || byte(0) == 0x7F)
    return 1;
  // U+0080 to U+009F.
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0)
    return 2;
  // U+061C.
  if (byte(0) == 0xD8 && byte(1) == 0x9C)
    return 2;
  // U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
  bool isMark = byte(0) == 0xE2 && ((byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F ||
                                                         (byte(2) >= 0xAA && byte(2) <= 0xAE))) ||
                                    (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
  return isMark ? 3 : 0;
}

std::string withoutControls(std::string_view text, std::string_view kept) {
  bool keepsLines = kept.find('\n') != kept.npos;
  std::string out;
  while (!text.empty()) {
    bool isKept = kept.find(text[0]) != kept.npos || (keepsLines && text.substr(0, 2) == "\r\n");
    size_t length = isKept ? 0 : controlLength(text);
    for (char c : text.substr(0, length))
      out +=
          llvm::formatv("\\x{0:x-2}", static_cast<unsigned>(static_cast<unsigned char>(c))).str();
    if (length == 0)
      out += text[0];
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

} // namespace tilescope
