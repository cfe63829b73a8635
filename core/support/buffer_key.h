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

// "A_shared", "A_shared#1", "A_shared#1@workspace".
std::string nameInFunction(const BufferKey &key);
// "matmul/A_shared", "matmul/A_shared#1", "matmul/A_shared#1@workspace".
std::string toString(const BufferKey &key);

// The colour of a buffer whose trace is not known: a hue in degrees, [0, 360). Red and green are
// left to conflicts and differences. The function does not count, since its name changes when host
// and device are split. BufferHues (core/trace/buffer_hues.h) tells neighbours apart.
int hueDegrees(const BufferKey &key);

} // namespace tilescope
