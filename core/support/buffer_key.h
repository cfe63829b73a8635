#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

// Identity of a buffer across compiles.
struct BufferKey {
  std::string function;
  std::string sourceName;
  int64_t ordinal = 0;
  std::string role;

  friend auto operator<=>(const BufferKey &, const BufferKey &) = default;
};

} // namespace tilescope
