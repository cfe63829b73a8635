// What our programs do before anything else.
#pragma once

#include "cli/common_options.h"

namespace tilescope {

// A lost output is reported and is exit code 2, a closed pipe ends the program silently, and
// colours are for terminals, if nothing else is said. To be called first in `main`.
void prepareProgram(ColourUse colours = ColourUse::Auto);

// Part of that. Analyses of long loops take megabytes and free them, one after the other: given
// back to the system in between, they would come back page by page.
void keepFreedMemory();

} // namespace tilescope
