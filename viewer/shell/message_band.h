// The line below the panels: where the passes stop, which edit is refused, what could not be read.
#pragma once

#include "core/session/document.h"
#include "viewer/panels/commands.h"
#include "viewer/panels/theme.h"

namespace tilescope {

// "stopped before insert-barriers: e edits, x runs the rest"; "": nothing is stopped.
std::string stopText(const Document &document);
// "an edit after merge-shared-memory is refused; ..."; "": none is.
std::string conflictText(const Document &document);
// "2 edits", "2 edits, one refused"; "": there are none.
std::string editsText(const Edits &edits);

// Takes its height off the rectangle: always for a live kernel, so that no message moves what the
// user drags; else where there is something to say. Returns what its
// buttons gave.
CommandSet drawMessageBand(const Document &document, const Theme &theme, ImVec2 origin,
                           ImVec2 &size);

} // namespace tilescope
