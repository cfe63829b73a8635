#include "viewer/panels/widgets/layout_grid.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr LayoutColouring OfMemory[] = {LayoutColouring::Bank, LayoutColouring::Address};
constexpr LayoutColouring OfTensor[] = {LayoutColouring::Sector, LayoutColouring::Address};
constexpr LayoutColouring OfFragment[] = {LayoutColouring::Thread, LayoutColouring::Register};
constexpr int64_t SectorsOfLine = LineBytes / SectorBytes;
constexpr float BehindAlpha = 0.55F; // of cells that no lane touches
constexpr float LeastCell = 2;       // pixels: of smaller ones some are left out

} // namespace

const char *nameOf(LayoutColouring colouring) {
  switch (colouring) {
  case LayoutColouring::Bank:
    return "bank";
  case LayoutColouring::Address:
    return "address";
  case LayoutColouring::Thread:
    return "thread";
  case LayoutColouring::Register:
    return "register";
  case LayoutColouring::Sector:
    return "sector";
  }
  return "";
}

llvm::ArrayRef<LayoutColouring> colouringsOf(const TileLayout &tile) {
  if (tile.isFragment())
    return OfFragment;
  if (tile.hasSectors())
    return OfTensor;
  // What has no banks has addresses.
  return tile.hasBanks() ? llvm::ArrayRef(OfMemory) : llvm::ArrayRef(OfMemory).drop_front();
}

LayoutGrid::LayoutGrid(const TileLayout &tile, const LayoutSide *side, int64_t laneBytes,
                       LayoutColouring colouring, const Picture &picture, const ZoomView &zoom,
                       ImVec2 offset)
    : tile_(tile), side_(side), laneBytes_(laneBytes), colouring_(colouring), picture_(picture),
      zoom_(zoom), offset_(offset), labelWidth_(widestLabel()) {}

float LayoutGrid::gutterWidth(const TileLayout &tile, const Picture &picture) {
  return picture.widthOf(std::to_string(tile.rows() - 1)) + picture.character;
}

LayoutGrid::Value LayoutGrid::valueOf(int64_t row, int64_t column) const {
  if (tile_.isFragment()) {
    TileLayout::Holder holder = tile_.holderOf(row, column);
    return colouring_ == LayoutColouring::Thread
               ? Value{holder.thread, tile_.threads(), holder.thread}
               : Value{holder.reg, tile_.registers(), holder.reg};
  }
  int64_t byte = tile_.byteOf(row * tile_.columns() + column).value_or(0);
  if (colouring_ == LayoutColouring::Bank)
    return {bankOf(byte), SharedBanks, bankOf(byte)};
  if (colouring_ == LayoutColouring::Sector)
    return {sectorOf(byte) % SectorsOfLine, SectorsOfLine, sectorOf(byte)};
  constexpr int64_t ChunkBytes = 16;
  int64_t bytes = tile_.rows() * tile_.columns() * tile_.elementBits() / 8;
  return {byte / ChunkBytes, std::max<int64_t>(bytes / ChunkBytes, 1), byte};
}

float LayoutGrid::widestLabel() const {
  Value last = valueOf(tile_.rows() - 1, tile_.columns() - 1);
  bool isOfPlace = colouring_ == LayoutColouring::Address || colouring_ == LayoutColouring::Sector;
  int64_t most = isOfPlace ? last.label : last.count - 1;
  return picture_.widthOf(std::to_string(most)) + 2 * picture_.scale;
}

Box LayoutGrid::boxOf(int64_t row, int64_t column, int64_t columns) const {
  return {ImVec2(x(column), y(row)), ImVec2(x(column + columns), y(row + 1))};
}

int64_t LayoutGrid::laneColumns() const {
  return std::max<int64_t>(1, laneBytes_ * 8 / tile_.elementBits());
}

void LayoutGrid::draw(const Box &area, const Box &plot) const {
  Stretch rows = zoom_.y.shown(), columns = zoom_.x.shown();
  auto clamped = [](double value, int64_t most) {
    return std::clamp<int64_t>(static_cast<int64_t>(value), 0, most);
  };
  int64_t firstColumn = clamped(std::floor(columns.begin), tile_.columns());
  firstColumn -= firstColumn % tile_.chunkElements();
  int64_t endColumn = clamped(std::ceil(columns.end), tile_.columns());
  drawNumbers(area, plot);
  picture_.clip(plot);
  auto step = static_cast<int64_t>(
      std::max(1.0, std::ceil(LeastCell / std::max(zoom_.y.unitPixels(), 1e-6))));
  int64_t endRow = clamped(std::ceil(rows.end), tile_.rows());
  for (int64_t row = clamped(std::floor(rows.begin), tile_.rows()); row < endRow; row += step)
    drawRow(row, firstColumn, endColumn);
  for (const LayoutLane &lane : side_ ? llvm::ArrayRef(side_->lanes) : llvm::ArrayRef<LayoutLane>())
    if (lane.row >= 0 && lane.row < tile_.rows())
      drawLane(lane);
  picture_.unclip();
}

// As many as stand apart.
void LayoutGrid::drawNumbers(const Box &area, const Box &plot) const {
  auto stepOf = [](float pixels, const ZoomAxis &axis, int64_t unit) {
    double units = static_cast<double>(pixels) / std::max(axis.unitPixels(), 1e-6);
    return std::max<int64_t>(static_cast<int64_t>(std::ceil(units / static_cast<double>(unit))),
                             1) *
           unit;
  };
  ImU32 color = picture_.color(Meaning::Quiet);
  float widest = picture_.widthOf(std::to_string(tile_.columns())) + picture_.character;
  int64_t step = stepOf(widest, zoom_.x, tile_.isFragment() ? 1 : tile_.chunkElements());
  picture_.clip({ImVec2(plot.min.x, area.min.y), ImVec2(plot.max.x, plot.min.y)});
  auto column = static_cast<int64_t>(std::max(0.0, zoom_.x.shown().begin)) / step * step;
  for (; column < tile_.columns() && x(column) < plot.max.x; column += step)
    if (x(column) + widest <= plot.max.x + picture_.character)
      picture_.text(ImVec2(x(column), area.min.y), std::to_string(column), color);
  picture_.unclip();
  picture_.clip({ImVec2(area.min.x, plot.min.y), ImVec2(plot.min.x, plot.max.y)});
  step = stepOf(1.2F * picture_.line, zoom_.y, 1);
  auto row = static_cast<int64_t>(std::max(0.0, zoom_.y.shown().begin)) / step * step;
  for (; row < tile_.rows() && y(row) < plot.max.y; row += step) {
    std::string number = std::to_string(row);
    float middle = (y(row) + y(row + 1) - picture_.line) / 2;
    float top = row == 0 ? std::max(middle, y(0)) : middle;
    picture_.text(ImVec2(plot.min.x - picture_.widthOf(number) - picture_.character / 2, top),
                  number, color);
  }
  picture_.unclip();
}

// Neighbours of one colour are one box.
void LayoutGrid::drawRow(int64_t row, int64_t firstColumn, int64_t endColumn) const {
  auto least = static_cast<int64_t>(
      std::max(1.0, std::ceil(LeastCell / std::max(zoom_.x.unitPixels(), 1e-6))));
  bool isLabelled = zoom_.y.unitPixels() >= 0.9 * picture_.line;
  for (int64_t column = firstColumn; column < endColumn;) {
    Value value = valueOf(row, column);
    int64_t end = std::min(column + least, endColumn);
    while (end < endColumn && valueOf(row, end).number == value.number)
      ++end;
    drawCell(boxOf(row, column, end - column), value, isLabelled);
    column = end;
  }
  if (isLabelled && !tile_.isFragment())
    labelChunks(row, firstColumn, endColumn);
}

// Where banks are too narrow for their numbers, the first of each 16 bytes has one.
void LayoutGrid::labelChunks(int64_t row, int64_t firstColumn, int64_t endColumn) const {
  int64_t chunk = tile_.chunkElements();
  Value first = valueOf(row, firstColumn);
  int64_t alike = 1;
  while (alike < chunk && valueOf(row, firstColumn + alike).number == first.number)
    ++alike;
  if (boxOf(row, 0, alike).width() >= labelWidth_ || boxOf(row, 0, chunk).width() < labelWidth_)
    return;
  for (int64_t column = firstColumn; column < endColumn; column += chunk) {
    Value value = valueOf(row, column);
    std::string label = std::to_string(value.label);
    Box box = boxOf(row, column, chunk);
    picture_.text(
        ImVec2(box.min.x + picture_.scale, std::round((box.min.y + box.max.y - picture_.line) / 2)),
        label, picture_.theme.bufferText(hueOfNumber(value.number, value.count)));
  }
}

void LayoutGrid::drawCell(const Box &box, const Value &value, bool isLabelled) const {
  int hue = hueOfNumber(value.number, value.count);
  bool isBehind = side_ && !side_->lanes.empty();
  picture_.fill(box, picture_.theme.bufferFill(hue, isBehind ? BehindAlpha : 1));
  if (box.width() >= 4 * picture_.scale && box.height() >= 4 * picture_.scale)
    picture_.outline(box, picture_.color(Meaning::Background, 0.6F));
  std::string label = std::to_string(value.label);
  float width = picture_.widthOf(label);
  if (!isLabelled || std::max(labelWidth_, width) > box.width())
    return;
  picture_.text(ImVec2(std::round((box.min.x + box.max.x - width) / 2),
                       std::round((box.min.y + box.max.y - picture_.line) / 2)),
                label, isBehind ? picture_.color(Meaning::Quiet) : picture_.theme.bufferText(hue));
}

void LayoutGrid::drawLane(const LayoutLane &lane) const {
  Box box = boxOf(lane.row, lane.column, std::min(laneColumns(), tile_.columns() - lane.column));
  int hue = colouring_ == LayoutColouring::Bank ? hueOfNumber(lane.bank, SharedBanks)
                                                : hueOfNumber(valueOf(lane.row, lane.column).number,
                                                              valueOf(lane.row, lane.column).count);
  picture_.fill(box, picture_.theme.bufferFill(hue));
  picture_.outline(box, picture_.color(lane.isInConflict ? Meaning::Bad : Meaning::Text),
                   lane.isInConflict ? 2 : 1);
  std::string number = std::to_string(lane.lane);
  std::string label = number + (lane.sector >= 0 ? " s" + std::to_string(lane.sector)
                                                 : " b" + std::to_string(lane.bank));
  float room = box.width() - 2 * picture_.scale;
  if (picture_.widthOf(label) > room)
    label = number;
  if (picture_.widthOf(label) <= room && box.height() >= 0.9F * picture_.line)
    picture_.text(
        ImVec2(box.min.x + picture_.scale, std::round((box.min.y + box.max.y - picture_.line) / 2)),
        label, picture_.theme.bufferText(hue));
}

void LayoutGrid::drawBlocks(const TileBlocks &blocks, const Box &plot) const {
  ImU32 color = picture_.color(Meaning::Text);
  picture_.clip(plot);
  for (int64_t row = 0; row <= tile_.rows(); row += blocks.rows)
    if (float at = y(row); plot.min.y <= at && at <= plot.max.y)
      picture_.horizontal(x(0), x(tile_.columns()), at, color, 1.5F);
  for (int64_t column = 0; column <= tile_.columns(); column += blocks.columns)
    if (float at = x(column); plot.min.x <= at && at <= plot.max.x)
      picture_.vertical(at, y(0), y(tile_.rows()), color, 1.5F);
  picture_.unclip();
}

void LayoutGrid::outline(LayoutElement element, const Box &plot, ImU32 color) const {
  picture_.clip(plot);
  picture_.outline(boxOf(element.row, element.column, 1), color, 2);
  picture_.unclip();
}

std::optional<LayoutElement> LayoutGrid::elementAt(ImVec2 mouse, const Box &plot) const {
  if (!plot.contains(mouse))
    return std::nullopt;
  LayoutElement element{static_cast<int64_t>(std::floor(zoom_.y.unit(mouse.y - offset_.y))),
                        static_cast<int64_t>(std::floor(zoom_.x.unit(mouse.x - offset_.x)))};
  bool isInside = element.row >= 0 && element.row < tile_.rows() && element.column >= 0 &&
                  element.column < tile_.columns();
  return isInside ? std::optional(element) : std::nullopt;
}

const LayoutLane *LayoutGrid::laneAt(LayoutElement element) const {
  if (!side_)
    return nullptr;
  auto found = llvm::find_if(side_->lanes, [&](const LayoutLane &lane) {
    return lane.row == element.row && lane.column <= element.column &&
           element.column < lane.column + laneColumns();
  });
  return found == side_->lanes.end() ? nullptr : &*found;
}

} // namespace tilescope
