// What is under the pointer in an arena, with a tooltip; empty: nothing.
#pragma once

#include "viewer/panels/widgets/arena_layout.h"

namespace tilescope {

Pick arenaBufferAt(const ArenaLayout &layout, const PanelContext &context, const Box &plot,
                   ImVec2 mouse);
Pick arenaOutsideAt(const ArenaLayout &layout, const PanelContext &context, const Picture &picture,
                    const Box &strip, ImVec2 mouse);

// Where the first buffers are seen, as "arena NAME".
void noteArenaPlaces(const ArenaLayout &layout, const Box &plot, Places &places);

} // namespace tilescope
