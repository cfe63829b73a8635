// What can be typed into the palette: commands, panels, passes, buffers.
#pragma once

#include "core/session/document.h"
#include "core/views/selection.h"
#include "viewer/panels/commands.h"

namespace tilescope {

struct PaletteEntry {
  enum class Kind : uint8_t { Command, Panel, Pass, Buffer };

  Kind kind = Kind::Command;
  size_t index = 0;  // of allCommands(), of allPanels(), of the passes of the trace, of its buffers
  std::string group; // "Go", "Panel"
  std::string title;
  std::string words;  // that it is found by, besides
  std::string detail; // keys
  bool isPossible = true;
};

// All of them, in that order; buffers are those of the selected pass.
std::vector<PaletteEntry> allPaletteEntries(const Document &document, const Selection &selection);

// Those that hold every word of `typed`, in any case; all commands for "".
std::vector<PaletteEntry> matchingEntries(std::vector<PaletteEntry> entries, llvm::StringRef typed);

} // namespace tilescope
