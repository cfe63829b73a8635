#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

// "163,840": thousands separated for reading.
std::string groupedNumber(int64_t value);
// A difference: "+98,304", "-1,024", "0".
std::string signedNumber(int64_t value);

} // namespace tilescope
