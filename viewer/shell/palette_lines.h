// Lines of the IR after the selected pass, of the kernel file and of the CUDA, as the palette finds
// them: by number ("88", "line 88") or by what stands in them.
#pragma once

#include "core/trace/trace.h"
#include "viewer/shell/palette_entries.h"

namespace tilescope {

// Those that stand for something that can be pinned, a few of each text; none for less than three
// characters that are no number. `index` is of the panel among allPanels(). Not cheap: once a
// change of what is typed.
std::vector<PaletteEntry> lineEntries(const Trace &trace, const Selection &selection,
                                      llvm::StringRef typed);

// "88", "line 88".
bool isLineNumber(llvm::StringRef typed);

} // namespace tilescope
