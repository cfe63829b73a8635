// Program points as rows at the left of a picture: line of the IR, statement, and brackets for
// loops. A row that is hovered marks its statement in the panels of text.
//
//     44  T.copy(K[...], K_shared[0, ...
//     45  T.commit_group()
//     47  T.wait_group(pending=2)        [   for kb in ..., line 65
//     52  T.copy(V[...], V_shared[...    [
#pragma once

#include "core/trace/trace_queries.h"
#include "viewer/panels/widgets/picture.h"

namespace tilescope {

class PointGutter {
public:
  // Row `point` lies at [first + point, first + point + 1) of `axis`. All arguments outlive it.
  PointGutter(const Picture &picture, const ZoomAxis &axis, double first,
              const std::vector<TracePoint> &points, const std::vector<uint32_t> &irLines,
              const std::vector<TraceLoop> &loops)
      : picture_(picture), axis_(axis), first_(first), points_(points), irLines_(irLines),
        loops_(loops) {}

  // As wide as reads well beside a picture, of `room` pixels for both.
  float widthIn(float room) const;
  // With the shown statement marked; the band of its rows reaches to `right`.
  void draw(const Box &box, StmtId shown, float right) const;
  // The statement or the loop under the pointer, with a tooltip; empty: none.
  Pick pickAt(const Box &box, ImVec2 mouse) const;

private:
  float yOf(double point) const { return static_cast<float>(axis_.pixel(first_ + point)); }
  uint32_t irLineOf(size_t point) const { return point < irLines_.size() ? irLines_[point] : 0; }
  int columns() const;
  float bracketsWidth() const;
  Box bracketOf(const Box &box, const TraceLoop &loop) const;
  void drawPoint(const Box &box, size_t point, bool isShown) const;
  void drawLoops(const Box &box, StmtId shown) const;

  const Picture &picture_;
  const ZoomAxis &axis_;
  double first_;
  const std::vector<TracePoint> &points_;
  const std::vector<uint32_t> &irLines_; // by point; missing ones are not known
  const std::vector<TraceLoop> &loops_;
};

// Of a statement: itself and its source line.
Pick pickOf(StmtId stmt, const KernelLine &sourceLine);
// "point 11, line 44 of the IR, line 71 of the kernel"; 0: not known
std::string placeText(ProgramPoint point, uint32_t irLine, const KernelLine &sourceLine);
// "[0, 12) [14, 16)", the first few.
std::string livesText(const std::vector<LiveInterval> &live);

} // namespace tilescope
