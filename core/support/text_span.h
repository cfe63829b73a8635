// A part of a line of text.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tilescope {

// Half-open: bytes [begin, end) of a line.
struct TextSpan {
  uint32_t begin = 0;
  uint32_t end = 0;

  friend bool operator==(const TextSpan &, const TextSpan &) = default;
};

inline llvm::StringRef textOf(llvm::StringRef line, TextSpan span) {
  return line.slice(span.begin, span.end);
}

template <typename Archive> void fields(Archive &archive, TextSpan &span) {
  archive.always("begin", span.begin);
  archive.always("end", span.end);
}

} // namespace tilescope
