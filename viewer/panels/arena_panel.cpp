// Panel `arena`: addresses across, program points down.
#include "viewer/panels/facet_view.h"
#include "viewer/panels/widgets/arena_plot.h"

namespace tilescope {

namespace {

// The rows of the picture: a heading a function, and its program points.
//
//     row 0        160 KiB of 163 KiB, 1 block/SM, optimal, attention_kernel
//     rows 1..     its program points
class ArenaPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    drawStaleMark(context);
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
    float gutter = 0, strip = 0;
    for (const ArenaPlot &plot : plots) {
      gutter = std::max(gutter, plot.gutterWidth(room.x));
      strip = std::max(strip, plot.stripWidth(room.x));
    }
    Parts parts;
    parts.area = {ImVec2(min.x, min.y + ByteRuler::heightIn(picture)),
                  ImVec2(min.x + room.x, min.y + room.y)};
    parts.plot = {ImVec2(min.x + gutter, parts.area.min.y),
                  ImVec2(parts.area.max.x - strip, parts.area.max.y)};
    parts.gutter = {parts.area.min, ImVec2(parts.plot.min.x, parts.area.max.y)};
    parts.strip = {ImVec2(parts.plot.max.x, parts.area.min.y), parts.area.max};
    zoom_.update(context, "arena", parts.area, parts.plot,
                 {{0, static_cast<double>(view.scaleBytes) * 1.01}, {0, plots.back().end()}},
                 ImGui::GetTextLineHeightWithSpacing(), targetOf(plots));
    ByteRuler ruler(picture, zoom_.x, min.x, parts.plot.max.x, plots.front().rules());
    ruler.drawAbove(min.y);
    drawAll(plots, picture, ruler, parts);
    for (const ArenaPlot &function : plots)
      function.notePlaces(context.places, parts.plot);
    pick(context, plots, parts);
  }

private:
  //     |      ruler       |
  //     | gutter | plot | strip |     the area is all three
  struct Parts {
    Box area, gutter, plot, strip;
  };

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
               const Parts &parts) {
    const Box &plot = parts.plot;
    picture.clip({parts.gutter.min, plot.max});
    picture.fill(plot, picture.color(Meaning::Raised, 0.4F));
    ruler.drawUnder(plot);
    for (const ArenaPlot &function : plots)
      function.drawRows(parts.gutter, plot, shown_);
    picture.unclip();
    picture.clip(plot);
    std::vector<std::vector<ArenaPlot::BoxName>> names;
    for (const ArenaPlot &function : plots)
      names.push_back(function.drawBuffers(plot, shown_));
    ruler.drawOver(plot);
    for (size_t i = 0; i != plots.size(); ++i) {
      plots[i].drawNames(names[i]);
      plots[i].drawPointers(plot, shown_);
    }
    picture.unclip();
    picture.clip(parts.area);
    for (const ArenaPlot &function : plots) {
      function.drawStrip(parts.strip, shown_);
      function.drawHeading(parts.area);
    }
    picture.unclip();
  }

  void pick(PanelContext &context, const std::vector<ArenaPlot> &plots, const Parts &parts) {
    if (!zoom_.isHovered())
      return;
    Pick pick;
    for (const ArenaPlot &function : plots) {
      if (pick.isEmpty())
        pick = function.statementAt(parts.gutter, zoom_.mouse());
      if (pick.isEmpty())
        pick = function.bufferAt(context, parts.plot, zoom_.mouse());
      if (pick.isEmpty())
        pick = function.outsideAt(context, parts.strip, zoom_.mouse());
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
