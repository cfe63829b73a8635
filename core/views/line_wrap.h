// A line of code broken into rows of a width, for texts that do not scroll sideways.
#pragma once

#include "core/support/text_span.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilescope {

struct WrappedPart {
  TextSpan span;
  uint32_t indent = 0; // characters before it: those after the first stand under their line
};

// Parts of at most `width` characters with their indent, at least one; together they are the line.
// They end behind a blank or a comma where one is near, and never inside of a character of UTF-8. A
// tab counts as `TabWidth`.
std::vector<WrappedPart> wrapLine(llvm::StringRef line, uint32_t width);

inline constexpr uint32_t TabWidth = 4;

} // namespace tilescope
