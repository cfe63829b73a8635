// The arena of one function in a picture: bytes across, rows down.
//
//     row first        heading
//     first + 1 ..     program points
//     after them       static arrays, and buffers whose size is known at launch
#pragma once

#include "viewer/model/arena_model.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/byte_ruler.h"
#include "viewer/panels/widgets/point_gutter.h"

namespace tilescope {

class ArenaPlot {
public:
  // All arguments outlive it.
  ArenaPlot(const ArenaFunction &function, const Picture &picture, const ZoomView &zoom,
            double first)
      : function_(function), picture_(picture), zoom_(zoom), first_(first) {}

  double end() const; // the row after the last
  float gutterWidth(float room) const { return gutter().widthIn(room); }
  // Capacity, peak, and where occupancy changes.
  std::vector<ByteRule> rules() const;
  // Where a buffer lies; nullopt: not here.
  std::optional<Region> regionOf(BufferId buffer) const;

  // Over what is drawn before.
  void drawHeading(const Box &gutter, const Box &plot) const;
  void drawRows(const Box &gutter, const Box &plot, const ShownPick &shown) const;
  void drawBuffers(const Box &plot, const ShownPick &shown) const;

  // Where the first buffers are seen, as "arena NAME".
  void notePlaces(Places &places, const Box &plot) const;

  // What is under the pointer, with a tooltip; empty: nothing.
  Pick statementAt(const Box &gutter, ImVec2 mouse) const;
  Pick bufferAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const;

private:
  enum class Emphasis : uint8_t { None, Shown, Shares, Dimmed };

  PointGutter gutter() const {
    return {picture_, zoom_.y, pointRow(), function_.points, function_.loops};
  }
  double pointRow() const { return first_ + 1; }
  Box boxOf(const ArenaBox &box) const;
  std::optional<uint32_t> rowOf(BufferId buffer) const;
  Emphasis emphasisOf(uint32_t row, std::optional<uint32_t> shown) const;
  void drawBox(const ArenaBox &box, const Box &at, Emphasis emphasis, int64_t version) const;
  void drawVersions(const ArenaRow &row, const Box &at, ImU32 color, int64_t version) const;
  void drawPadding(const ArenaRow &row, const Box &at) const;
  void drawConflicts() const;
  void drawOutside(const Box &plot) const;
  std::vector<std::string> outside() const;
  std::vector<std::string> detailsOf(const ArenaRow &row, const ArenaBox &box,
                                     int64_t version) const;

  const ArenaFunction &function_;
  const Picture &picture_;
  const ZoomView &zoom_;
  double first_;
};

// "[0, 12) [14, 16)", the first few.
std::string livesText(const std::vector<LiveInterval> &live);

} // namespace tilescope
