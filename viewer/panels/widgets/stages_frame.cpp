// Around the slots of a stages_plot.h: steps, names, commits and waits.
#include "viewer/panels/widgets/stages_plot.h"

namespace tilescope {

void StagesPlot::drawSteps(const Box &gutter, const Box &plot, const ShownPick &shown) const {
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
  drawNames(gutter, plot, shown);
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
    p.label(box, nameOf(loop_.rows[row]), p.theme.bufferLine(loop_.rows[row].hueDegrees));
  }
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
      p.fill({at, ImVec2(at.x + p.widthOf(text), at.y + p.line)}, p.color(Meaning::Background));
      p.text(at, text, p.color(Meaning::Quiet));
    };
    for (const AxisLabel &label : mergeLabels(labels[isWait], p.character / 2, widthOf))
      drawOver(ImVec2(static_cast<float>(label.begin), y), label.text);
  }
}

} // namespace tilescope
