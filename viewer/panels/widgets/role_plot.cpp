#include "viewer/panels/widgets/role_plot.h"

#include "viewer/panels/widgets/wrapped_text.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float ColumnBandAlpha = 0.5F; // of every other iteration
constexpr const char *GutterHeading = "an iteration";

bool isDone(const std::string &cell) { return !cell.empty() && cell != "."; }

} // namespace

RolePlot::RolePlot(const StagesRole &role, const Picture &picture, const ZoomView &zoom,
                   double first, double columnUnits, float width)
    : role_(role), picture_(picture), zoom_(zoom), first_(first), columnUnits_(columnUnits) {
  float room = width - picture.character;
  title_ = linesOfHeadline(titleText(), room);
  if (isRefused())
    ending_ = linesOfHeadline(role.refusal, room);
}

double RolePlot::end() const { return endRow() + static_cast<double>(ending_.size()) + 0.5; }

// Whole names where they leave most of the width, else without their details.
float RolePlot::gutterWidth(float room) const {
  float whole = picture_.widthOf(GutterHeading), brief = whole;
  for (const StagesRoleRow &row : role_.rows) {
    whole = std::max(whole, picture_.widthOf(row.text));
    brief = std::max(brief, picture_.widthOf(row.brief));
  }
  float rim = 2 * picture_.character;
  return whole + rim <= room * 0.4F ? whole + rim : std::min(brief + rim, room * 0.5F);
}

std::optional<Region> RolePlot::regionOf(const ShownPick &shown) const {
  std::optional<Region> region;
  for (size_t index = 0; index != role_.rows.size(); ++index) {
    if (!shown.buffer().isValid() || role_.rows[index].buffer != shown.buffer())
      continue;
    if (!region)
      region = Region{{0, columnUnits_ * static_cast<double>(role_.columns.size())},
                      {rowOf(index), rowOf(index)}};
    region->y.end = rowOf(index) + 1;
  }
  return region;
}

Box RolePlot::boxOf(size_t column, double row) const {
  double begin = columnUnits_ * static_cast<double>(column);
  return {ImVec2(zoom_.pixelX(begin), zoom_.pixelY(row)),
          ImVec2(zoom_.pixelX(begin + columnUnits_), zoom_.pixelY(row + 1))};
}

ImVec2 RolePlot::leftOf(size_t row, size_t column, float inset) const {
  Box box = boxOf(column, rowOf(row));
  return {box.min.x + inset, (box.min.y + box.max.y) / 2};
}

// Of the row, or of a slot in it: a pinned or hovered version stands out among those of its buffer.
Emphasis RolePlot::emphasisOf(const StagesRoleRow &row, int64_t slot,
                              const ShownPick &shown) const {
  Emphasis emphasis = shown.emphasisOf(row.buffer);
  if (emphasis == Emphasis::Dimmed)
    return regionOf(shown) ? emphasis : Emphasis::None;
  int64_t version = emphasis == Emphasis::Pinned ? shown.pinnedVersion() : shown.version();
  if (emphasis == Emphasis::None || version < 0 || slot < 0 || version == slot)
    return emphasis;
  return shown.emphasisOf(row.buffer, slot);
}

void RolePlot::drawLines(const Box &gutter, const Box &plot, double row,
                         llvm::ArrayRef<std::string> lines, ImU32 color) const {
  for (const std::string &line : lines) {
    Box box = boxOf(0, row);
    box.min.x = gutter.min.x + picture_.character / 2;
    box.max.x = plot.max.x;
    picture_.label(box, line, color);
    row += 1;
  }
}

void RolePlot::draw(const Box &gutter, const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  bool isShown = shown.stmt().isValid() && shown.stmt() == role_.loop;
  drawLines(gutter, plot, first_, title_, p.color(isShown ? Meaning::Accent : Meaning::Text));
  drawLines(gutter, plot, endRow(), ending_, p.color(Meaning::Quiet));
  if (isRefused())
    return;
  drawColumns(gutter, plot);
  Stretch rows = zoom_.y.shown();
  for (size_t index = 0; index != role_.rows.size(); ++index) {
    if (!rows.meets(rowOf(index), rowOf(index) + 1))
      continue;
    drawName(gutter, plot, index, shown);
    p.clip(plot);
    for (size_t column = 0; column != role_.columns.size(); ++column)
      drawCell(index, column, shown);
    p.unclip();
  }
}

void RolePlot::drawColumns(const Box &gutter, const Box &plot) const {
  const Picture &p = picture_;
  Box heading = boxOf(0, columnRow());
  heading.min.x = gutter.min.x + p.character / 2;
  heading.max.x = gutter.max.x;
  p.label(heading, GutterHeading, p.color(Meaning::Quiet));
  p.clip(plot);
  float bottom = zoom_.pixelY(endRow());
  for (size_t column = 0; column != role_.columns.size(); ++column) {
    Box box = boxOf(column, columnRow());
    if (column % 2 == 1)
      p.fill({box.min, ImVec2(box.max.x, bottom)}, p.color(Meaning::Faint, ColumnBandAlpha));
    p.vertical(box.min.x, box.min.y, bottom, p.color(Meaning::Border));
    p.centeredLabel(box, role_.columns[column], p.color(Meaning::Quiet));
  }
  p.unclip();
}

void RolePlot::drawName(const Box &gutter, const Box &plot, size_t index,
                        const ShownPick &shown) const {
  const Picture &p = picture_;
  const StagesRoleRow &row = role_.rows[index];
  Box box = boxOf(0, rowOf(index));
  box.min.x = gutter.min.x + p.character / 2;
  box.max.x = gutter.max.x - p.character / 2;
  p.horizontal(gutter.min.x, plot.max.x, box.min.y, p.color(Meaning::Faint));
  Emphasis emphasis = emphasisOf(row, -1, shown);
  bool isStmt = shown.stmt().isValid() && shown.stmt() == row.stmt;
  if (emphasis == Emphasis::Pinned || emphasis == Emphasis::Hovered || isStmt)
    p.fill({ImVec2(gutter.min.x, box.min.y), ImVec2(gutter.max.x, box.max.y)},
           p.color(emphasis == Emphasis::Hovered ? Meaning::Hovered : Meaning::Selected));
  bool isWhole = p.widthOf(row.text) <= box.width();
  p.listing(box, isWhole ? row.text : row.brief,
            row.buffer.isValid() ? p.theme.bufferLine(row.hueDegrees) : p.color(Meaning::Text));
}

void RolePlot::drawCell(size_t index, size_t column, const ShownPick &shown) const {
  const Picture &p = picture_;
  const StagesRoleRow &row = role_.rows[index];
  llvm::StringRef cell = row.cells[column];
  bool isSomething = isDone(row.cells[column]);
  Box outer = boxOf(column, rowOf(index));
  Box box{ImVec2(outer.min.x + 3 * p.scale, outer.min.y + p.scale),
          ImVec2(outer.max.x - 3 * p.scale, outer.max.y - p.scale)};
  ImU32 color = p.color(isSomething ? Meaning::Text : Meaning::Quiet);
  if (isSomething && row.buffer.isValid()) {
    Emphasis emphasis = emphasisOf(row, row.slots[column], shown);
    bool isDimmed = emphasis == Emphasis::Dimmed;
    float alpha = isDimmed ? Theme::DimmedAlpha : 1;
    color = p.color(isDimmed ? Meaning::Quiet : Meaning::Text);
    p.fill(box, p.theme.bufferFill(row.hueDegrees, alpha));
    p.outline(box, p.theme.bufferLine(row.hueDegrees, alpha));
    drawEmphasis(p, box, emphasis);
  }
  // The row says that it is a slot; the pointer shows what has no room.
  if (p.widthOf(cell) > outer.width())
    cell.consume_front("slot ");
  if (p.widthOf(cell) > outer.width() && cell.starts_with("["))
    cell = cell.split(' ').first; // the mbarrier without its phase
  float width = p.widthOf(cell);
  if (isSomething && row.action == RoleAction::Waits && width <= box.width())
    p.dashedVertical(outer.min.x + p.scale, box.min.y, box.max.y, p.color(Meaning::Quiet));
  if (width <= outer.width() && outer.height() >= p.line)
    p.text(ImVec2(std::round((box.min.x + box.max.x - width) / 2),
                  std::round((box.min.y + box.max.y - p.line) / 2)),
           cell, color);
}

Pick RolePlot::pickAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const {
  double at = std::floor(zoom_.y.unit(mouse.y));
  double column = std::floor(zoom_.x.unit(mouse.x) / columnUnits_);
  if (at >= first_ && at < columnRow()) {
    showDetails(picture_.theme, {titleText(), role_.text}, role_.sourceLine);
    Pick pick;
    pick.stmt = role_.loop;
    pick.sourceLine = role_.sourceLine;
    return pick;
  }
  if (isRefused() || at < rowOf(0) || at >= endRow())
    return {};
  const StagesRoleRow &row = role_.rows[static_cast<size_t>(at - rowOf(0))];
  bool isCell = plot.contains(mouse) && column >= 0 &&
                column < static_cast<double>(role_.columns.size()) &&
                isDone(row.cells[static_cast<size_t>(column)]);
  std::vector<std::string> lines{row.text};
  Pick pick;
  if (row.buffer.isValid())
    pick = pickOf(context, row.buffer, isCell ? row.slots[static_cast<size_t>(column)] : -1);
  if (isCell)
    lines.push_back("iteration " + role_.columns[static_cast<size_t>(column)] + ": " +
                    row.cells[static_cast<size_t>(column)]);
  if (!row.statement.empty())
    lines.push_back(lineText("line ", row.sourceLine, ": ") + row.statement);
  showDetails(picture_.theme, lines, row.sourceLine);
  pick.stmt = row.stmt;
  pick.sourceLine = row.sourceLine;
  return pick;
}

} // namespace tilescope
