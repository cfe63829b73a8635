// The arenas of all functions at one scale, below each other. Headline and ruler are of the
// function in the middle of what is seen.
//
//     | headline, in as many lines as it needs |
//     |        ruler                           |
//     | gutter | plot                  | strip |     the area is these three
#pragma once

#include "viewer/panels/widgets/arena_layout.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/point_gutter.h"

namespace tilescope {

struct ArenaParts {
  Box headline, ruler, area, gutter, plot, strip;
};

class ArenaStack {
public:
  // All arguments outlive it; `caption` stands before the headline.
  ArenaStack(const ArenaView &view, const Picture &picture, const ZoomView &zoom,
             llvm::StringRef caption = "");

  bool isEmpty() const { return layouts_.empty(); }
  double end() const {
    return layouts_.empty() ? 1 : layouts_.back().end();
  } // the row after the last
  float gutterWidth(float room) const;
  float headlineHeight(float width) const;            // pixels, of the longest
  const ArenaLayout *layoutOf(BufferId buffer) const; // nullptr: it is not here
  // Where a buffer lies; nullopt: not here.
  std::optional<Region> regionOf(BufferId buffer) const;

  // Parts of the room. `gutterWidth` and `headlineHeight` are those of the widest and the highest
  // of pictures that stand beside each other.
  ArenaParts partsOf(const Box &room, float gutterWidth, float headlineHeight) const;
  void draw(const ArenaParts &parts, const ShownPick &shown) const;
  void notePlaces(Places &places, const ArenaParts &parts) const;

  // What is under the pointer, with a tooltip; empty: nothing.
  Pick bufferAt(const PanelContext &context, const ArenaParts &parts) const;
  Pick pickAt(const PanelContext &context, const ArenaParts &parts) const;

private:
  size_t middleOf(const Box &plot) const; // index of the function
  // The rows of a function, as far as they are seen.
  Box rowsOf(size_t index, const Box &plot) const;
  PointGutter gutterOf(const ArenaLayout &layout) const;
  void drawRows(const ArenaLayout &layout, const ArenaParts &parts, const ShownPick &shown) const;

  const Picture &picture_;
  const ZoomView &zoom_;
  std::string caption_;
  std::vector<ArenaLayout> layouts_;
};

} // namespace tilescope
