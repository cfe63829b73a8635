#include "core/exec/shared_memory.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <map>

namespace tilescope {

namespace {

// Where buffers with a place of their own begin: what the widest accesses ask for.
constexpr uint64_t OwnAlignment = 128;

const Layout &layoutOf(const Buffer &buffer) {
  static const Layout RowMajor;
  return buffer.layout ? *buffer.layout : RowMajor;
}

// Of one version: padding follows each row of the last dimension.
int64_t sizeOf(const Buffer &buffer, llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= std::max<int64_t>(extent, 0);
  if (!shape.empty() && elements > 0 && layoutOf(buffer).kind == LayoutKind::RowMajor)
    elements = elements / shape.back() * (shape.back() + layoutOf(buffer).padElements);
  return buffer.dtype.bytes(elements);
}

} // namespace

SharedMemory::SharedMemory(const Function &function,
                           llvm::function_ref<int64_t(const Expr *)> valueOf) {
  for (const Buffer *buffer : function.buffers) {
    if (!isShared(buffer->scope))
      continue;
    Tile &tile = tiles_[buffer->id.value];
    tile.buffer = buffer;
    for (const Expr *extent : buffer->shape)
      tile.shape.push_back(valueOf(extent));
    tile.slotBytes = sizeOf(*buffer, tile.shape);
  }
  place();
}

// Planned buffers first; regions whose size is known at launch lie above them, one on the other
// (core/plan/launch_regions.h); last those that have no place.
void SharedMemory::place() {
  size_t end = 0;
  std::map<int64_t, size_t> regions; // bytes of each
  for (auto &[id, tile] : tiles_) {
    if (tile.buffer->offsetBytes) {
      tile.begin = static_cast<size_t>(*tile.buffer->offsetBytes);
      end = std::max(end, tile.begin + static_cast<size_t>(bytesOf(tile)));
    } else if (tile.buffer->launchRegion) {
      size_t &bytes = regions[*tile.buffer->launchRegion];
      bytes = std::max(bytes, static_cast<size_t>(bytesOf(tile)));
    }
  }
  for (auto &[region, bytes] : regions) {
    size_t begin = llvm::alignTo(end, OwnAlignment);
    end = begin + bytes;
    bytes = begin;
  }
  for (auto &[id, tile] : tiles_) {
    if (tile.buffer->launchRegion)
      tile.begin = regions[*tile.buffer->launchRegion];
    if (tile.buffer->offsetBytes || tile.buffer->launchRegion)
      continue;
    tile.begin = llvm::alignTo(end, OwnAlignment);
    end = tile.begin + static_cast<size_t>(bytesOf(tile));
  }
  bytes_.assign(end, UINT8_MAX);
  shadow_.emplace(end, /*isWritten=*/false);
}

std::optional<size_t> SharedMemory::bitOf(BufferId buffer, int64_t slot,
                                          llvm::ArrayRef<int64_t> coordinates) const {
  const Tile &tile = tiles_.find(buffer.value)->second;
  if (slot < 0 || slot >= std::max<int64_t>(tile.buffer->versions, 1))
    return std::nullopt;
  for (size_t dim = 0; dim < coordinates.size(); ++dim)
    if (coordinates[dim] < 0 || coordinates[dim] >= tile.shape[dim])
      return std::nullopt;
  int64_t bits = tile.buffer->dtype.bits;
  int64_t byte =
      static_cast<int64_t>(tile.begin) + slot * tile.slotBytes +
      byteOffset(layoutOf(*tile.buffer), tile.shape, static_cast<int>(bits), coordinates);
  // Elements of less than a byte lie in pairs along the last dimension.
  int64_t within = bits < 8 && !coordinates.empty() ? coordinates.back() * bits % 8 : 0;
  return static_cast<size_t>(byte * 8 + within);
}

uint64_t SharedMemory::bits(size_t first, unsigned count) const {
  UnitRange range = bytesOf(first, count);
  uint64_t word = 0;
  std::memcpy(&word, &bytes_[range.begin], range.end - range.begin);
  return word >> (first % 8) & (UINT64_MAX >> (64 - count));
}

void SharedMemory::setBits(size_t first, unsigned count, uint64_t bits) {
  UnitRange range = bytesOf(first, count);
  uint64_t word = 0;
  std::memcpy(&word, &bytes_[range.begin], range.end - range.begin);
  uint64_t mask = (UINT64_MAX >> (64 - count)) << (first % 8);
  word = (word & ~mask) | (bits << (first % 8) & mask);
  std::memcpy(&bytes_[range.begin], &word, range.end - range.begin);
}

} // namespace tilescope
