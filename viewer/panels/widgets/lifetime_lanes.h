// The lifetimes of one function in a picture: a lane a buffer, program points across.
//
//     attention_kernel                  [ for kb in ...      ]
//     Q_shared    v###########################o
//     K_shared       v////#####o/////v####o////
#pragma once

#include "core/views/lifetimes_model.h"
#include "viewer/panels/widgets/access_marks.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/picture.h"

namespace tilescope {

class LifetimeLanes {
public:
  // Rows [first, end()): a heading, the brackets of loops, the lanes. All arguments outlive it.
  LifetimeLanes(const LifetimeFunction &function, const Picture &picture, const ZoomView &zoom,
                double first);

  double end() const { return laneRow() + static_cast<double>(function_.lanes.size()) + 0.5; }
  float gutterWidth(float room) const;
  static float laneHeight(const Picture &picture) { return picture.line + 4 * picture.scale; }
  std::optional<Region> regionOf(BufferId buffer) const;

  static llvm::ArrayRef<LegendItem> legend(); // of its marks
  void draw(const Box &gutter, const Box &plot, const ShownPick &shown) const;
  // What is under the pointer, with a tooltip; empty: nothing.
  Pick pickAt(const PanelContext &context, const Box &gutter, const Box &plot, ImVec2 mouse) const;

private:
  double laneRow() const { return first_ + 1 + depth_; }
  void drawHeading(const Box &gutter, const Box &plot, StmtId shown) const;
  void drawLane(size_t index, const Box &gutter, const Box &plot, Emphasis emphasis) const;
  void drawMarks(const LifetimeLane &lane, float y, ImU32 color) const;
  AccessMark markOf(const LifetimeLane &lane, ProgramPoint point) const;
  std::vector<std::string> detailsOf(const LifetimeLane &lane,
                                     std::optional<ProgramPoint> point) const;

  const LifetimeFunction &function_;
  const Picture &picture_;
  const ZoomView &zoom_;
  double first_;
  int depth_ = 0; // rows of loop brackets
};

} // namespace tilescope
