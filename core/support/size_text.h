// Sizes as users write them.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tilescope {

// "160KiB", "1.5 KiB", "2MiB", "1GiB", "512B", "512", in bytes: the nearest whole number. nullopt:
// it is none, or negative, or more than any memory has.
std::optional<int64_t> parseBytes(llvm::StringRef text);

// What an error says that it wants.
inline constexpr const char *SizeForm = "bytes: 1024, 1.5KiB, 2MiB, 1GiB";

} // namespace tilescope
