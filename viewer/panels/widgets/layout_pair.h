// The grid of a layout, and of the same tile without swizzle or padding where the lanes of a warp
// are shown: beside each other, or one above the other where it is narrow, scrolled and zoomed
// together. An element that is pointed at in one is outlined in both.
#pragma once

#include "viewer/panels/widgets/layout_grid.h"

namespace tilescope {

class LayoutPair {
public:
  // Into what is left of the window. The view has one buffer, whose places are known.
  void draw(PanelContext &context, const LayoutsView &view, LayoutColouring colouring);

private:
  struct Part {
    LayoutGrid grid;
    Box area, plot;
  };
  std::vector<Part> partsOf(const Picture &picture, const Box &area, const LayoutsView &view,
                            const TileLayout &plain, LayoutColouring colouring) const;
  void placeZoom(const PanelContext &context, const Picture &picture, const Box &area,
                 const Box &plot, const LayoutsView &view);
  void point(PanelContext &context, const Picture &picture, const LayoutsView &view,
             const std::vector<Part> &parts) const;

  // Whose lanes were scrolled to.
  struct Shown {
    BufferId buffer;
    int64_t access = -1;
    int64_t warp = -1;

    friend bool operator==(const Shown &, const Shown &) = default;
  };

  ZoomView zoom_;
  Shown revealed_;
};

} // namespace tilescope
