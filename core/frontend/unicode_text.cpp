#include "core/frontend/unicode_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

// Continuation bytes are 10xxxxxx.
static bool startsCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

bool isAscii(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) { return llvm::isASCII(c); });
}

size_t codePointCount(llvm::StringRef text) {
  return static_cast<size_t>(llvm::count_if(text, startsCodePoint));
}

std::vector<llvm::StringRef> codePoints(llvm::StringRef text) {
  std::vector<llvm::StringRef> pieces;
  for (size_t start = 0; start < text.size();) {
    size_t end = start + 1;
    while (end < text.size() && !startsCodePoint(text[end]))
      ++end;
    pieces.push_back(text.slice(start, end));
    start = end;
  }
  return pieces;
}

llvm::StringRef takeCodePoints(llvm::StringRef text, size_t count) {
  for (size_t at = 0; at < text.size(); ++at)
    if (startsCodePoint(text[at]) && count-- == 0)
      return text.take_front(at);
  return text;
}

} // namespace tilescope::frontend
