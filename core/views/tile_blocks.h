// What the tensor hardware of Hopper moves of a tile at a time, by what a recorded program says
// that wgmma and TMA touch.
//
//     wgmma reads core matrices     8 rows of 16 bytes each, whatever the swizzle
//     TMA copies boxes              no wider than the swizzle, nor than 256 elements along a
//     dimension
#pragma once

#include "core/views/tile_layout.h"
#include "core/views/view.h"

namespace tilescope {

struct TileBlocks {
  StmtId stmt;
  KernelLine sourceLine;
  std::string text; // first IR line
  bool isWrite = false;
  bool isBox = false; // of TMA; else a core matrix
  // Of a block; of a box at most, where it is not known in how many the access is made.
  int64_t rows = 0;
  int64_t columns = 0;
  bool isExact = false;
  int64_t bytes = 0; // that a run of the access moves; 0: not recorded
};

// In the order of the program; none of a buffer that is not in shared memory.
std::vector<TileBlocks> tileBlocksOf(const PassState &state, const BufferRecord &record,
                                     const TileLayout &tile);
// "TMA writes a box of 64 x 32 elements, 4,096 bytes", "wgmma reads core matrices of 8 x 8
// elements"
std::string toText(const TileBlocks &blocks);

template <typename Archive> void fields(Archive &archive, TileBlocks &blocks) {
  archive("stmt", blocks.stmt);
  lineFields(archive, blocks.sourceLine);
  archive("text", blocks.text);
  archive("isWrite", blocks.isWrite);
  archive("isBox", blocks.isBox);
  archive.always("rows", blocks.rows);
  archive.always("columns", blocks.columns);
  archive("isExact", blocks.isExact);
  archive("bytes", blocks.bytes);
}

} // namespace tilescope
