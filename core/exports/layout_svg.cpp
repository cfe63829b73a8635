#include "core/exports/layout_svg.h"

#include "core/exports/point_axis.h"
#include "core/support/colour.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double GridRowHeight = 18;
constexpr double Gutter = 34; // numbers of rows

class LayoutDrawing {
public:
  explicit LayoutDrawing(const LayoutPicture &picture) : picture_(picture) {
    for (const LayoutCell &cell : picture.cells)
      unit_ = std::max(unit_, (widthOf(cell.text) + 4) / static_cast<double>(cell.columns));
    for (const LayoutMark &mark : picture.marks)
      unit_ = std::max(unit_, (widthOf(mark.text) + 6) / static_cast<double>(mark.columns));
  }

  SvgDrawing draw() {
    double width =
        std::max({x(picture_.columns) + Margin, widthOf(picture_.caption) + 2 * Margin, 420.0});
    drawHeading(picture_.title, picture_.caption, width, svg_);
    for (int64_t row = 0; row != picture_.rows; ++row)
      svg_.text(Margin, y(row) + 13, std::to_string(row), "class=\"quiet\"");
    drawColumns();
    for (const LayoutCell &cell : picture_.cells)
      drawCell(cell);
    for (const LayoutMark &mark : picture_.marks)
      if (mark.row >= 0 && mark.row < picture_.rows && mark.column >= 0 &&
          mark.column < picture_.columns)
        drawMark(mark);
    return {width, y(picture_.rows) + Margin, svg_.body()};
  }

private:
  double x(int64_t column) const { return Margin + Gutter + unit_ * static_cast<double>(column); }
  double y(int64_t row) const { return top_ + GridRowHeight * static_cast<double>(row); }

  // Above the first row, as many as stand apart.
  void drawColumns() {
    double free = 0;
    for (const LayoutCell &cell : picture_.cells) {
      std::string number = std::to_string(cell.column);
      if (cell.row != 0 || x(cell.column) < free)
        continue;
      svg_.text(x(cell.column) + 2, top_ - 5, number, "class=\"quiet\"");
      free = x(cell.column) + widthOf(number) + 8;
    }
  }

  void drawCell(const LayoutCell &cell) {
    double width = unit_ * static_cast<double>(cell.columns);
    svg_.box({x(cell.column), y(cell.row), width, GridRowHeight},
             llvm::formatv("fill=\"{0}\" stroke=\"#fff\" stroke-width=\"0.5\"",
                           toHex(paperFill(cell.hueDegrees)))
                 .str());
    svg_.text(x(cell.column) + width / 2, y(cell.row) + 13, cell.text, "class=\"middle name\"");
  }

  void drawMark(const LayoutMark &mark) {
    double width =
        unit_ * static_cast<double>(std::min(mark.columns, picture_.columns - mark.column));
    svg_.beginGroup("lane " + mark.text);
    svg_.box({x(mark.column) + 1, y(mark.row) + 1, width - 2, GridRowHeight - 2},
             llvm::formatv("fill=\"#fff\" fill-opacity=\"0.75\" stroke=\"{0}\" stroke-width=\"2\"",
                           mark.isBad ? "#c00" : "#222")
                 .str());
    svg_.text(x(mark.column) + width / 2, y(mark.row) + 13, mark.text, "class=\"middle\"");
    svg_.endGroup();
  }

  const LayoutPicture &picture_;
  double unit_ = 8; // pixels of an element
  double top_ = HeadingHeight + 20;
  SvgWriter svg_;
};

} // namespace

std::string layoutSvg(const std::vector<LayoutPicture> &pictures, llvm::StringRef whyNone) {
  std::vector<SvgDrawing> drawings;
  drawings.reserve(pictures.size());
  for (const LayoutPicture &picture : pictures)
    drawings.push_back(LayoutDrawing(picture).draw());
  return pictureDocument(std::move(drawings), "", whyNone);
}

} // namespace tilescope
