#include "viewer/panels/widgets/arena_drawing.h"

#include "viewer/panels/widgets/column_bands.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float LeastPixels = 3; // narrower boxes are merged
constexpr float LeastHeightPixels = 2;
constexpr float LeastShownPixels = 4; // of what is pinned or hovered
constexpr int64_t MostVersions = 256;

class BoxDrawing {
public:
  BoxDrawing(const ArenaLayout &layout, const Picture &picture, const Box &plot,
             const ShownPick &shown)
      : layout_(layout), function_(layout.function()), zoom_(layout.zoom()), picture_(picture),
        plot_(plot), shown_(shown), shownRow_(layout.rowOf(shown.buffer())),
        pinnedRow_(layout.rowOf(shown.pinnedBuffer())), byteWidth_(zoom_.x.unitPixels()),
        pointHeight_(zoom_.y.unitPixels()), left_(zoom_.x.pixel(0)),
        top_(zoom_.y.pixel(layout.pointRow())), bands_(picture, plot),
        drawnTo_(static_cast<size_t>(plot.width()) + 2, plot.min.y - 1) {}

  std::vector<ArenaBoxName> draw() {
    layout_.forSeenBoxes([&](const ArenaBox &box) { drawBox(box); });
    bands_.draw([&](uint32_t row) { return function_.buffers[row].hueDegrees; });
    for (const auto &[at, emphasis] : marked_)
      drawEmphasis(picture_, at, emphasis);
    drawConflicts();
    return std::move(names_);
  }

private:
  // Flat boxes are drawn where their left edge is not drawn yet, narrow ones merged.
  void drawBox(const ArenaBox &box) {
    float scale = picture_.scale;
    bool isShown = box.row == shownRow_ || box.row == pinnedRow_;
    const ByteRange &range = function_.ranges[box.row];
    double least = LeastPixels * scale, height = (box.end - box.begin) * pointHeight_;
    if (static_cast<double>(range.end - range.begin) * byteWidth_ < least && !isShown) {
      auto y = static_cast<float>(top_ + box.begin * pointHeight_);
      bands_.add(static_cast<float>(left_ + static_cast<double>(range.begin) * byteWidth_), y,
                 y + static_cast<float>(height), box.row);
      return;
    }
    Box at = layout_.boxOf(box);
    if (height < least / 2 && !isShown) {
      auto column = static_cast<size_t>(std::clamp(at.min.x - plot_.min.x, 0.0F, plot_.width()));
      if (at.max.y <= drawnTo_[column] + 1)
        return;
      drawnTo_[column] = at.max.y;
    }
    at.max.x = std::max(at.max.x, at.min.x + (isShown ? LeastShownPixels : LeastPixels) * scale);
    at.max.y =
        std::max(at.max.y, at.min.y + (isShown ? LeastShownPixels : LeastHeightPixels) * scale);
    Emphasis emphasis = emphasisOf(box.row);
    drawBuffer(function_.buffers[box.row], at, emphasis == Emphasis::Dimmed);
    if (std::min(at.width(), at.height()) >= picture_.line * 0.9F) // else no name fits
      names_.push_back({box.row, at, emphasis == Emphasis::Dimmed});
    if (emphasis != Emphasis::None && emphasis != Emphasis::Dimmed)
      marked_.push_back({at, emphasis});
  }

  Emphasis emphasisOf(uint32_t row) const {
    Emphasis emphasis = shown_.emphasisOf(function_.buffers[row].buffer);
    if (emphasis != Emphasis::Dimmed)
      return emphasis;
    if (!shownRow_)
      return Emphasis::None;
    const ByteRange &a = function_.ranges[row], &b = function_.ranges[*shownRow_];
    return a.begin < b.end && b.begin < a.end ? Emphasis::Shares : Emphasis::Dimmed;
  }

  void drawBuffer(const ArenaRow &row, const Box &at, bool isDimmed) const {
    const Picture &p = picture_;
    float alpha = isDimmed ? Theme::DimmedAlpha : 1;
    if (isDimmed)
      p.fill(at, p.color(Meaning::Background)); // what lies under it does not shine through
    p.fill(at, p.theme.bufferFill(row.hueDegrees, alpha));
    if (at.width() < LeastPixels * p.scale || at.height() < LeastPixels * p.scale)
      return;
    drawPadding(row, at);
    ImU32 line = p.theme.bufferLine(row.hueDegrees, alpha);
    drawVersions(row, at, isDimmed);
    if (!row.viewOf.empty())
      p.dashedOutline(at, line);
    else
      p.outline(at, line);
  }

  void drawVersions(const ArenaRow &row, const Box &at, bool isDimmed) const {
    const Picture &p = picture_;
    if (row.versions < 2 || row.versions > MostVersions || row.strideBytes <= 0)
      return;
    double width = static_cast<double>(row.strideBytes) * zoom_.x.unitPixels();
    if (width < LeastPixels * p.scale)
      return;
    ImU32 line = p.theme.bufferLine(row.hueDegrees, isDimmed ? Theme::DimmedAlpha : 1);
    for (int64_t index = 0; index != row.versions; ++index) {
      auto left = zoom_.pixelX(static_cast<double>(row.offsetBytes + index * row.strideBytes));
      Box cell{ImVec2(left, at.min.y), ImVec2(left + static_cast<float>(width), at.max.y)};
      if (index > 0)
        p.vertical(left, at.min.y, at.max.y, line);
      drawVersion(row, index, cell, isDimmed);
    }
  }

  void drawVersion(const ArenaRow &row, int64_t index, Box cell, bool isDimmed) const {
    const Picture &p = picture_;
    Emphasis emphasis = shown_.emphasisOf(row.buffer, index);
    if (emphasis != Emphasis::None) {
      p.fill(cell, p.theme.bufferLine(row.hueDegrees, 0.35F));
      drawEmphasis(p,
                   {ImVec2(cell.min.x + 3 * p.scale, cell.min.y + 3 * p.scale),
                    ImVec2(cell.max.x - 3 * p.scale, cell.max.y - 3 * p.scale)},
                   emphasis);
    }
    // The name takes the room: two lines of it in the middle, or all of it upright.
    float nameWidth = p.widthOf(row.name);
    bool isUpright = nameWidth > static_cast<float>(row.versions) * cell.width();
    if (cell.height() < 5 * p.line + (isUpright ? nameWidth : 0))
      return;
    cell.min.x += 7 * p.scale;
    cell.min.y += 6 * p.scale;
    cell.max.y = cell.min.y + p.line;
    std::string name = "[" + std::to_string(index) + "]";
    if (cell.width() > p.widthOf(name))
      p.label(cell, name, isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferText(row.hueDegrees));
  }

  void drawPadding(const ArenaRow &row, const Box &at) const {
    if (row.paddingBytes <= 0)
      return;
    float left = zoom_.pixelX(static_cast<double>(row.offsetBytes - row.paddingBytes));
    picture_.hatch({ImVec2(left, at.min.y), ImVec2(at.min.x, at.max.y)},
                   picture_.color(Meaning::Padding));
  }

  void drawConflicts() const {
    const Picture &p = picture_;
    for (const ArenaConflict &conflict : function_.conflicts) {
      Box box = layout_.boxOf(conflict);
      box.max.x = std::max(box.max.x, box.min.x + 2 * p.scale);
      box.max.y = std::max(box.max.y, box.min.y + 2 * p.scale);
      p.fill(box, p.color(Meaning::BadFill));
      p.outline(box, p.color(Meaning::Bad), 2);
    }
  }

  const ArenaLayout &layout_;
  const ArenaFunction &function_;
  const ZoomView &zoom_;
  const Picture &picture_;
  const Box &plot_;
  const ShownPick &shown_;
  std::optional<uint32_t> shownRow_, pinnedRow_;
  double byteWidth_, pointHeight_; // pixels
  double left_, top_;              // of byte 0 and point 0
  ColumnBands bands_;              // of what is too narrow
  std::vector<float> drawnTo_;     // by column of pixels
  std::vector<std::pair<Box, Emphasis>> marked_;
  std::vector<ArenaBoxName> names_;
};

} // namespace

std::vector<ArenaBoxName> drawArenaBoxes(const ArenaLayout &layout, const Picture &picture,
                                         const Box &plot, const ShownPick &shown) {
  return BoxDrawing(layout, picture, plot, shown).draw();
}

void drawArenaPointers(const ArenaLayout &layout, const Picture &picture, const Box &plot,
                       const ShownPick &shown) {
  auto point = [&](BufferId buffer) {
    if (std::optional<Region> region = layout.regionOf(buffer))
      drawPointer(picture, plot, layout.boxOf(*region),
                  layout.function().buffers[*layout.rowOf(buffer)].name, shown.emphasisOf(buffer));
  };
  if (shown.buffer() != shown.pinnedBuffer())
    point(shown.buffer());
  point(shown.pinnedBuffer());
}

// Dashed: nobody knows yet where they lie.
void drawArenaStrip(const ArenaLayout &layout, const Picture &picture, const Box &strip,
                    const ShownPick &shown) {
  const Picture &p = picture;
  const std::vector<OutsideBox> &outsides = layout.function().outside;
  bool hasShown = llvm::any_of(
      outsides, [&](const OutsideBox &outside) { return outside.buffer == shown.buffer(); });
  for (const OutsideBox &outside : outsides)
    for (const LiveInterval &interval : layout.livesOf(outside)) {
      Box box = layout.boxOf(p, outside, interval, strip);
      if (box.max.y < strip.min.y || box.min.y > strip.max.y)
        continue;
      Emphasis emphasis = shown.emphasisOf(outside.buffer);
      bool isDimmed = emphasis == Emphasis::Dimmed && (hasShown || layout.rowOf(shown.buffer()));
      p.fill(box, p.theme.bufferFill(outside.hueDegrees, isDimmed ? Theme::DimmedAlpha : 1));
      p.dashedOutline(box, p.theme.bufferLine(outside.hueDegrees));
      drawEmphasis(p, box, emphasis);
      Box seen{ImVec2(box.min.x, std::max(box.min.y, strip.min.y)),
               ImVec2(box.max.x, std::min(box.max.y, strip.max.y))};
      std::string text = outside.name + ", " + outside.detail;
      if (p.widthOf(text) > seen.height())
        text = outside.name;
      if (p.widthOf(text) <= seen.height()) // else a tooltip tells it
        p.uprightLabel(seen, text,
                       isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferText(outside.hueDegrees));
    }
}

} // namespace tilescope
