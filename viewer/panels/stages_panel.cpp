// Panel `stages`: slots of tiles down, the steps of pipelined loops across; of warps with roles,
// what each role does, iterations across, and who waits for whom. A moment of a loop is chosen
// along its steps.
#include "viewer/panels/widgets/handover_arrows.h"
#include "viewer/panels/widgets/role_plot.h"
#include "viewer/panels/widgets/stages_scrubber.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class StagesPanel : public Panel {
public:
  void draw(PanelContext &context) override {
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
    moment_ = scrubber_.update(context, view);
    shown_.update(context);
    Picture picture(context.theme);
    drawPlots(context, picture, view, plotsOf(view, picture, ImGui::GetContentRegionAvail().x));
  }

private:
  // Loops, then the roles of those whose warps have some, one below the other.
  struct Plots {
    std::vector<StagesPlot> loops;
    std::vector<RolePlot> roles;
    Region domain;
  };

  Plots plotsOf(const StagesView &view, const Picture &picture, float width) const {
    Plots plots;
    double row = 0, ticks = 0;
    for (const StagesLoop &loop : view.loops) {
      if (loop.stages.isInRole)
        continue;
      plots.loops.emplace_back(loop, picture, zoom_, row, width);
      row = plots.loops.back().end();
      ticks = std::max(ticks, plots.loops.back().ticks());
    }
    size_t columns = 1;
    for (const StagesRole &role : view.roles)
      columns = std::max(columns, role.columns.size());
    double units = std::max(ticks / static_cast<double>(columns), 1.0);
    for (const StagesRole &role : view.roles) {
      plots.roles.emplace_back(role, picture, zoom_, row, units, width);
      row = plots.roles.back().end();
    }
    if (!plots.roles.empty())
      ticks = std::max(ticks, units * static_cast<double>(columns));
    plots.domain = {{0, std::max(ticks, 1.0)}, {0, row}};
    return plots;
  }

  // Draws what the marks and cells mean; what is left of the height is below it.
  static float drawLegends(const Picture &picture, const Box &box, const Plots &plots) {
    float y = box.min.y;
    if (!plots.loops.empty()) {
      float height = legendHeight(picture, box.width(), StagesPlot::legend());
      drawLegend(picture, {box.min, ImVec2(box.max.x, y + height)}, StagesPlot::legend());
      y += height;
    }
    if (plots.roles.empty())
      return y;
    std::vector<std::string> lines = linesOfHeadline(RolesLegend, box.width() - picture.character);
    picture.lines({ImVec2(box.min.x + picture.character / 2, y), box.max}, lines,
                  picture.color(Meaning::Quiet));
    return y + static_cast<float>(lines.size()) * picture.line + 2 * picture.scale;
  }

  void drawPlots(PanelContext &context, const Picture &picture, const StagesView &view,
                 const Plots &plots) {
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    float gutterWidth = 0;
    std::optional<Region> target;
    auto measure = [&](const auto &plot) {
      gutterWidth = std::max(gutterWidth, plot.gutterWidth(room.x));
      if (!target)
        target = plot.regionOf(shown_);
    };
    llvm::for_each(plots.loops, measure);
    llvm::for_each(plots.roles, measure);
    Box area{min, ImVec2(min.x + room.x, min.y + room.y)};
    area.min.y = drawLegends(picture, area, plots);
    area.min.y = scrubber_.drawText(context, picture, area);
    Box plot{ImVec2(area.min.x + gutterWidth, area.min.y), area.max};
    // Names of slots and steps stay, however much there is.
    double row = StagesPlot::rowHeight(picture);
    zoom_.update(context, "stages", area, plot, plots.domain, row, target, /*leastY=*/row);
    picture.clip(area);
    Box gutter{area.min, ImVec2(plot.min.x, area.max.y)};
    auto draw = [&](const auto &each) { each.draw(gutter, plot, shown_); };
    llvm::for_each(plots.loops, draw);
    llvm::for_each(plots.roles, draw);
    drawHandovers(picture, plot, plots.roles, view.handovers, shown_);
    for (const StagesPlot &each : plots.loops)
      if (moment_ && each.loop().stages.loop == context.selection.moment.loop)
        each.drawMoment(plot, moment_->tick);
    picture.unclip();
    zoom_.drawBars(context);
    scrubber_.takeMouse(context, zoom_, plot, plots.loops);
    if (!zoom_.isHovered())
      return;
    Pick pick;
    auto pickIn = [&](const auto &each) {
      if (pick.isEmpty())
        pick = each.pickAt(context, plot, zoom_.mouse());
    };
    llvm::for_each(plots.loops, pickIn);
    llvm::for_each(plots.roles, pickIn);
    if (pick.isEmpty())
      return;
    context.selection.hovered = pick;
    if (zoom_.isClicked())
      context.selection.pin(pick);
  }

  CachedView<StagesView, PassKey> view_;
  ShownPick shown_;
  ZoomView zoom_;
  StagesScrubber scrubber_;
  const StagesMoment *moment_ = nullptr; // of the scrubber, in this frame
};

} // namespace

std::unique_ptr<Panel> makeStagesPanel() { return std::make_unique<StagesPanel>(); }

} // namespace tilescope
