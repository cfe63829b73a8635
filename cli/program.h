// What our programs do before anything else.
#pragma once

namespace tilescope {

// A lost output is reported and is exit code 2, a closed pipe ends the program silently, and
// colours are for terminals. To be called first in `main`.
void prepareProgram();

} // namespace tilescope
