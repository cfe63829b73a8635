#include "viewer/panels/widgets/stages_plot.h"

#include "core/views/stages_contents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float MarkPixels = 5;

constexpr LegendItem Legend[] = {{"filled", drawLegendMark<AccessMark::Fill>},
                                 {"copy starts", drawLegendMark<AccessMark::Copy>},
                                 {"changed", drawLegendMark<AccessMark::Both>},
                                 {"read", drawLegendMark<AccessMark::Read>},
                                 {"in flight", drawLegendHatch},
                                 {"holds tile N", drawLegendFill},
                                 {"waits for groups", drawLegendDashes}};

} // namespace

llvm::ArrayRef<LegendItem> StagesPlot::legend() { return Legend; }

StagesPlot::StagesPlot(const StagesLoop &loop, const Picture &picture, const ZoomView &zoom,
                       double first, float width)
    : loop_(loop), picture_(picture), zoom_(zoom), first_(first) {
  float room = width - picture.character - ImGui::GetStyle().ScrollbarSize; // that lies over it
  title_ = linesOfHeadline(titleText(), room);
  std::string all = titleText() + "; " + loop.text;
  if (picture.widthOf(all) <= room)
    title_ = {all};
  std::string ending = isRefused() ? loop.stages.refusal : bytesText(loop, kibText);
  if (std::string slots = slotsText(loop); !slots.empty() && !isRefused())
    ending = slots + "; " + ending;
  ending_ = linesOfHeadline(ending, room);
}

std::string StagesPlot::titleText() const {
  return loop_.stages.function + lineText(", line ", loop_.sourceLine) + ": " + headingOf(loop_);
}

double StagesPlot::end() const { return endRow() + static_cast<double>(ending_.size()) + 0.5; }

double StagesPlot::ticks() const {
  return loop_.stages.steps.empty() ? 1 : static_cast<double>(loop_.stages.steps.back().end);
}

float StagesPlot::gutterWidth(float room) const {
  size_t longest = 8;
  for (const StagesRow &row : loop_.rows)
    longest = std::max(longest, nameOf(row).size());
  return std::min((static_cast<float>(longest) + 2) * picture_.character, room * 0.4F);
}

std::optional<Region> StagesPlot::regionOf(const ShownPick &shown) const {
  std::optional<Region> region;
  for (size_t row = 0; row != loop_.rows.size(); ++row) {
    if (!shown.buffer().isValid() || loop_.rows[row].buffer != shown.buffer())
      continue;
    double at = slotRow() + static_cast<double>(row);
    if (!region)
      region = Region{{0, ticks()}, {stepRow(), at}}; // with the names of the steps
    region->y.end = at + 1;
  }
  return region;
}

Box StagesPlot::boxOf(double begin, double end, double row) const {
  return {ImVec2(zoom_.pixelX(begin), zoom_.pixelY(row)),
          ImVec2(zoom_.pixelX(end), zoom_.pixelY(row + 1))};
}

// A slot of the pinned or hovered version stands out among those of its buffer.
Emphasis StagesPlot::emphasisOf(size_t index, const ShownPick &shown) const {
  const StagesRow &row = loop_.rows[index];
  Emphasis emphasis = shown.emphasisOf(row.buffer);
  if (emphasis == Emphasis::Dimmed)
    return regionOf(shown) ? emphasis : Emphasis::None;
  int64_t version = emphasis == Emphasis::Pinned ? shown.pinnedVersion() : shown.version();
  if (emphasis == Emphasis::None || version < 0 || version == row.slot)
    return emphasis;
  return shown.emphasisOf(row.buffer, row.slot);
}

float StagesPlot::alphaOf(size_t row, const ShownPick &shown) const {
  return emphasisOf(row, shown) == Emphasis::Dimmed ? Theme::DimmedAlpha : 1;
}

void StagesPlot::drawLines(const Box &gutter, const Box &plot, double row,
                           llvm::ArrayRef<std::string> lines, ImU32 color) const {
  for (const std::string &line : lines) {
    Box box = boxOf(0, 0, row);
    box.min.x = gutter.min.x + picture_.character / 2;
    box.max.x = plot.max.x;
    picture_.label(box, line, color);
    row += 1;
  }
}

void StagesPlot::draw(const Box &gutter, const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  bool isShown = shown.stmt().isValid() && shown.stmt() == loop_.stages.loop;
  drawLines(gutter, plot, first_, title_, p.color(isShown ? Meaning::Accent : Meaning::Text));
  drawLines(gutter, plot, endRow(), ending_, p.color(Meaning::Quiet));
  if (isRefused())
    return;
  drawSteps(gutter, plot);
  drawNames(gutter, plot, shown);
  p.clip(plot);
  drawOccupancies(plot, shown);
  drawArrows(plot, shown);
  drawEvents(shown);
  drawSyncs(shown);
  p.unclip();
}

// In flight: hatched. Arrived: full.
void StagesPlot::drawOccupancies(const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  for (const SlotOccupancy &occupancy : loop_.stages.occupancies) {
    const StagesRow &row = loop_.rows[occupancy.row];
    Box box = boxOf(static_cast<double>(occupancy.begin), static_cast<double>(occupancy.end),
                    slotRow() + static_cast<double>(occupancy.row));
    if (box.max.x < plot.min.x || box.min.x > plot.max.x || box.max.y < plot.min.y ||
        box.min.y > plot.max.y)
      continue;
    box.min.y += 3 * p.scale;
    box.max.y -= 3 * p.scale;
    float alpha = alphaOf(occupancy.row, shown);
    ImU32 line = p.theme.bufferLine(row.hueDegrees, alpha);
    Box ready = box;
    ready.min.x = zoom_.pixelX(static_cast<double>(occupancy.ready));
    p.fill(box, p.theme.bufferFill(row.hueDegrees, alpha * 0.45F));
    p.fill(ready, p.theme.bufferFill(row.hueDegrees, alpha));
    if (ready.min.x > box.min.x)
      p.hatch({box.min, ImVec2(ready.min.x, box.max.y)},
              p.theme.bufferLine(row.hueDegrees, 0.4F * alpha));
    p.outline(box, line);
    drawEmphasis(p, box, emphasisOf(occupancy.row, shown));
    std::string text = toText(occupancy.tile);
    float width = p.widthOf(text);
    std::optional<float> place = placeOfNumber(occupancy, box, width);
    if (!place)
      continue;
    float x = *place;
    p.fill({ImVec2(x - p.scale, box.min.y + 2 * p.scale),
            ImVec2(x + width + p.scale, box.max.y - 2 * p.scale)},
           p.color(Meaning::Background, 0.75F * alpha)); // hatching would cross it
    p.text(ImVec2(x, std::round((box.min.y + box.max.y - p.line) / 2)), text, line);
  }
}

// Behind the mark of the fill, or behind the first mark that leaves room before the next.
std::optional<float> StagesPlot::placeOfNumber(const SlotOccupancy &occupancy, const Box &box,
                                               float width) const {
  float reach = (MarkPixels + 3) * picture_.scale;
  auto middleOf = [&](int64_t tick) { return zoom_.pixelX(static_cast<double>(tick) + 0.5); };
  std::vector<float> marks{middleOf(occupancy.begin)};
  for (const StageEvent &event : loop_.stages.events)
    if (event.row == occupancy.row && event.tick > occupancy.begin && event.tick < occupancy.end)
      marks.push_back(middleOf(event.tick));
  llvm::sort(marks);
  for (size_t i = 0; i != marks.size(); ++i) {
    float end = i + 1 == marks.size() ? box.max.x : marks[i + 1] - reach;
    if (marks[i] + reach + width < end)
      return marks[i] + reach;
  }
  return std::nullopt;
}

ImVec2 StagesPlot::centerOf(const StageEvent &event) const {
  return ImVec2(zoom_.pixelX(static_cast<double>(event.tick) + 0.5),
                zoom_.pixelY(slotRow() + static_cast<double>(event.row) + 0.5));
}

// From the fill to what reads it.
void StagesPlot::drawArrows(const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  for (const StageEvent &event : loop_.stages.events) {
    if (event.producer == StageEvent::None || event.access != StageAccess::Read)
      continue;
    const StageEvent &fill = loop_.stages.events[event.producer];
    ImVec2 from = centerOf(fill), to = centerOf(event);
    from.x += MarkPixels * p.scale + p.widthOf(toText(fill.tile)) + 5 * p.scale;
    if (to.x < plot.min.x || from.x > plot.max.x || to.x - from.x < 3 * MarkPixels * p.scale)
      continue;
    const StagesRow &row = loop_.rows[event.row];
    ImU32 color = p.theme.bufferLine(row.hueDegrees, alphaOf(event.row, shown));
    float head = to.x - MarkPixels * p.scale - 2 * p.scale, size = 4 * p.scale;
    p.list->AddLine(from, ImVec2(head, to.y), color, p.scale);
    p.list->AddTriangleFilled(ImVec2(head - size, to.y - size), ImVec2(head, to.y),
                              ImVec2(head - size, to.y + size), color);
  }
}

void StagesPlot::drawEvents(const ShownPick &shown) const {
  const Picture &p = picture_;
  Stretch ticks = zoom_.x.shown(), rows = zoom_.y.shown();
  for (const StageEvent &event : loop_.stages.events) {
    auto tick = static_cast<double>(event.tick);
    double top = slotRow() + static_cast<double>(event.row);
    if (!ticks.meets(tick, tick + 1) || !rows.meets(top, top + 1))
      continue;
    const StagesRow &row = loop_.rows[event.row];
    bool isShown = shown.stmt().isValid() && event.stmt == shown.stmt();
    ImU32 color = isShown ? p.color(Meaning::Accent)
                          : p.theme.bufferLine(row.hueDegrees, alphaOf(event.row, shown));
    drawEvent(event, color);
  }
}

void StagesPlot::drawEvent(const StageEvent &event, ImU32 color) const {
  const Picture &p = picture_;
  ImVec2 at = centerOf(event);
  float tick = static_cast<float>(zoom_.x.unitPixels());
  float r = std::min(MarkPixels * p.scale, std::max(tick * 0.45F, p.scale));
  static constexpr AccessMark Marks[] = {AccessMark::Fill, AccessMark::Copy, AccessMark::Both,
                                         AccessMark::Read};
  drawAccessMark(p, Marks[static_cast<size_t>(event.access)], at, r, color);
}

} // namespace tilescope
