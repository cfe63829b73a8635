// What can be typed into the palette: commands, panels, passes, buffers and their slots, kernels of
// the file, values of arguments, edits that panel `peak` offers; lines are in palette_lines.h.
#pragma once

#include "core/session/request_history.h"
#include "core/views/selection.h"
#include "viewer/panels/commands.h"

namespace tilescope {

struct PaletteEntry {
  enum class Kind : uint8_t { Command, Panel, Pass, Buffer, Kernel, Arguments, Edit, Line };

  Kind kind = Kind::Command;
  // Of allCommands(), of allPanels(), of the passes of the trace, of its buffers, of the kernels of
  // the document, of the edits among the trials; of a line its panel.
  size_t index = 0;
  std::string group; // "Go", "Panel"
  std::string title;
  std::string words;  // that it is found by, besides
  std::string detail; // keys, or what comes of it
  bool isPossible = true;
  int64_t version = -1; // of the buffer; -1: all of them
  Requested::Values arguments = {};
  Pick pick = {}; // of a line
};

// All of them, in that order; buffers are those of the selected pass.
std::vector<PaletteEntry> allPaletteEntries(const Document &document, const Selection &selection,
                                            const RequestHistory &history = {});

// Those that hold every word of `typed`, in any case: first what is called so, then those that hold
// it as it is. All commands for "".
std::vector<PaletteEntry> matchingEntries(std::vector<PaletteEntry> entries, llvm::StringRef typed);

// Of allPaletteEntries, what matches; before it NAME=VALUE, where that is typed and an argument of
// the live kernel has the name.
std::vector<PaletteEntry> offeredEntries(const Document &document, const Selection &selection,
                                         llvm::StringRef typed, const RequestHistory &history = {});

} // namespace tilescope
