// Names in the boxes of an arena.
#pragma once

#include "viewer/panels/widgets/arena_layout.h"

namespace tilescope {

struct ArenaBoxName {
  uint32_t row = 0; // of the buffer
  Box box;
  bool isDimmed = false;
};

void drawArenaNames(const ArenaLayout &layout, const Picture &picture,
                    const std::vector<ArenaBoxName> &names);

} // namespace tilescope
