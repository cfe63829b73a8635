// What is said of the whole arena of a function: its headline, its heading among others, and the
// bytes that the ruler marks.
#pragma once

#include "core/views/arena_model.h"
#include "viewer/panels/widgets/byte_ruler.h"

namespace tilescope {

// Capacity, peak, and where occupancy changes.
std::vector<ByteRule> arenaRules(const ArenaFunction &function);

// In lines for `width` pixels; `caption` stands before it.
std::vector<std::string> arenaHeadline(const ArenaFunction &function, const Picture &picture,
                                       llvm::StringRef caption, float width);
void drawArenaHeadline(const ArenaFunction &function, const Picture &picture, const Box &box,
                       llvm::StringRef caption);
// Over what is drawn before.
void drawArenaHeading(const ArenaFunction &function, const Picture &picture, const Box &box);

} // namespace tilescope
