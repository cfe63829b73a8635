// Where the arena of one function lies in a picture: bytes across, rows down. Nothing is drawn
// here.
//
//     row first        its name, where there are several functions
//     then             program points     | strip: static arrays, and what is sized at launch
#pragma once

#include "core/views/arena_model.h"
#include "viewer/panels/widgets/picture.h"
#include "viewer/panels/widgets/zoom_view.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

class ArenaLayout {
public:
  // The function and the zoom outlive it.
  ArenaLayout(const ArenaFunction &function, const ZoomView &zoom, double first, bool hasHeading)
      : function_(function), zoom_(zoom), first_(first), hasHeading_(hasHeading) {}

  const ArenaFunction &function() const { return function_; }
  const ZoomView &zoom() const { return zoom_; }

  double pointRow() const { return first_ + (hasHeading_ ? 1 : 0); } // of point 0
  ProgramPoint rowCount() const; // of points, and enough for what lies outside
  double end() const;            // the row after the last

  // An index into the buffers of the function; nullopt: not here.
  std::optional<uint32_t> rowOf(BufferId buffer) const;
  // Where a buffer lies, in bytes and rows; nullopt: not here.
  std::optional<Region> regionOf(BufferId buffer) const;

  // Those of which something is seen, in the order of the function.
  void forSeenBoxes(llvm::function_ref<void(const ArenaBox &box)> visit) const;

  // In pixels.
  Box boxOf(const ArenaBox &box) const;
  Box boxOf(const ArenaConflict &conflict) const;
  Box boxOf(const Region &region) const;
  // The first buffer whose box holds a pixel, the smallest where several do, so that one below a
  // larger one in conflict can be reached; nullptr: none.
  const ArenaBox *boxAt(ImVec2 pixel) const;
  int64_t versionAt(const ArenaRow &row, float pixelX) const;     // -1: it has but one
  std::optional<Box> heading(const Box &area, float least) const; // nullopt: it has none

  // The strip has a column for what shares bytes.
  float stripWidth(const Picture &picture, float room) const; // 0: everything lies in the arena
  std::vector<LiveInterval> livesOf(const OutsideBox &outside) const;
  Box boxOf(const Picture &picture, const OutsideBox &outside, const LiveInterval &interval,
            const Box &strip) const;

private:
  int stripColumns() const;

  const ArenaFunction &function_;
  const ZoomView &zoom_;
  double first_;
  bool hasHeading_;
};

} // namespace tilescope
