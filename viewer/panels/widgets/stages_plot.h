// One pipelined loop in a picture: ticks across, slots down.
//
//     row first      matmul_kernel, line 30: 3 stages, 32 iterations     as many rows as it needs
//     then           | prologue | 0     | 1     | ... | 31    |
//     then           A_shared[0]  =====~~~~#####         a row a slot
//     then           commits, and waits below them
//     last           bytes, or why there are no stages                  as many rows as it needs
#pragma once

#include "core/views/stages_model.h"
#include "viewer/panels/widgets/access_marks.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/picture.h"

namespace tilescope {

class StagesPlot {
public:
  // All arguments outlive it. `width` is of the gutter and the plot, in pixels.
  StagesPlot(const StagesLoop &loop, const Picture &picture, const ZoomView &zoom, double first,
             float width);

  static llvm::ArrayRef<LegendItem> legend(); // of its marks
  double end() const;                         // the row after the last
  double ticks() const;
  float gutterWidth(float room) const;
  static float rowHeight(const Picture &picture) { return picture.line + 6 * picture.scale; }
  std::optional<Region> regionOf(const ShownPick &shown) const;
  const StagesLoop &loop() const { return loop_; }
  // The row of the steps, along which a moment is dragged; without height: there is no picture.
  Box stepsOf(const Box &plot) const;
  int64_t tickAt(float pixelX) const;
  void drawMoment(const Box &plot, int64_t tick) const;

  void draw(const Box &gutter, const Box &plot, const ShownPick &shown) const;
  // What is under the pointer, with a tooltip; empty: nothing.
  Pick pickAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const;

private:
  bool isRefused() const { return !loop_.stages.refusal.empty(); }
  double stepRow() const { return first_ + static_cast<double>(title_.size()); }
  double slotRow() const { return stepRow() + 1; }
  double syncRow() const { return slotRow() + static_cast<double>(loop_.rows.size()); }
  double endRow() const { return isRefused() ? stepRow() : syncRow() + 2; } // of what ends it
  std::string titleText() const;
  void drawLines(const Box &gutter, const Box &plot, double row, llvm::ArrayRef<std::string> lines,
                 ImU32 color) const;
  Box boxOf(double begin, double end, double row) const;
  void drawSteps(const Box &gutter, const Box &plot) const;
  bool isBanded(double tick) const; // drawn over every other step
  void drawStepNames(const Box &gutter, const Box &plot) const;
  void drawNames(const Box &gutter, const Box &plot, const ShownPick &shown) const;
  void drawOccupancies(const Box &plot, const ShownPick &shown) const;
  std::optional<float> placeOfNumber(const SlotOccupancy &occupancy, const Box &box,
                                     float width) const; // pixels; nullopt: there is no room
  void drawArrows(const Box &plot, const ShownPick &shown) const;
  void drawEvents(const ShownPick &shown) const;
  void drawSyncs(const ShownPick &shown) const;
  void drawEvent(const StageEvent &event, ImU32 color) const;
  ImVec2 centerOf(const StageEvent &event) const;
  Emphasis emphasisOf(size_t row, const ShownPick &shown) const;
  float alphaOf(size_t row, const ShownPick &shown) const;
  std::vector<std::string> detailsOf(const StageEvent &event) const;
  Pick syncAt(double tick) const;

  const StagesLoop &loop_;
  const Picture &picture_;
  const ZoomView &zoom_;
  double first_;
  std::vector<std::string> title_, ending_; // a row a line
};

// "A_shared[1]"
std::string nameOf(const StagesRow &row);

} // namespace tilescope
