// The elements of a tile as a grid, coloured by where they lie, and the lanes of a warp over it.
//
//          0        8        16           numbers of columns
//       0 |bank 0  |bank 4  |...
//       1 |bank 4  |bank 0  |...          a lane: a box around what it touches, red in a conflict
#pragma once

#include "core/views/layouts_model.h"
#include "viewer/panels/widgets/picture.h"

namespace tilescope {

enum class LayoutColouring : uint8_t { Bank, Address, Thread, Register, Sector };
const char *nameOf(LayoutColouring colouring);
// Those that mean something for the tile.
llvm::ArrayRef<LayoutColouring> colouringsOf(const TileLayout &tile);

struct LayoutElement {
  int64_t row = 0;
  int64_t column = 0;
};

class LayoutGrid {
public:
  // `side` may be null. All must outlive it. The zoom is placed over the plot of one grid;
  // the plot of this one lies `offset` pixels from there.
  LayoutGrid(const TileLayout &tile, const LayoutSide *side, int64_t laneBytes,
             LayoutColouring colouring, const Picture &picture, const ZoomView &zoom,
             ImVec2 offset);

  static float gutterWidth(const TileLayout &tile, const Picture &picture);
  static float headingHeight(const Picture &picture) { return picture.line; }

  const LayoutSide *side() const { return side_; }

  // `plot` is what remains of `area` behind the numbers of rows and columns.
  void draw(const Box &area, const Box &plot) const;
  // Lines around blocks of so many elements, over what was drawn.
  void drawBlocks(const TileBlocks &blocks, const Box &plot) const;
  void outline(LayoutElement element, const Box &plot, ImU32 color) const;
  // nullopt: there is no element under the pointer.
  std::optional<LayoutElement> elementAt(ImVec2 mouse, const Box &plot) const;
  // nullptr: none touches it.
  const LayoutLane *laneAt(LayoutElement element) const;

private:
  // What a cell is coloured by, of how many there are, and what its label says.
  struct Value {
    int64_t number = 0;
    int64_t count = 1;
    int64_t label = 0;
  };
  Value valueOf(int64_t row, int64_t column) const;
  float widestLabel() const;
  float x(int64_t column) const { return zoom_.pixelX(static_cast<double>(column)) + offset_.x; }
  float y(int64_t row) const { return zoom_.pixelY(static_cast<double>(row)) + offset_.y; }
  Box boxOf(int64_t row, int64_t column, int64_t columns) const;
  int64_t laneColumns() const;
  void drawNumbers(const Box &area, const Box &plot) const;
  void drawRow(int64_t row, int64_t firstColumn, int64_t endColumn) const;
  void labelChunks(int64_t row, int64_t firstColumn, int64_t endColumn) const;
  void drawCell(const Box &box, const Value &value, bool isLabelled) const;
  void drawLane(const LayoutLane &lane) const;

  const TileLayout &tile_;
  const LayoutSide *side_;
  int64_t laneBytes_;
  LayoutColouring colouring_;
  const Picture &picture_;
  const ZoomView &zoom_;
  ImVec2 offset_;
  float labelWidth_; // of the widest
};

} // namespace tilescope
