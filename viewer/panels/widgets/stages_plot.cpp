#include "viewer/panels/widgets/stages_plot.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float MarkPixels = 5;

} // namespace

double StagesPlot::end() const {
  return loop_.stages.refusal.empty() ? syncRow() + 3.5 : first_ + 3;
}

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
      region = Region{{0, ticks()}, {at, at}};
    region->y.end = at + 1;
  }
  return region;
}

Box StagesPlot::boxOf(double begin, double end, double row) const {
  return {ImVec2(zoom_.pixelX(begin), zoom_.pixelY(row)),
          ImVec2(zoom_.pixelX(end), zoom_.pixelY(row + 1))};
}

float StagesPlot::alphaOf(size_t row, const ShownPick &shown) const {
  bool isOther = shown.buffer().isValid() && loop_.rows[row].buffer != shown.buffer();
  return isOther && regionOf(shown) ? 0.4F : 1;
}

void StagesPlot::draw(const Box &gutter, const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  std::string line = loop_.sourceLine ? ", line " + std::to_string(loop_.sourceLine) : "";
  Box title = boxOf(0, 0, first_);
  title.min.x = gutter.min.x + p.character / 2;
  title.max.x = plot.max.x;
  bool isShown = shown.stmt().isValid() && shown.stmt() == loop_.stages.loop;
  p.hoverLabel(title, loop_.stages.function + line + ": " + headingOf(loop_) + "; " + loop_.text,
               p.color(isShown ? Meaning::Accent : Meaning::Text));
  if (!loop_.stages.refusal.empty()) {
    title.min.y = zoom_.pixelY(first_ + 1);
    title.max.y = zoom_.pixelY(first_ + 2);
    p.label(title, loop_.stages.refusal, p.color(Meaning::Quiet));
    return;
  }
  drawSteps(gutter, plot);
  p.clip(plot);
  drawTenancies(plot, shown);
  drawArrows(plot, shown);
  drawEvents(shown);
  drawSyncs(shown);
  p.unclip();
  title.min.y = zoom_.pixelY(syncRow() + 2);
  title.max.y = zoom_.pixelY(syncRow() + 3);
  p.hoverLabel(title, bytesText(), p.color(Meaning::Quiet));
}

std::string StagesPlot::bytesText() const {
  std::string text = "live at most: " + kibText(loop_.bodyBytes) + " in the loop";
  if (loop_.prologueBytes != 0 && loop_.prologueBytes != loop_.bodyBytes)
    text += ", " + kibText(loop_.prologueBytes) + " in the prologue";
  if (loop_.epilogueBytes != 0 && loop_.epilogueBytes != loop_.bodyBytes)
    text += ", " + kibText(loop_.epilogueBytes) + " in the epilogue";
  if (loop_.nextStageBytes)
    text += "; one more stage: " + kibText(*loop_.nextStageBytes);
  if (loop_.nextStageBytes && !loop_.stages.isPlanned)
    text += loop_.freeBytes < 0 ? "; " + kibText(-loop_.freeBytes) + " over the capacity"
                                : "; " + kibText(loop_.freeBytes) + " are free";
  return text;
}

void StagesPlot::drawSteps(const Box &gutter, const Box &plot) const {
  const Picture &p = picture_;
  p.clip({ImVec2(plot.min.x, plot.min.y), plot.max});
  float top = zoom_.pixelY(first_ + 1), bottom = zoom_.pixelY(syncRow() + 2);
  for (size_t i = 0; i != loop_.steps.size(); ++i) {
    const StageStep &step = loop_.stages.steps[i];
    Box box{ImVec2(zoom_.pixelX(static_cast<double>(step.begin)), top),
            ImVec2(zoom_.pixelX(static_cast<double>(step.end)), zoom_.pixelY(first_ + 2))};
    if (i % 2 == 1)
      p.fill({box.min, ImVec2(box.max.x, bottom)}, p.color(Meaning::Faint, 0.5F));
    p.vertical(box.min.x, top, bottom, p.color(Meaning::Border));
    if (step.kind == StageStep::Kind::LeftOut) {
      p.zigzag({ImVec2(box.min.x + p.scale, box.min.y + p.line / 2),
                ImVec2(box.max.x, box.max.y - p.line / 2)},
               p.color(Meaning::Quiet));
      continue;
    }
    box.min.x += 2 * p.scale;
    p.centeredLabel(box, loop_.steps[i].name, p.color(Meaning::Quiet));
  }
  p.unclip();
  for (size_t row = 0; row <= loop_.rows.size(); ++row) {
    Box box = boxOf(0, 0, slotRow() + static_cast<double>(row));
    box.min.x = gutter.min.x + p.character / 2;
    box.max.x = gutter.max.x - p.character / 2;
    if (row == loop_.rows.size())
      p.label(box, "groups", p.color(Meaning::Quiet));
    else
      p.label(box, nameOf(loop_.rows[row]), p.theme.bufferLine(loop_.rows[row].hueDegrees));
    p.horizontal(gutter.min.x, plot.max.x, box.min.y, p.color(Meaning::Faint));
  }
}

// In flight: hatched. Arrived: full.
void StagesPlot::drawTenancies(const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  for (const StageTenancy &tenancy : loop_.stages.tenancies) {
    const StagesRow &row = loop_.rows[tenancy.row];
    Box box = boxOf(static_cast<double>(tenancy.begin), static_cast<double>(tenancy.end),
                    slotRow() + static_cast<double>(tenancy.row));
    if (box.max.x < plot.min.x || box.min.x > plot.max.x || box.max.y < plot.min.y ||
        box.min.y > plot.max.y)
      continue;
    box.min.y += 3 * p.scale;
    box.max.y -= 3 * p.scale;
    float alpha = alphaOf(tenancy.row, shown);
    ImU32 line = p.theme.bufferLine(row.hueDegrees, alpha);
    Box ready = box;
    ready.min.x = zoom_.pixelX(static_cast<double>(tenancy.ready));
    p.fill(box, p.theme.bufferFill(row.hueDegrees, alpha * 0.45F));
    p.fill(ready, p.theme.bufferFill(row.hueDegrees, alpha));
    if (ready.min.x > box.min.x)
      p.hatch({box.min, ImVec2(ready.min.x, box.max.y)},
              p.theme.bufferLine(row.hueDegrees, 0.4F * alpha));
    p.outline(box, line);
    // Beside the mark of the fill.
    std::string text = toText(tenancy.tile);
    float x = zoom_.pixelX(static_cast<double>(tenancy.begin) + 0.5) + (MarkPixels + 3) * p.scale;
    if (x + p.widthOf(text) < box.max.x)
      p.text(ImVec2(x, std::round((box.min.y + box.max.y - p.line) / 2)), text, line);
  }
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
  ImU32 paper = p.color(Meaning::Background);
  ImVec2 left(at.x - r, at.y - r), right(at.x + r, at.y - r), tip(at.x, at.y + r);
  switch (event.access) {
  case StageAccess::Fill:
    p.list->AddTriangleFilled(left, right, tip, color);
    break;
  case StageAccess::AsyncFill:
    p.list->AddTriangleFilled(left, right, tip, paper);
    p.list->AddTriangle(left, right, tip, color, 1.5F * p.scale);
    break;
  case StageAccess::Update:
    p.list->AddRectFilled(left, ImVec2(at.x + r, at.y + r), color);
    break;
  case StageAccess::Read:
    p.list->AddCircleFilled(at, r, color, 12);
    break;
  }
}

// Groups that are committed stand above, waits with what they end below.
void StagesPlot::drawSyncs(const ShownPick &shown) const {
  const Picture &p = picture_;
  float tick = static_cast<float>(zoom_.x.unitPixels());
  for (const StageSync &sync : loop_.stages.syncs) {
    bool isShown = shown.stmt().isValid() && sync.stmt == shown.stmt();
    ImU32 color = p.color(isShown ? Meaning::Accent : Meaning::Quiet);
    double at = static_cast<double>(sync.tick);
    Box box = boxOf(at, at + 1, syncRow() + (sync.isWait ? 1 : 0));
    float x = zoom_.pixelX(at + (sync.isWait ? 0 : 1));
    if (sync.isWait)
      p.dashedVertical(x, zoom_.pixelY(slotRow()), box.max.y, color);
    std::string text;
    for (const StageNumber &group : sync.groups)
      text += (text.empty() ? "" : " ") + ("g" + toText(group, "m"));
    if (text.empty())
      continue;
    // A label may take the room of the ticks beside it that say nothing.
    box.min.x += sync.isWait ? 3 * p.scale : -tick / 2;
    box.max.x += sync.isWait ? 2 * tick : tick / 2;
    p.label(box, text, color);
  }
}

} // namespace tilescope
