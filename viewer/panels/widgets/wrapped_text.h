// Text in as many lines as it needs.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <imgui.h>

#include <string>
#include <vector>

namespace tilescope {

// Pixels of a line in the current font.
float pixelWidthOf(llvm::StringRef text);

// Lines of at most `width` pixels in the current font, broken between words; a word that is longer
// than a line is broken where the line ends.
std::vector<std::string> linesOf(llvm::StringRef text, float width);
// Rather after a comma or a semicolon, where that leaves no line nearly empty.
std::vector<std::string> linesOfHeadline(llvm::StringRef text, float width);

// An item of Dear ImGui.
void drawLines(llvm::ArrayRef<std::string> lines, ImU32 color);
// In lines of what is left of the width of the window.
void drawWrapped(llvm::StringRef text, ImU32 color);

} // namespace tilescope
