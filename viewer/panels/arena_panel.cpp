// Panel `arena`: addresses across, program points down.
#include "viewer/panels/facet_view.h"
#include "viewer/panels/widgets/arena_plot.h"

namespace tilescope {

namespace {

// The rows of the picture: a heading a function, its points, and what lies outside of the plan.
//
//     row 0        attention_kernel: 163,840 of 166,912 bytes
//     rows 1..     its program points
//     rows after   static arrays, buffers that are sized at launch
class ArenaPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const ArenaView &view = view_.get(context, buildArena, relabelArena);
    if (view.functions.empty()) {
      drawEmpty(context, "No shared memory after " + view.pass + ".",
                "Buffers of T.alloc_shared fill this picture, as soon as a statement uses them.");
      return;
    }
    shown_.update(context);
    Picture picture(context.theme);
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    std::vector<ArenaPlot> plots = plotsOf(view, picture);
    float gutter = 0;
    for (const ArenaPlot &plot : plots)
      gutter = std::max(gutter, plot.gutterWidth(room.x));
    Box area{ImVec2(min.x, min.y + ByteRuler::heightIn(picture)),
             ImVec2(min.x + room.x, min.y + room.y)};
    Box plot{ImVec2(area.min.x + gutter, area.min.y), area.max};
    zoom_.update(context, "arena", area, plot,
                 {{0, static_cast<double>(view.scaleBytes) * 1.01}, {0, plots.back().end()}},
                 ImGui::GetTextLineHeightWithSpacing(), targetOf(plots));
    ByteRuler ruler(picture, zoom_.x, plot.max.x, plots.front().rules());
    ruler.drawAbove(min.y);
    drawAll(plots, picture, ruler, {area.min, ImVec2(plot.min.x, area.max.y)}, plot);
    for (const ArenaPlot &function : plots)
      function.notePlaces(context.places, plot);
    pick(context, plots, {area.min, ImVec2(plot.min.x, area.max.y)}, plot);
  }

private:
  std::vector<ArenaPlot> plotsOf(const ArenaView &view, const Picture &picture) {
    std::vector<ArenaPlot> plots;
    double row = 0;
    for (const ArenaFunction &function : view.functions) {
      plots.emplace_back(function, picture, zoom_, row);
      row = plots.back().end();
    }
    return plots;
  }

  std::optional<Region> targetOf(const std::vector<ArenaPlot> &plots) const {
    for (const ArenaPlot &plot : plots)
      if (std::optional<Region> region = plot.regionOf(shown_.buffer()))
        return region;
    return std::nullopt;
  }

  void drawAll(const std::vector<ArenaPlot> &plots, const Picture &picture, const ByteRuler &ruler,
               const Box &gutter, const Box &plot) {
    picture.clip({gutter.min, plot.max});
    picture.fill(plot, picture.color(Meaning::Raised, 0.4F));
    ruler.drawUnder(plot);
    for (const ArenaPlot &function : plots)
      function.drawRows(gutter, plot, shown_);
    picture.unclip();
    picture.clip(plot);
    for (const ArenaPlot &function : plots)
      function.drawBuffers(plot, shown_);
    ruler.drawOver(plot);
    picture.unclip();
    picture.clip({gutter.min, plot.max});
    for (const ArenaPlot &function : plots)
      function.drawHeading(gutter, plot);
    picture.unclip();
  }

  void pick(PanelContext &context, const std::vector<ArenaPlot> &plots, const Box &gutter,
            const Box &plot) {
    if (!zoom_.isHovered())
      return;
    Pick pick;
    for (const ArenaPlot &function : plots) {
      if (pick.isEmpty())
        pick = function.statementAt(gutter, zoom_.mouse());
      if (pick.isEmpty())
        pick = function.bufferAt(context, plot, zoom_.mouse());
    }
    if (pick.isEmpty())
      return;
    context.selection.hovered = pick;
    if (zoom_.isClicked())
      context.selection.pin(pick);
  }

  FacetView<ArenaView> view_;
  ShownPick shown_;
  ZoomView zoom_;
};

} // namespace

std::unique_ptr<Panel> makeArenaPanel() { return std::make_unique<ArenaPanel>(); }

} // namespace tilescope
