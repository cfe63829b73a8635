// What an mbarrier can count (PTX ISA, "Contents of the mbarrier object").
#pragma once

#include <cstdint>

namespace tilescope {

// Arrivals that end a phase, and bytes that are to come in one.
inline constexpr int64_t MbarrierMaxCount = (1 << 20) - 1;

} // namespace tilescope
