// How a zoom_view.h is scrolled by bars and pages.
#include "viewer/panels/widgets/zoom_view.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float BarPixels = 9;    // across
constexpr double PageShare = 0.9; // of what is seen
// Of the height of a picture: of more the bar tells enough.
constexpr double MostSeenWithHint = 0.4;

} // namespace

float ZoomView::barWidth(const Theme &theme) { return BarPixels * theme.scale; }

void ZoomView::placeBars(const Theme &theme, const Box &area, const Box &plot) {
  float width = barWidth(theme);
  barY_.box = y.isWhole() ? Box() : Box{ImVec2(area.max.x - width, plot.min.y), area.max};
  barX_.box = x.isWhole() ? Box()
                          : Box{ImVec2(plot.min.x, area.max.y - width),
                                ImVec2(plot.max.x - (y.isWhole() ? 0 : width), area.max.y)};
}

// A click beside the part that is seen goes there.
bool ZoomView::dragBars() {
  const ImGuiIO &io = ImGui::GetIO();
  if (ImGui::IsItemActivated()) {
    barY_.isDragged = barY_.box.contains(io.MousePos);
    barX_.isDragged = !barY_.isDragged && barX_.box.contains(io.MousePos);
  }
  bool isActive = ImGui::IsItemActive();
  auto drag = [&](Bar &bar, ZoomAxis &axis, float at, float moved, float begin, float size) {
    bar.isDragged &= isActive;
    if (!bar.isDragged || size <= 0)
      return;
    Stretch seen = axis.shownShare();
    double share = (at - begin) / size, pixels = axis.unitPixels() * axis.shown().length();
    bool isBeside = ImGui::IsItemActivated() && (share < seen.begin || share > seen.end);
    double wanted = isBeside ? share - (seen.begin + seen.end) / 2 : moved / size;
    axis.pan(-wanted / std::max(seen.length(), 1e-9) * pixels);
    forgetFit();
  };
  drag(barY_, y, io.MousePos.y, io.MouseDelta.y, barY_.box.min.y, barY_.box.height());
  drag(barX_, x, io.MousePos.x, io.MouseDelta.x, barX_.box.min.x, barX_.box.width());
  bool isOver = barY_.box.contains(io.MousePos) || barX_.box.contains(io.MousePos);
  return barY_.isDragged || barX_.isDragged ||
         (isOver && !isActive && ImGui::IsItemHovered() && io.MouseWheel == 0 &&
          io.MouseWheelH == 0);
}

void ZoomView::takePages(const PanelContext &context) {
  int step = context.commands.has(Command::PageDown) - context.commands.has(Command::PageUp);
  if (step == 0)
    return;
  forgetFit();
  y.pan(-step * PageShare * y.unitPixels() * y.shown().length());
}

// Where most of the picture lies outside of its place, whoever reads it is told.
void ZoomView::drawHint(PanelContext &context) const {
  double seen = y.shownShare().length();
  if (barY_.box.width() <= 0 || seen > MostSeenWithHint)
    return;
  const Theme &theme = context.theme;
  std::string text = llvm::formatv("{0:F0} % is seen; f: all", 100 * seen);
  ImVec2 size = ImGui::CalcTextSize(text.c_str());
  ImVec2 max(barY_.box.min.x - 2 * theme.scale, barY_.box.max.y - 2 * theme.scale);
  ImVec2 min(max.x - size.x - 8 * theme.scale, max.y - size.y - 2 * theme.scale);
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, max, theme.color(Meaning::Raised), 3 * theme.scale);
  list->AddText(ImVec2(min.x + 4 * theme.scale, min.y + theme.scale), theme.color(Meaning::Quiet),
                text.c_str());
  context.places.note(id_ + " hint", ImVec4(min.x, min.y, max.x, max.y));
}

void ZoomView::drawBars(PanelContext &context, bool isHinted) const {
  const Theme &theme = context.theme;
  ImDrawList *list = ImGui::GetWindowDrawList();
  auto draw = [&](const Bar &bar, const Stretch &seen, bool isUpright) {
    if (bar.box.width() <= 0 || bar.box.height() <= 0)
      return;
    bool isOver = bar.isDragged || bar.box.contains(mouse());
    list->AddRectFilled(bar.box.min, bar.box.max, theme.color(Meaning::Background, 0.75F));
    Box grab = bar.box;
    auto between = [](float from, float to, double share) {
      return from + (to - from) * static_cast<float>(share);
    };
    if (isUpright) {
      grab.min.y = between(bar.box.min.y, bar.box.max.y, seen.begin);
      grab.max.y = std::max(between(bar.box.min.y, bar.box.max.y, seen.end),
                            grab.min.y + 2 * bar.box.width());
    } else {
      grab.min.x = between(bar.box.min.x, bar.box.max.x, seen.begin);
      grab.max.x = std::max(between(bar.box.min.x, bar.box.max.x, seen.end),
                            grab.min.x + 2 * bar.box.height());
    }
    list->AddRectFilled(grab.min, grab.max, theme.color(isOver ? Meaning::Quiet : Meaning::Border),
                        3 * theme.scale);
    if (isOver && !bar.isDragged)
      ImGui::SetTooltip("%.0f %% of the picture is seen%s", 100 * seen.length(),
                        leastY_ > 0 ? "" : "; f shows all of it");
  };
  draw(barY_, y.shownShare(), true);
  if (barY_.box.width() > 0)
    context.places.note(id_ + " bar",
                        ImVec4(barY_.box.min.x, barY_.box.min.y, barY_.box.max.x, barY_.box.max.y));
  draw(barX_, x.shownShare(), false);
  if (isHinted)
    drawHint(context);
}

} // namespace tilescope
