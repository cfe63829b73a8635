// Around the slots of a stages_plot.h: steps, names, commits and waits.
#include "viewer/panels/widgets/stages_plot.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float BandAlpha = 0.5F; // of every other step

// The name of a step, in pixels.
struct StepName {
  std::string text;
  float begin = 0, end = 0; // of the step
  float x = 0, width = 0;   // of the name
  bool isPlaced = false;
};

// In the middle of their steps; those that are wider than theirs reach into what is free beside it.
//
//     prologue|  0   |  1   |~| 30   |epilogue
void placeNames(std::vector<StepName> &names, float left, float right, float gap) {
  for (StepName &name : names) {
    name.x = std::round((name.begin + name.end - name.width) / 2);
    name.isPlaced = name.width <= name.end - name.begin;
  }
  for (size_t i = 0; i != names.size(); ++i) {
    StepName &name = names[i];
    float begin = left, end = right;
    for (size_t j = i; j-- > 0 && begin == left;)
      if (names[j].isPlaced)
        begin = names[j].x + names[j].width + gap;
    for (size_t j = i + 1; j != names.size() && end == right; ++j)
      if (names[j].isPlaced)
        end = names[j].x - gap;
    if (name.isPlaced || end - begin < name.width)
      continue;
    bool isFirst = i == 0, isLast = i + 1 == names.size(); // beside them is most room
    float wanted = isFirst ? name.end - name.width - gap / 2 : isLast ? name.begin : name.x;
    name.x = std::clamp(wanted, begin, end - name.width);
    name.isPlaced = true;
  }
}

} // namespace

void StagesPlot::drawSteps(const Box &gutter, const Box &plot) const {
  const Picture &p = picture_;
  p.clip(plot);
  float top = zoom_.pixelY(stepRow()), bottom = zoom_.pixelY(endRow());
  for (size_t i = 0; i != loop_.steps.size(); ++i) {
    const StageStep &step = loop_.stages.steps[i];
    Box box{ImVec2(zoom_.pixelX(static_cast<double>(step.begin)), top),
            ImVec2(zoom_.pixelX(static_cast<double>(step.end)), zoom_.pixelY(slotRow()))};
    if (i % 2 == 1)
      p.fill({box.min, ImVec2(box.max.x, bottom)}, p.color(Meaning::Faint, BandAlpha));
    p.vertical(box.min.x, top, bottom, p.color(Meaning::Border));
    if (step.kind == StageStep::Kind::LeftOut)
      p.zigzag({ImVec2(box.min.x + p.scale, box.min.y + p.line / 2),
                ImVec2(box.max.x, box.max.y - p.line / 2)},
               p.color(Meaning::Quiet));
  }
  p.unclip();
  drawStepNames(gutter, plot);
}

void StagesPlot::drawStepNames(const Box &gutter, const Box &plot) const {
  const Picture &p = picture_;
  std::vector<StepName> names;
  for (size_t i = 0; i != loop_.steps.size(); ++i) {
    const StageStep &step = loop_.stages.steps[i];
    StepName name;
    name.begin = std::max(zoom_.pixelX(static_cast<double>(step.begin)), plot.min.x);
    name.end = std::min(zoom_.pixelX(static_cast<double>(step.end)), plot.max.x);
    if (name.end <= name.begin)
      continue;
    bool isLeftOut = step.kind == StageStep::Kind::LeftOut; // a zigzag fills it
    name.text = isLeftOut ? "" : loop_.steps[i].name;
    name.width = isLeftOut ? name.end - name.begin : p.widthOf(name.text);
    names.push_back(std::move(name));
  }
  placeNames(names, gutter.min.x + p.character / 2, plot.max.x, p.character);
  Box row = boxOf(0, 0, stepRow());
  for (const StepName &name : names)
    p.label(
        {ImVec2(name.x, row.min.y), ImVec2(name.x + (name.isPlaced ? name.width : 0), row.max.y)},
        name.text, p.color(Meaning::Quiet));
}

Box StagesPlot::stepsOf(const Box &plot) const {
  if (tickCount(loop_) == 0)
    return {plot.min, plot.min};
  Box row = boxOf(0, 0, stepRow());
  return {ImVec2(plot.min.x, row.min.y), ImVec2(plot.max.x, row.max.y)};
}

int64_t StagesPlot::tickAt(float pixelX) const {
  return static_cast<int64_t>(std::floor(zoom_.x.unit(pixelX)));
}

// A line at the end of what happens, down to the last slot, with a handle among the steps.
void StagesPlot::drawMoment(const Box &plot, int64_t tick) const {
  const Picture &p = picture_;
  float x = zoom_.pixelX(static_cast<double>(tick) + 0.5);
  float top = zoom_.pixelY(stepRow()), size = 5 * p.scale;
  ImU32 color = p.color(Meaning::Accent);
  p.clip(plot);
  p.vertical(x, top, zoom_.pixelY(syncRow()), color, 2);
  p.list->AddTriangleFilled(ImVec2(x - size, top), ImVec2(x + size, top), ImVec2(x, top + size),
                            color);
  p.unclip();
}

// Of the slots, and of the rows below them.
void StagesPlot::drawNames(const Box &gutter, const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  for (size_t row = 0; row <= loop_.rows.size() + 1; ++row) {
    Box box = boxOf(0, 0, slotRow() + static_cast<double>(row));
    box.min.x = gutter.min.x + p.character / 2;
    box.max.x = gutter.max.x - p.character / 2;
    p.horizontal(gutter.min.x, plot.max.x, box.min.y, p.color(Meaning::Faint));
    if (row >= loop_.rows.size()) {
      p.label(box, row == loop_.rows.size() ? "commits" : "waits", p.color(Meaning::Quiet));
      continue;
    }
    Emphasis emphasis = emphasisOf(row, shown);
    if (emphasis == Emphasis::Pinned || emphasis == Emphasis::Hovered)
      p.fill({ImVec2(gutter.min.x, box.min.y), ImVec2(gutter.max.x, box.max.y)},
             p.color(emphasis == Emphasis::Pinned ? Meaning::Selected : Meaning::Hovered));
    p.listing(box, nameOf(loop_.rows[row]), p.theme.bufferLine(loop_.rows[row].hueDegrees));
  }
}

bool StagesPlot::isBanded(double tick) const {
  for (size_t i = 1; i < loop_.steps.size(); i += 2) {
    const StageStep &step = loop_.stages.steps[i];
    if (static_cast<double>(step.begin) <= tick && tick < static_cast<double>(step.end))
      return true;
  }
  return false;
}

// Groups that are committed stand above, waits with what they end below.
void StagesPlot::drawSyncs(const ShownPick &shown) const {
  const Picture &p = picture_;
  std::vector<AxisLabel> labels[2]; // of commits and waits, in pixels
  for (const StageSync &sync : loop_.stages.syncs) {
    bool isShown = shown.stmt().isValid() && sync.stmt == shown.stmt();
    double at = static_cast<double>(sync.tick);
    float x = zoom_.pixelX(at + (sync.isWait ? 0 : 0.5));
    if (sync.isWait)
      p.dashedVertical(x, zoom_.pixelY(slotRow()), zoom_.pixelY(syncRow() + 2),
                       p.color(isShown ? Meaning::Accent : Meaning::Quiet));
    if (isShown && !sync.isWait)
      p.fill(boxOf(at, at + 1, syncRow()), p.color(Meaning::Selected));
    for (const StageNumber &group : sync.groups)
      labels[sync.isWait].push_back({"g" + toText(group, "m"), x + 3 * p.scale});
  }
  for (bool isWait : {false, true}) {
    float y = zoom_.pixelY(syncRow() + isWait) + 3 * p.scale;
    auto widthOf = [&](llvm::StringRef text) { return p.widthOf(text); };
    auto drawOver = [&](ImVec2 at, llvm::StringRef text) { // the lines of waits
      Box box{at, ImVec2(at.x + p.widthOf(text), at.y + p.line)};
      p.fill(box, p.color(Meaning::Background));
      if (isBanded(zoom_.x.unit(at.x)))
        p.fill(box, p.color(Meaning::Faint, BandAlpha));
      p.text(at, text, p.color(Meaning::Quiet));
    };
    for (const AxisLabel &label : mergeLabels(labels[isWait], p.character / 2, widthOf))
      drawOver(ImVec2(static_cast<float>(label.begin), y), label.text);
  }
}

} // namespace tilescope
