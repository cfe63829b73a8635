// Panel `arena`: addresses across, program points down. The pinned buffer can be moved.
#include "viewer/panels/facet_view.h"
#include "viewer/panels/widgets/arena_drag.h"
#include "viewer/panels/widgets/arena_moment.h"

namespace tilescope {

namespace {

class ArenaPanel : public Panel {
public:
  bool isReady(uint64_t revision, const TraceSnapshot &facets) const override {
    return view_.isReady(revision, facets);
  }

  void draw(PanelContext &context) override {
    const ArenaView &view = view_.get(context, buildArenaOfFacets, completeArena);
    if (view.functions.empty()) {
      drawEmpty(context, "No shared memory after " + view.pass + ".",
                "Buffers of T.alloc_shared fill this picture, as soon as a statement uses them.");
      return;
    }
    shown_.update(context);
    Picture picture(context.theme);
    ArenaStack arenas(view, picture, zoom_);
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    ArenaParts parts = arenas.partsOf({min, ImVec2(min.x + room.x, min.y + room.y)},
                                      arenas.gutterWidth(room.x), arenas.headlineHeight(room.x));
    zoom_.update(context, "arena", parts.area, parts.plot,
                 {{0, static_cast<double>(view.scaleBytes) * 1.01}, {0, arenas.end()}},
                 ImGui::GetTextLineHeightWithSpacing(), arenas.regionOf(shown_.buffer()));
    arenas.draw(parts, shown_);
    arenas.notePlaces(context.places, parts);
    moment_.draw(context, arenas, picture, parts.plot);
    zoom_.drawBars(context, /*isHinted=*/true);
    Pick pick;
    if (zoom_.isHovered())
      pick = arenas.pickAt(context, parts);
    drag_.update(context, zoom_, arenas, parts, picture, pick);
    if (pick.isEmpty())
      return;
    context.selection.hovered = pick;
    if (zoom_.isClicked())
      context.selection.pin(pick);
  }

private:
  FacetView<ArenaView> view_;
  ShownPick shown_;
  ZoomView zoom_;
  ArenaDrag drag_;
  ArenaMoment moment_;
};

} // namespace

std::unique_ptr<Panel> makeArenaPanel() { return std::make_unique<ArenaPanel>(); }

} // namespace tilescope
