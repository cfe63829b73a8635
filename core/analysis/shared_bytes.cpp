#include "core/analysis/shared_bytes.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope {

std::optional<int64_t> versionStrideBytes(const Buffer &buffer) {
  std::optional<int64_t> bytes = versionBytes(buffer);
  if (!bytes || buffer.versions <= 1)
    return bytes;
  // No access to a smaller tile is wider than the tile.
  int64_t widest =
      std::max(int64_t{1}, static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(*bytes))));
  return static_cast<int64_t>(llvm::alignTo(*bytes, std::min(widest, alignmentBytes(buffer))));
}

int64_t staticSharedBytes(const Function &function) {
  int64_t bytes = 0;
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope == Scope::SharedStatic)
      bytes += versionStrideBytes(*buffer).value_or(0) * buffer->versions;
  return bytes;
}

int64_t slotStrideBytes(const Buffer &buffer) {
  return buffer.versions > 1 ? versionStrideBytes(buffer).value_or(0) : 0;
}

BufferBytes standInBytes(BufferId buffer, int64_t region) {
  constexpr int64_t BeyondOffsets = int64_t(1) << 41;
  constexpr int64_t BeyondVersions = int64_t(1) << 20;
  return {buffer, BeyondOffsets + region * BeyondVersions, 1, 1};
}

std::vector<BufferBytes> bufferBytesOf(const Function &function) {
  std::vector<BufferBytes> bytes;
  for (const Buffer *buffer : function.buffers) {
    std::optional<int64_t> size = versionBytes(*buffer);
    if (buffer->scope == Scope::Shared && buffer->offsetBytes && size)
      bytes.push_back({buffer->id, *buffer->offsetBytes, slotStrideBytes(*buffer), *size});
    if (buffer->launchRegion)
      bytes.push_back(standInBytes(buffer->id, *buffer->launchRegion));
  }
  return bytes;
}

} // namespace tilescope
