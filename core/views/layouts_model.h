// Panel `layouts`: where each element of a tile lies, as a grid, what each access to shared memory
// costs its banks, what each access to a tensor moves of global memory, and where the lanes of one
// warp are in one access.
//
//     C_local  float32, fragment(2@t32 2@r2 8@t4 | 4@t1 2@r1)
//             0     1     2          thread and register of each element
//       0  t0r0  t0r1  t1r0  ...
#pragma once

#include "core/access/sector_counts.h"
#include "core/views/tile_blocks.h"
#include "core/views/view.h"

namespace tilescope {

// What one statement does to a buffer in shared memory, which takes passes, or to a tensor, of
// which it moves sectors and lines.
struct LayoutAccess {
  StmtId stmt;
  KernelLine sourceLine;
  std::string text; // first IR line
  bool isWrite = false;
  int64_t laneBytes = 0;
  int64_t passes = 0; // of the warp that takes most; 0: not known
  int64_t leastPasses = 0;
  // What the same lanes would take without swizzle or padding; 0: not known.
  int64_t passesInRows = 0;
  int64_t warps = 0; // whose lanes are known
  // Of the warp that moves most; 0: not known.
  int64_t sectors = 0;
  int64_t leastSectors = 0; // that its bytes need
  int64_t lines = 0;        // of 128 bytes
};

struct LayoutRow {
  std::string label; // the row
  std::vector<std::string> cells;
};

struct LayoutOfBuffer {
  BufferId buffer;
  std::string name;
  std::string type;   // "float16"
  std::string layout; // as the IR says it
  std::string cells;  // what the cells say: "thread and register", "first bank of 16 bytes"
  std::vector<std::string> columns;
  std::vector<LayoutRow> rows;
  bool isPart = false; // there are more rows or columns
  std::vector<LayoutAccess> accesses;
  std::vector<TileBlocks> blocks; // of wgmma and TMA, in recorded programs

  // For pictures.
  int hueDegrees = 0;
  int64_t baseByte = 0;           // the first of the buffer in its arena, where that is known
  std::optional<TileLayout> tile; // nullopt: its places are not known
};

// A lane and the first of its elements; bytes count from the beginning of the tile.
struct LayoutLane {
  int64_t lane = 0;
  int64_t row = 0;
  int64_t column = 0;
  int64_t byte = 0;
  // Of shared memory; -1: none. All banks turn where the lanes are known up to what all add.
  int64_t bank = -1;         // of `byte`
  int64_t group = -1;        // lanes of one are served together
  int64_t sector = -1;       // of global memory: of `byte`; -1: none
  bool isInConflict = false; // another lane of its group wants another word of one of its banks
};

// All lanes of a warp in one layout.
struct LayoutSide {
  std::string layout;
  int64_t passes = 0;
  int64_t leastPasses = 0;
  int64_t degree = 0;  // passes of the group that takes most
  int64_t sectors = 0; // of a tensor, which takes no passes
  int64_t leastSectors = 0;
  int64_t lines = 0; // 0: not known

  bool isCostly() const { return passes > leastPasses || sectors > leastSectors; }
  std::vector<LayoutLane> lanes;
};

// One warp in one access, in the iteration in which it takes most passes.
struct LayoutLanes {
  int64_t access = 0; // index into the accesses of the buffer
  int64_t warp = 0;
  int64_t laneBytes = 0;
  bool isShifted = false; // they lie further, all by the same, which is known at run time only
  LayoutSide asLaid;
  std::optional<LayoutSide> inRows; // nullopt: as it lies anyway
};

struct LayoutsView {
  std::string pass;
  std::vector<LayoutOfBuffer> buffers; // one, if one is chosen
  int64_t access = -1;                 // of the chosen buffer, the chosen one; -1: it has none
  std::optional<LayoutLanes> lanes;    // in that access; nullopt: they are not known
  // Of the chosen buffer, those of the chosen statement, else the first; -1: it has none.
  int64_t blocks = -1;
  std::string summary; // "": there are layouts
  std::string missing; // what was chosen and is not there
};

// Which buffer, and of it which statement or access, and warp.
struct LayoutChoice {
  std::optional<BufferKey> buffer; // nullopt: all that have a layout
  StmtId stmt;
  LaneChoice lanes;

  static LayoutChoice of(const Selection &selection) {
    return {selection.pinned.buffer, selection.pinned.stmt, selection.lanes};
  }
  friend bool operator==(const LayoutChoice &, const LayoutChoice &) = default;
};

LayoutsView buildLayouts(const PassState &state, const LayoutChoice &choice);
LayoutsView buildLayouts(const Trace &trace, const Selection &selection);
void print(const LayoutsView &view, llvm::raw_ostream &out);

// "t4r1" of a fragment, else the bank of its first byte, or the byte itself where it has no bank.
std::string cellText(const TileLayout &tile, int64_t row, int64_t column);
std::string conflictsText(int64_t passes, int64_t leastPasses); // "none", "28", "not known"
// "4 passes, no conflict", "32 passes of least 4, up to 8 words of one bank"; "16 sectors of 32
// bytes, the least there is, in 4 lines", "32 sectors of 32 bytes of least 4, in 32 lines"
std::string countText(const LayoutSide &side);
// ", all further by what is known at run time only"; "": they lie there
std::string shiftText(const LayoutLanes &lanes, const LayoutOfBuffer &buffer);
// "warp 0 reads 16 bytes a lane"
std::string whoseText(const LayoutLanes &lanes, const LayoutOfBuffer &buffer);

// A hue for each of so many banks, threads or registers; none is red, which is for conflicts.
int hueOfNumber(int64_t number, int64_t count);

template <typename Archive> void fields(Archive &archive, LayoutAccess &access) {
  archive("stmt", access.stmt);
  lineFields(archive, access.sourceLine);
  archive("text", access.text);
  archive("isWrite", access.isWrite);
  archive("laneBytes", access.laneBytes);
  archive("passes", access.passes);
  archive("leastPasses", access.leastPasses);
  archive("passesInRows", access.passesInRows);
  archive("warps", access.warps);
  archive("sectors", access.sectors);
  archive("leastSectors", access.leastSectors);
  archive("lines", access.lines);
}

template <typename Archive> void fields(Archive &archive, LayoutRow &row) {
  archive("label", row.label);
  archive("cells", row.cells);
}

template <typename Archive> void fields(Archive &archive, LayoutOfBuffer &buffer) {
  archive("buffer", buffer.buffer);
  archive("name", buffer.name);
  archive("type", buffer.type);
  archive("layout", buffer.layout);
  archive("cells", buffer.cells);
  archive("columns", buffer.columns);
  archive("rows", buffer.rows);
  archive("isPart", buffer.isPart);
  archive("accesses", buffer.accesses);
  archive("blocks", buffer.blocks);
}

template <typename Archive> void fields(Archive &archive, LayoutLane &lane) {
  archive.always("lane", lane.lane);
  archive.always("row", lane.row);
  archive.always("column", lane.column);
  archive.always("byte", lane.byte);
  archive.always("bank", lane.bank);
  archive.always("group", lane.group);
  archive.always("sector", lane.sector);
  archive("isInConflict", lane.isInConflict);
}

template <typename Archive> void fields(Archive &archive, LayoutSide &side) {
  archive("layout", side.layout);
  archive("passes", side.passes);
  archive("leastPasses", side.leastPasses);
  archive("degree", side.degree);
  archive("sectors", side.sectors);
  archive("leastSectors", side.leastSectors);
  archive("lines", side.lines);
  archive("lanes", side.lanes);
}

template <typename Archive> void fields(Archive &archive, LayoutLanes &lanes) {
  archive.always("access", lanes.access);
  archive.always("warp", lanes.warp);
  archive("laneBytes", lanes.laneBytes);
  archive("isShifted", lanes.isShifted);
  archive("asLaid", lanes.asLaid);
  archive("inRows", lanes.inRows);
}

template <typename Archive> void fields(Archive &archive, LayoutsView &view) {
  archive("pass", view.pass);
  archive("buffers", view.buffers);
  archive("lanes", view.lanes);
  archive("summary", view.summary);
  archive("missing", view.missing);
}

} // namespace tilescope
