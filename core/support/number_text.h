#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

// "163,840": thousands separated for reading.
std::string groupedNumber(int64_t value);

} // namespace tilescope
