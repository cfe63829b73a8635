#include "viewer/panels/widgets/zoom_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr double ZoomStep = 1.25;
constexpr double WheelPixels = 60;
constexpr double MostUnitPixels = 1e5;
constexpr float DragPixels = 4;   // less is a click
constexpr double MostFitRows = 3; // of the height that a row has at rest

} // namespace

double ZoomAxis::unitPixels() const {
  if (scale_ > 0)
    return scale_;
  return rest_ > 0 ? rest_ : size_ / std::max(domain_.length(), 1e-9);
}

void ZoomAxis::place(double minPixels, double sizePixels, Stretch domain, double rest) {
  min_ = minPixels;
  size_ = std::max(sizePixels, 1.0);
  domain_ = domain;
  rest_ = rest;
  clamp();
}

// No empty space before the domain, and none behind it unless all of it is seen.
void ZoomAxis::clamp() {
  double seen = size_ / unitPixels();
  begin_ = std::max(std::min(begin_, domain_.end - seen), domain_.begin);
}

void ZoomAxis::zoom(double factor, double atPixels) {
  double at = unit(atPixels);
  double least = std::min(size_ / std::max(domain_.length(), 1e-9), unitPixels());
  scale_ = std::clamp(unitPixels() * factor, least, std::max(MostUnitPixels, least));
  begin_ = at - (atPixels - min_) / scale_;
  clamp();
}

void ZoomAxis::pan(double pixels) {
  begin_ -= pixels / unitPixels();
  clamp();
}

void ZoomAxis::show(Stretch part) {
  double length = std::max(part.length(), 1e-9);
  scale_ = std::min(size_ / length, MostUnitPixels);
  begin_ = part.begin - (size_ / scale_ - length) / 2;
  clamp();
}

void ZoomAxis::limit(double factor) {
  double most = rest_ * factor;
  if (rest_ <= 0 || scale_ <= most)
    return;
  double middle = begin_ + size_ / scale_ / 2;
  scale_ = most;
  begin_ = middle - size_ / scale_ / 2;
  clamp();
}

void ZoomAxis::keepLegible(double pixels) {
  if (scale_ <= 0 || scale_ >= pixels)
    return;
  double first = std::max(begin_, domain_.begin);
  scale_ = pixels;
  begin_ = first;
  clamp();
}

void ZoomAxis::reveal(Stretch part) {
  Stretch seen = shown();
  if (part.begin < seen.begin)
    begin_ = part.begin;
  else if (part.end > seen.end)
    begin_ = part.end - seen.length();
  clamp();
}

Stretch ZoomAxis::shownShare() const {
  double length = std::max(domain_.length(), 1e-9);
  Stretch seen = shown();
  return {std::clamp((seen.begin - domain_.begin) / length, 0.0, 1.0),
          std::clamp((seen.end - domain_.begin) / length, 0.0, 1.0)};
}

void ZoomView::update(const PanelContext &context, const char *id, const Box &area, const Box &plot,
                      Region domain, double restY, const std::optional<Region> &target,
                      double leastY) {
  id_ = id;
  leastY_ = leastY;
  x.place(plot.min.x, plot.width(), domain.x, 0);
  y.place(plot.min.y, plot.height(), domain.y, restY);
  ImGui::SetCursorScreenPos(area.min);
  ImGui::InvisibleButton(id, ImVec2(std::max(area.width(), 1.0F), std::max(area.height(), 1.0F)));
  placeBars(context.theme, area, plot);
  takeMouse();
  if (context.hasFocus && context.commands.has(Command::Fit))
    fit(target, domain);
  if (context.hasFocus)
    takePages(context);
  ImVec2 size(plot.width(), plot.height());
  bool isResized = size.x != plotSize_.x || size.y != plotSize_.y;
  plotSize_ = size;
  if (isResized)
    showFitted();
}

void ZoomView::showFitted() {
  if (!fitted_)
    return;
  x.show(fitted_->x);
  y.show(fitted_->y);
  y.limit(MostFitRows);
  y.keepLegible(leastY_);
}

void ZoomView::takeMouse() {
  const ImGuiIO &io = ImGui::GetIO();
  bool isActive = ImGui::IsItemActive();
  bool isOver = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  bool keepsDrag = std::exchange(keepsNext_, false);
  if (ImGui::IsItemActivated()) {
    isDragged_ = false;
    isKept_ = keepsDrag;
  }
  if (dragBars()) {
    isClicked_ = isHovered_ = false;
    return;
  }
  if (isActive && ImGui::IsMouseDragging(ImGuiMouseButton_Left, DragPixels)) {
    isDragged_ = true;
    if (!isKept_) {
      x.pan(io.MouseDelta.x);
      y.pan(io.MouseDelta.y);
      forgetFit();
    }
  }
  takeKeptDrag();
  isClicked_ = ImGui::IsItemDeactivated() && isOver && !isDragged_;
  isHovered_ = isOver && !(isActive && isDragged_);
  if (!isOver)
    return;
  ImGui::SetItemUsingMouseWheel();
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ||
      ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) {
    rest();
  }
  if (io.MouseWheel == 0 && io.MouseWheelH == 0)
    return;
  forgetFit();
  if (io.KeyCtrl) {
    double factor = std::pow(ZoomStep, io.MouseWheel);
    x.zoom(factor, io.MousePos.x);
    y.zoom(factor, io.MousePos.y);
  } else {
    // With Shift, ImGui gives the wheel as MouseWheelH already on some systems.
    bool isSideways = io.KeyShift && io.MouseWheelH == 0;
    x.pan(WheelPixels * (io.MouseWheelH + (isSideways ? io.MouseWheel : 0)));
    y.pan(WheelPixels * (isSideways ? 0 : io.MouseWheel));
  }
}

void ZoomView::takeKeptDrag() {
  const ImGuiIO &io = ImGui::GetIO();
  ImVec2 from = io.MouseClickedPos[ImGuiMouseButton_Left];
  isDropped_ = isKept_ && isDragged_ && ImGui::IsItemDeactivated();
  kept_.reset();
  if (isDropped_ || (isKept_ && isDragged_ && ImGui::IsItemActive()))
    kept_ = ImVec2(io.MousePos.x - from.x, io.MousePos.y - from.y);
  isKept_ &= ImGui::IsItemActive();
}

// The selection, then all of the picture, then back to how it began.
void ZoomView::fit(const std::optional<Region> &target, Region domain) {
  if (fits_ == 0 && !target)
    fits_ = 1;
  if (fits_ == 0) {
    double marginX = target->x.length() / 8, marginY = target->y.length() / 8;
    fitted_ = Region{{target->x.begin - marginX, target->x.end + marginX},
                     {target->y.begin - marginY, target->y.end + marginY}};
  } else if (fits_ == 1) {
    fitted_ = domain;
  } else {
    rest();
  }
  showFitted();
  fits_ = (fits_ + 1) % 3;
}

void ZoomView::rest() {
  x.reset();
  y.reset();
  fitted_.reset();
}

} // namespace tilescope
