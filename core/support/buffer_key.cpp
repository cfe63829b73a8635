#include "core/support/buffer_key.h"

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
  uint32_t hash = mix(2166136261U, key.sourceName);
  hash = mix(hash, "#" + std::to_string(key.ordinal) + "@" + key.role);
  // Yellow to amber, and cyan over blue to pink, in steps that the eye tells apart.
  static constexpr int Hues[] = {32, 52, 176, 192, 208, 224, 240, 256, 272, 288, 304, 320};
  return Hues[spread(hash) % (sizeof(Hues) / sizeof(Hues[0]))];
}

} // namespace tilescope
