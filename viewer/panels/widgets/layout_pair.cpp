#include "viewer/panels/widgets/layout_pair.h"

#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float LeastGridDigits = 24; // narrower, grids stand below each other

// One, or two of the same size.
std::vector<Box> areasOf(const Picture &picture, const Box &area, bool isPair) {
  if (!isPair)
    return {area};
  float gap = picture.character;
  Box first = area, second = area;
  if (area.width() >= 2 * LeastGridDigits * picture.character) {
    first.max.x = std::floor((area.min.x + area.max.x - gap) / 2);
    second.min.x = first.max.x + gap;
  } else {
    first.max.y = std::floor((area.min.y + area.max.y - gap) / 2);
    second.min.y = first.max.y + gap;
  }
  return {first, second};
}

std::vector<std::string> countLines(const LayoutSide &side, float width) {
  return linesOfHeadline(side.layout + ": " + countText(side), width);
}

std::vector<std::string> detailsOf(const LayoutOfBuffer &buffer, const TileLayout &tile,
                                   LayoutElement element) {
  std::vector<std::string> lines = {buffer.name +
                                    tile.coordinatesText(element.row, element.column)};
  if (tile.isFragment()) {
    TileLayout::Holder holder = tile.holderOf(element.row, element.column);
    lines.push_back(llvm::formatv("thread {0}, register {1}", holder.thread, holder.reg));
    if (tile.copies() > 1)
      lines.push_back(llvm::formatv("{0} threads hold a copy", tile.copies()));
    return lines;
  }
  std::optional<int64_t> byte = tile.byteOf(element.row * tile.columns() + element.column);
  if (!byte)
    return lines;
  std::string text =
      "byte " + groupedNumber(*byte) + " of the " + (tile.hasBanks() ? "tile" : "tensor");
  if (buffer.baseByte)
    text += ", " + groupedNumber(buffer.baseByte + *byte) + " of shared memory";
  lines.push_back(text);
  if (tile.hasBanks())
    lines.push_back("bank " + std::to_string(bankOf(*byte)));
  return lines;
}

// nullopt: no lane is in the tile.
std::optional<Region> regionOfLanes(const LayoutsView &view) {
  std::optional<Region> region;
  for (const LayoutLane &lane : view.lanes ? view.lanes->asLaid.lanes : std::vector<LayoutLane>()) {
    auto row = static_cast<double>(lane.row);
    if (row < 0 || lane.row >= view.buffers.front().tile->rows())
      continue;
    if (!region)
      region =
          Region{{0, static_cast<double>(view.buffers.front().tile->columns())}, {row, row + 1}};
    region->y.begin = std::min(region->y.begin, row);
    region->y.end = std::max(region->y.end, row + 1);
  }
  return region;
}

void addLane(const LayoutLane &lane, int64_t warp, std::vector<std::string> &lines) {
  if (lane.sector >= 0) {
    lines.push_back(llvm::formatv("lane {0}, thread {1}: sector {2}, line {3}", lane.lane,
                                  warp * WarpLanes + lane.lane, lane.sector,
                                  globalLineOf(lane.byte)));
    return;
  }
  lines.push_back(llvm::formatv("lane {0}, thread {1}; lanes of group {2} are served together",
                                lane.lane, warp * WarpLanes + lane.lane, lane.group));
  if (lane.isInConflict)
    lines.emplace_back("another lane of its group wants another word of the same bank");
}

} // namespace

void LayoutPair::draw(PanelContext &context, const LayoutsView &view, LayoutColouring colouring) {
  const TileLayout &tile = *view.buffers.front().tile;
  TileLayout plain = tile.inRows();
  Picture picture(context.theme);
  ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  Box area{min, ImVec2(min.x + room.x, min.y + std::max(room.y, 6 * picture.line))};
  Box besideBar{area.min, ImVec2(area.max.x - ZoomView::barWidth(context.theme), area.max.y)};
  std::vector<Part> parts = partsOf(picture, besideBar, view, plain, colouring);
  placeZoom(context, picture, area, parts.front().plot, view);
  for (const Part &part : parts) {
    part.grid.draw(part.area, part.plot);
    const LayoutSide *side = part.grid.side();
    context.places.note("layout grid" + (side ? " " + side->layout + ": " + countText(*side) : ""),
                        ImVec4(part.plot.min.x, part.plot.min.y, part.plot.max.x, part.plot.max.y));
  }
  if (view.blocks >= 0)
    parts.front().grid.drawBlocks(view.buffers.front().blocks[static_cast<size_t>(view.blocks)],
                                  parts.front().plot);
  zoom_.drawBars(context);
  if (zoom_.isHovered())
    point(context, picture, view, parts);
}

std::vector<LayoutPair::Part> LayoutPair::partsOf(const Picture &picture, const Box &area,
                                                  const LayoutsView &view, const TileLayout &plain,
                                                  LayoutColouring colouring) const {
  const TileLayout &tile = *view.buffers.front().tile;
  const LayoutLanes *lanes = view.lanes ? &*view.lanes : nullptr;
  std::vector<Box> areas = areasOf(picture, area, lanes && lanes->inRows);
  auto sideAt = [&](size_t i) {
    return !lanes ? nullptr : i == 0 ? &lanes->asLaid : &*lanes->inRows;
  };
  size_t countHeight = 0; // of the longer one, so that rows stand beside each other
  for (size_t i = 0; lanes && i != areas.size(); ++i)
    countHeight = std::max(countHeight, countLines(*sideAt(i), areas[i].width()).size());
  std::vector<Part> parts;
  ImVec2 origin;
  for (size_t i = 0; i != areas.size(); ++i) {
    const LayoutSide *side = sideAt(i);
    if (side)
      picture.lines(areas[i], countLines(*side, areas[i].width()),
                    picture.color(side->isCostly() ? Meaning::Bad : Meaning::Good));
    Box body = areas[i];
    body.min.y += static_cast<float>(countHeight) * picture.line;
    Box plot = body;
    plot.min.x += LayoutGrid::gutterWidth(tile, picture);
    plot.min.y += LayoutGrid::headingHeight(picture);
    if (i == 0)
      origin = plot.min;
    ImVec2 offset(plot.min.x - origin.x, plot.min.y - origin.y);
    parts.push_back({LayoutGrid(i == 0 ? tile : plain, side, lanes ? lanes->laneBytes : 0,
                                colouring, picture, zoom_, offset),
                     body, plot});
  }
  return parts;
}

// Rows are as high as text where lanes have numbers; else all are seen, if they are not too low
// then.
void LayoutPair::placeZoom(const PanelContext &context, const Picture &picture, const Box &area,
                           const Box &plot, const LayoutsView &view) {
  const LayoutOfBuffer &buffer = view.buffers.front();
  auto rows = static_cast<double>(buffer.tile->rows());
  auto columns = static_cast<double>(buffer.tile->columns());
  double least = 5 * picture.scale, most = 1.25 * picture.line;
  double height = view.lanes ? most : std::clamp(plot.height() / rows, least, most);
  std::optional<Region> target = regionOfLanes(view);
  zoom_.update(context, "layouts", area, plot, {{0, columns}, {0, rows}}, height, target);
  Shown shown{buffer.buffer, view.lanes ? view.lanes->access : -1,
              view.lanes ? view.lanes->warp : -1};
  if (target && !(shown == revealed_)) {
    zoom_.y.reveal(target->y);
    zoom_.y.reveal({target->y.begin, target->y.begin + 1});
  }
  revealed_ = shown;
}

void LayoutPair::point(PanelContext &context, const Picture &picture, const LayoutsView &view,
                       const std::vector<Part> &parts) const {
  const LayoutOfBuffer &buffer = view.buffers.front();
  for (const Part &part : parts) {
    std::optional<LayoutElement> element = part.grid.elementAt(zoom_.mouse(), part.plot);
    if (!element)
      continue;
    for (const Part &each : parts)
      each.grid.outline(*element, each.plot, picture.color(Meaning::Text));
    bool isPlain = &part != &parts.front();
    std::vector<std::string> details =
        detailsOf(buffer, isPlain ? buffer.tile->inRows() : *buffer.tile, *element);
    Pick pick = pickOf(context, buffer.buffer);
    if (const LayoutLane *lane = part.grid.laneAt(*element)) {
      const LayoutAccess &access = buffer.accesses[static_cast<size_t>(view.lanes->access)];
      pick.stmt = access.stmt;
      pick.sourceLine = access.sourceLine;
      addLane(*lane, view.lanes->warp, details);
    }
    context.selection.hovered = pick;
    if (zoom_.isClicked())
      context.selection.pin(pick);
    showDetails(picture.theme, details);
  }
}

} // namespace tilescope
