// The version of the program, as `project()` in CMakeLists.txt has it.
#pragma once

namespace tilescope {

extern const char *const ToolVersion; // "0.1.0"

} // namespace tilescope
