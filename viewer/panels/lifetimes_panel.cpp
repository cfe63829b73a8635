// Panel `lifetimes`: a lane a buffer, program points across.
#include "viewer/panels/facet_view.h"
#include "viewer/panels/widgets/lifetime_lanes.h"

namespace tilescope {

namespace {

class LifetimesPanel : public Panel {
public:
  bool isReady(uint64_t revision, const TraceSnapshot &facets) const override {
    return view_.isReady(revision, facets);
  }

  void draw(PanelContext &context) override {
    const LifetimesView &view = view_.get(context, buildLifetimesOfFacets, completeLifetimes);
    Picture picture(context.theme);
    std::vector<LifetimeLanes> parts;
    double row = 0, points = 0;
    for (const LifetimeFunction &function : view.functions) {
      if (function.lanes.empty())
        continue;
      parts.emplace_back(function, picture, zoom_, row);
      row = parts.back().end();
      points = std::max(points, static_cast<double>(function.points.size()));
    }
    if (parts.empty()) {
      drawEmpty(context, "No shared memory is read or written after " + view.pass + ".",
                "Statements that use buffers of T.alloc_shared fill these lanes.");
      return;
    }
    shown_.update(context);
    drawParts(context, picture, parts, {{0, points}, {0, row}});
  }

private:
  void drawParts(PanelContext &context, const Picture &picture,
                 const std::vector<LifetimeLanes> &parts, Region domain) {
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    float gutterWidth = 0;
    for (const LifetimeLanes &part : parts)
      gutterWidth = std::max(gutterWidth, part.gutterWidth(room.x));
    float legend = legendHeight(picture, room.x, LifetimeLanes::legend());
    Box area{ImVec2(min.x, min.y + legend), ImVec2(min.x + room.x, min.y + room.y)};
    Box plot{ImVec2(area.min.x + gutterWidth, area.min.y), area.max};
    Box gutter{area.min, ImVec2(plot.min.x, area.max.y)};
    std::optional<Region> target;
    for (const LifetimeLanes &part : parts)
      if (!target)
        target = part.regionOf(shown_.buffer());
    zoom_.update(context, "lifetimes", area, plot, domain, LifetimeLanes::laneHeight(picture),
                 target);
    drawLegend(picture, {min, ImVec2(area.max.x, area.min.y)}, LifetimeLanes::legend());
    picture.clip(area);
    for (const LifetimeLanes &part : parts)
      part.draw(gutter, plot, shown_);
    picture.unclip();
    zoom_.drawBars(context, /*isHinted=*/true);
    if (!zoom_.isHovered())
      return;
    Pick pick;
    for (const LifetimeLanes &part : parts)
      if (pick.isEmpty())
        pick = part.pickAt(context, gutter, plot, zoom_.mouse());
    if (pick.isEmpty())
      return;
    context.selection.hovered = pick;
    if (zoom_.isClicked())
      context.selection.pin(pick);
  }

  FacetView<LifetimesView> view_;
  ShownPick shown_;
  ZoomView zoom_;
};

} // namespace

std::unique_ptr<Panel> makeLifetimesPanel() { return std::make_unique<LifetimesPanel>(); }

} // namespace tilescope
