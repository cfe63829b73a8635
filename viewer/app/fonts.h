// The fonts that the program carries.
#pragma once

#include "viewer/panels/theme.h"

namespace tilescope {

// Loads them at `pixels` times theme.scale; replaces those that were loaded before.
void loadFonts(Theme &theme, float pixels);

} // namespace tilescope
