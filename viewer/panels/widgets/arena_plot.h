// The arena of one function in a picture: bytes across, rows down.
//
//     row first        its name, where there are several functions
//     then             program points     | strip: static arrays, and what is sized at launch
#pragma once

#include "core/views/arena_model.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/byte_ruler.h"
#include "viewer/panels/widgets/point_gutter.h"

namespace tilescope {

class ArenaPlot {
public:
  // All arguments outlive it.
  ArenaPlot(const ArenaFunction &function, const Picture &picture, const ZoomView &zoom,
            double first, bool hasHeading)
      : function_(function), picture_(picture), zoom_(zoom), first_(first),
        hasHeading_(hasHeading) {}

  double end() const; // the row after the last
  float gutterWidth(float room) const { return gutter().widthIn(room); }
  float stripWidth(float room) const; // 0: everything lies in the arena
  // Capacity, peak, and where occupancy changes.
  std::vector<ByteRule> rules() const;
  // Where a buffer lies; nullopt: not here.
  std::optional<Region> regionOf(BufferId buffer) const;

  // What there is to say of all of it, in lines for `width` pixels.
  std::vector<std::string> headline(llvm::StringRef caption, float width) const;
  void drawHeadline(const Box &box, llvm::StringRef caption) const;
  void drawHeading(const Box &area) const; // over what is drawn before
  void drawRows(const Box &gutter, const Box &plot, const ShownPick &shown) const;
  // Their names, over the lines of the ruler.
  struct BoxName {
    uint32_t row = 0;
    Box box;
    bool isDimmed = false;
  };
  std::vector<BoxName> drawBuffers(const Box &plot, const ShownPick &shown) const;
  void drawNames(const std::vector<BoxName> &names) const;
  void drawStrip(const Box &strip, const ShownPick &shown) const;
  // To what of the selection cannot be seen.
  void drawPointers(const Box &plot, const ShownPick &shown) const;

  // Where the first buffers are seen, as "arena NAME".
  void notePlaces(Places &places, const Box &plot) const;

  // What is under the pointer, with a tooltip; empty: nothing.
  Pick statementAt(const Box &gutter, ImVec2 mouse) const;
  Pick bufferAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const;
  Pick outsideAt(const PanelContext &context, const Box &strip, ImVec2 mouse) const;

private:
  PointGutter gutter() const {
    return {picture_, zoom_.y, pointRow(), function_.points, function_.irLines, function_.loops};
  }
  double pointRow() const { return first_ + (hasHeading_ ? 1 : 0); }
  Box boxOf(const ArenaBox &box) const;
  std::optional<uint32_t> rowOf(BufferId buffer) const;
  Emphasis emphasisOf(uint32_t row, const ShownPick &shown, std::optional<uint32_t> shownRow) const;
  void drawBox(uint32_t row, const Box &at, Emphasis emphasis, const ShownPick &shown) const;
  void drawVersions(const ArenaRow &row, const Box &at, bool isDimmed,
                    const ShownPick &shown) const;
  void drawName(const BoxName &name) const;
  void drawPadding(const ArenaRow &row, const Box &at) const;
  void drawConflicts() const;
  std::vector<std::string> headingDetails() const;
  ProgramPoint rowCount() const; // of points, and enough for what lies outside
  int stripColumns() const;
  Box boxOf(const OutsideBox &outside, const LiveInterval &interval, const Box &strip) const;
  std::vector<std::string> detailsOf(const ArenaRow &row, const ArenaBox &box,
                                     int64_t version) const;

  const ArenaFunction &function_;
  const Picture &picture_;
  const ZoomView &zoom_;
  double first_;
  bool hasHeading_;
};

} // namespace tilescope
