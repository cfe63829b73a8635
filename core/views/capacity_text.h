// How much of what there is: a peak beside the capacity.
#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

// "49,152 of 166,912 bytes"; without a capacity (0) "49,152 bytes".
std::string capacityText(int64_t bytes, int64_t capacityBytes);

} // namespace tilescope
