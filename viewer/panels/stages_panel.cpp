// Panel `stages`: slots of tiles down, the steps of pipelined loops across.
#include "viewer/panels/widgets/stages_plot.h"

namespace tilescope {

namespace {

class StagesPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    drawStaleMark(context);
    const StagesView &view =
        view_.get(PassKey::of(context), [&] { return buildStages(*context.state()); });
    if (view.loops.empty()) {
      std::string why = "After " + view.pass + ": " + view.summary + ".";
      for (const std::string &reason : view.reasons)
        why += "\n" + reason;
      drawEmpty(context, why,
                view.reasons.empty() ? "" : "T.Pipelined(..., num_stages=2) asks for a pipeline.");
      return;
    }
    shown_.update(context);
    Picture picture(context.theme);
    std::vector<StagesPlot> plots;
    double row = 0, ticks = 1;
    for (const StagesLoop &loop : view.loops) {
      plots.emplace_back(loop, picture, zoom_, row, ImGui::GetContentRegionAvail().x);
      row = plots.back().end();
      ticks = std::max(ticks, plots.back().ticks());
    }
    drawPlots(context, picture, plots, {{0, ticks}, {0, row}});
  }

private:
  void drawPlots(PanelContext &context, const Picture &picture,
                 const std::vector<StagesPlot> &plots, Region domain) {
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    float gutterWidth = 0;
    std::optional<Region> target;
    for (const StagesPlot &plot : plots) {
      gutterWidth = std::max(gutterWidth, plot.gutterWidth(room.x));
      if (!target)
        target = plot.regionOf(shown_);
    }
    float legend = legendHeight(picture, room.x, StagesPlot::legend());
    drawLegend(picture, {min, ImVec2(min.x + room.x, min.y + legend)}, StagesPlot::legend());
    Box area{ImVec2(min.x, min.y + legend), ImVec2(min.x + room.x, min.y + room.y)};
    Box plot{ImVec2(area.min.x + gutterWidth, area.min.y), area.max};
    zoom_.update(context, "stages", area, plot, domain, StagesPlot::rowHeight(picture), target);
    picture.clip(area);
    for (const StagesPlot &loop : plots)
      loop.draw({area.min, ImVec2(plot.min.x, area.max.y)}, plot, shown_);
    picture.unclip();
    if (!zoom_.isHovered())
      return;
    Pick pick;
    for (const StagesPlot &loop : plots)
      if (pick.isEmpty())
        pick = loop.pickAt(context, plot, zoom_.mouse());
    if (pick.isEmpty())
      return;
    context.selection.hovered = pick;
    if (zoom_.isClicked())
      context.selection.pin(pick);
  }

  CachedView<StagesView, PassKey> view_;
  ShownPick shown_;
  ZoomView zoom_;
};

} // namespace

std::unique_ptr<Panel> makeStagesPanel() { return std::make_unique<StagesPanel>(); }

} // namespace tilescope
