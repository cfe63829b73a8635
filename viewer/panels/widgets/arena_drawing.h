// Draws what an arena_layout.h places.
#pragma once

#include "viewer/panels/widgets/arena_layout.h"
#include "viewer/panels/widgets/arena_names.h"
#include "viewer/panels/widgets/buffer_pick.h"

namespace tilescope {

// The buffers with their versions, padding and conflicts. Their names are drawn later, over the
// lines of the ruler.
std::vector<ArenaBoxName> drawArenaBoxes(const ArenaLayout &layout, const Picture &picture,
                                         const Box &plot, const ShownPick &shown);
// To what of the selection cannot be seen.
void drawArenaPointers(const ArenaLayout &layout, const Picture &picture, const Box &plot,
                       const ShownPick &shown);
// Beside the plot: shared memory without an offset.
void drawArenaStrip(const ArenaLayout &layout, const Picture &picture, const Box &strip,
                    const ShownPick &shown);

} // namespace tilescope
