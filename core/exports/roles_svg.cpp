#include "core/exports/roles_svg.h"

#include "core/exports/point_axis.h"
#include "core/support/colour.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double RowHeight = 20;
constexpr size_t MostOfName = 80;
constexpr double LineWidth = 5 * CharacterWidth; // of the column of source lines

// Widths that all pictures of a document share.
struct RoleWidths {
  double gutter = widthOf("an iteration");
  double column = 26;

  explicit RoleWidths(const std::vector<RolePicture> &pictures) {
    for (const RolePicture &picture : pictures)
      for (const RolePictureRow &row : picture.rows) {
        gutter = std::max(gutter, widthOf(clipText(row.name, MostOfName)));
        for (const std::string &cell : row.cells)
          column = std::max(column, widthOf(cell) + 14);
      }
  }
};

class RoleDrawing {
public:
  RoleDrawing(const RolePicture &picture, const RoleWidths &widths)
      : picture_(picture), left_(Margin + widths.gutter + LineWidth + Margin),
        column_(widths.column) {}

  SvgDrawing draw() {
    double width = std::max(x(picture_.columns.size()) + Margin,
                            std::max(widthOf(picture_.caption), 400.0) + 2 * Margin);
    drawHeading(picture_.title, picture_.caption, width, svg_);
    if (!picture_.refusal.empty()) {
      svg_.text(Margin, top_, picture_.refusal, "class=\"quiet\"");
      return {width, top_ + Margin, svg_.body()};
    }
    drawColumns();
    for (size_t row = 0; row != picture_.rows.size(); ++row)
      drawRow(picture_.rows[row], y(row));
    return {width, bottom() + Margin, svg_.body()};
  }

private:
  double x(size_t column) const { return left_ + column_ * static_cast<double>(column); }
  double y(size_t row) const { return top_ + RowHeight * static_cast<double>(row); }
  double bottom() const { return y(picture_.rows.size()); }

  void drawColumns() {
    svg_.text(Margin, top_ - 6, "an iteration", "class=\"quiet\"");
    for (size_t column = 0; column != picture_.columns.size(); ++column) {
      if (column % 2 == 1)
        svg_.box({x(column), top_, column_, bottom() - top_}, "class=\"band\"");
      svg_.line(x(column), top_ - RowHeight + 6, x(column), bottom(), "class=\"grid\"");
      svg_.text(x(column) + column_ / 2, top_ - 6, picture_.columns[column],
                "class=\"middle quiet\"");
    }
  }

  void drawRow(const RolePictureRow &row, double y) {
    svg_.beginGroup(lineText("line ", row.sourceLine, ": ") + row.statement);
    svg_.text(Margin, y + 14, clipText(row.name, MostOfName));
    svg_.text(left_ - Margin, y + 14, lineText(row.sourceLine), "class=\"end quiet\"");
    for (size_t column = 0; column != row.cells.size(); ++column)
      drawCell(row, row.cells[column], x(column), y);
    svg_.endGroup();
  }

  void drawCell(const RolePictureRow &row, const std::string &cell, double x, double y) {
    bool isDone = !cell.empty() && cell != ".";
    if (isDone && row.isAccess)
      svg_.box({x + 2, y + 2, column_ - 4, RowHeight - 4},
               llvm::formatv("fill=\"{0}\" stroke=\"{1}\"", toHex(paperFill(row.hueDegrees)),
                             toHex(fromHsl(row.hueDegrees, 50, 35)))
                   .str());
    if (isDone && row.isWait)
      svg_.line(x + 3, y + 3, x + 3, y + RowHeight - 3, "class=\"step\"");
    svg_.text(x + column_ / 2, y + 14, cell,
              isDone ? "class=\"middle\"" : "class=\"middle quiet\"");
  }

  const RolePicture &picture_;
  double left_, column_;
  double top_ = HeadingHeight + RowHeight + 4;
  SvgWriter svg_;
};

} // namespace

std::vector<SvgDrawing> drawRoles(const std::vector<RolePicture> &pictures) {
  RoleWidths widths(pictures);
  std::vector<SvgDrawing> drawings;
  drawings.reserve(pictures.size());
  for (const RolePicture &picture : pictures)
    drawings.push_back(RoleDrawing(picture, widths).draw());
  return drawings;
}

} // namespace tilescope
