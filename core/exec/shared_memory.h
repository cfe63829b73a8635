// The shared memory of one block as bytes, at the addresses that the emitted CUDA uses: offset of
// the buffer, slot, layout. A plan, a slot or a layout that is wrong gives values that are wrong.
// Buffers that have no place yet get storage of their own.
#pragma once

#include "core/exec/shadow.h"
#include "core/exec/tensor.h"
#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

class SharedMemory {
public:
  // `valueOf`: of extents that are known at launch.
  SharedMemory(const Function &function, llvm::function_ref<int64_t(const Expr *)> valueOf);

  // Bits from the first byte on; nothing: outside of the buffer.
  std::optional<size_t> bitOf(BufferId buffer, int64_t slot,
                              llvm::ArrayRef<int64_t> coordinates) const;

  uint64_t bits(size_t first, unsigned count) const;
  void setBits(size_t first, unsigned count, uint64_t bits);
  // The bytes that hold these bits.
  static UnitRange bytesOf(size_t first, unsigned count) {
    return {first / 8, (first + count + 7) / 8};
  }

  Shadow &shadow() { return *shadow_; }
  size_t size() const { return bytes_.size(); }

private:
  struct Tile {
    const Buffer *buffer = nullptr;
    size_t begin = 0; // bytes
    int64_t slotBytes = 0;
    llvm::SmallVector<int64_t> shape;
  };
  int64_t bytesOf(const Tile &tile) const {
    return tile.slotBytes * std::max<int64_t>(tile.buffer->versions, 1);
  }
  void place();

  llvm::DenseMap<uint32_t, Tile> tiles_; // by id
  std::vector<uint8_t> bytes_;
  std::optional<Shadow> shadow_;
};

} // namespace tilescope
