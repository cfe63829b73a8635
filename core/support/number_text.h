#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

// "163,840": thousands separated for reading.
std::string groupedNumber(int64_t value);
// A difference: "+98,304", "-1,024", "0".
std::string signedNumber(int64_t value);

// "48 KiB", "1.5 KiB", "512 B": labels; exact bytes belong into a tooltip.
std::string kibText(int64_t bytes);
// The same without the unit, always KiB: "48", "1.5", "0.5".
std::string kibNumber(int64_t bytes);

} // namespace tilescope
