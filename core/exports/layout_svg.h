// A layout as a picture: the elements of a tile as a grid, coloured by where they lie, and the
// lanes of a warp over it.
#pragma once

#include "core/exports/svg_writer.h"

#include <cstdint>

namespace tilescope {

// Elements [column, column + columns) of a row.
struct LayoutCell {
  int64_t row = 0;
  int64_t column = 0;
  int64_t columns = 1;
  int hueDegrees = 0;
  std::string text;
};

// What a lane touches, over the cells.
struct LayoutMark {
  int64_t row = 0;
  int64_t column = 0;
  int64_t columns = 1;
  std::string text;
  bool isBad = false;
};

struct LayoutPicture {
  std::string title;
  std::string caption;
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<LayoutCell> cells;
  std::vector<LayoutMark> marks; // those beyond `rows` and `columns` are not drawn
};

// A whole SVG document, the pictures one below the other; the same pictures give the same bytes.
// `whyNone` stands where there is none.
std::string layoutSvg(const std::vector<LayoutPicture> &pictures, llvm::StringRef whyNone);

} // namespace tilescope
