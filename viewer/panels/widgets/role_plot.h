// What one role of a block's warps does in a pipelined loop: iterations across, rows down.
//
//     row first   main_kernel, line 65, role 1 of 2, 128 threads: 2 stages, 6 iterations
//     then        an iteration                 |   0    |   1    |   2    |
//     then        waits for mbarrier[4..5]     : [4] -  : [5] -  : [4] 0       a row a statement
//                 copies to K_shared           [slot 0] [slot 1] [slot 0]      or an access
//     last        why there are no rows
#pragma once

#include "core/views/stages_roles.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/picture.h"

namespace tilescope {

class RolePlot {
public:
  // All arguments outlive it. An iteration takes `columnUnits` of the picture's width; `width` is
  // of the gutter and the plot, in pixels.
  RolePlot(const StagesRole &role, const Picture &picture, const ZoomView &zoom, double first,
           double columnUnits, float width);

  double end() const; // the row after the last
  float gutterWidth(float room) const;
  std::optional<Region> regionOf(const ShownPick &shown) const;

  StmtId stmtOf(size_t row) const { return role_.rows[row].stmt; }
  // So many pixels from the left edge of a cell: where an arrow meets it.
  ImVec2 leftOf(size_t row, size_t column, float inset) const;

  void draw(const Box &gutter, const Box &plot, const ShownPick &shown) const;
  // What is under the pointer, with a tooltip; empty: nothing.
  Pick pickAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const;

private:
  bool isRefused() const { return !role_.refusal.empty(); }
  double columnRow() const { return first_ + static_cast<double>(title_.size()); }
  double rowOf(size_t index) const { return columnRow() + 1 + static_cast<double>(index); }
  double endRow() const { return isRefused() ? columnRow() : rowOf(role_.rows.size()); }
  std::string titleText() const { return titleOf(role_) + ": " + headingOf(role_); }
  Box boxOf(size_t column, double row) const;
  void drawLines(const Box &gutter, const Box &plot, double row, llvm::ArrayRef<std::string> lines,
                 ImU32 color) const;
  void drawColumns(const Box &gutter, const Box &plot) const;
  void drawName(const Box &gutter, const Box &plot, size_t index, const ShownPick &shown) const;
  void drawCell(size_t index, size_t column, const ShownPick &shown) const;
  Emphasis emphasisOf(const StagesRoleRow &row, int64_t slot, const ShownPick &shown) const;

  const StagesRole &role_;
  const Picture &picture_;
  const ZoomView &zoom_;
  double first_, columnUnits_;
  std::vector<std::string> title_, ending_; // a row a line
};

} // namespace tilescope
