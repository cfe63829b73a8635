// The arenas of two compiles beside each other, or one above the other where it is narrow: at one
// scale, scrolled and zoomed together. A buffer that is pointed at in one is shown in both.
//
//     before | gutter | [0, scale) bytes     after | gutter | [0, scale) bytes
#pragma once

#include "core/views/compare_model.h"
#include "viewer/panels/widgets/arena_stack.h"

namespace tilescope {

class ArenaPair {
public:
  // Into the next `height` pixels, or more where nothing could be read in them. The document of the
  // context has both traces.
  void draw(PanelContext &context, const CompareView &view, const CompareArenas &arenas,
            float height);

private:
  struct Side {
    const ArenaView *view = nullptr;
    Document document; // of this trace alone
    PassStates states; // of the document
    Selection selection;
    Box room;
    std::optional<ArenaStack> stack; // while it is drawn
    ArenaParts parts;
  };

  static PanelContext contextOf(PanelContext &context, Side &side);
  void translate(const PanelContext &context, const CompareView &view);
  void placeSides(const Theme &theme, Box room);
  void zoomTogether(PanelContext &context);
  void drawLink(const Picture &picture) const;
  std::optional<Region> shownIn(size_t index) const;
  void point(PanelContext &context, const CompareView &view, size_t index);

  Side sides_[2]; // before, after
  ZoomView zooms_[2];
  ShownPick shown_[2];
  bool isBeside_ = true;
  // What `translate` made of what.
  struct Translated {
    uint64_t revision = 0;
    std::optional<BufferKey> buffer;

    friend bool operator==(const Translated &, const Translated &) = default;
  };
  std::optional<Translated> translated_;
  std::optional<BufferKey> keys_[2];
};

} // namespace tilescope
