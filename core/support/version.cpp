#include "core/support/version.h"

namespace tilescope {

const char *const ToolVersion = TILESCOPE_VERSION;

} // namespace tilescope
