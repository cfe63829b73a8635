// The pinned buffer of an arena, moved to another offset by mouse or keys. The picture shows where
// it would lie, and whether the plan would still be sound; where not, what is in the way.
#pragma once

#include "core/views/arena_move.h"
#include "viewer/panels/widgets/arena_stack.h"

namespace tilescope {

class ArenaDrag {
public:
  // After the picture was drawn; `hovered` is what is under the pointer. Where the plan is sound,
  // the move is asked of a live kernel, which compiles and checks it. Else nothing moves.
  void update(PanelContext &context, ZoomView &zoom, const ArenaStack &arenas,
              const ArenaParts &parts, const Picture &picture, const Pick &hovered);

private:
  struct Held {
    BufferId buffer;
    PassKey shown; // what it was moved in
    ArenaMove move;
    bool isDropped = false; // where it cannot lie: it is back where it was
  };
  struct Target {
    const ArenaLayout *layout = nullptr; // nullptr: nothing that can be moved is pinned
    uint32_t row = 0;

    const ArenaFunction &function() const { return layout->function(); }
    const ArenaRow &buffer() const { return function().buffers[row]; }
  };

  static Target targetOf(const ArenaStack &arenas, BufferId pinned);
  void takeMouse(PanelContext &context, ZoomView &zoom, const Target &target, bool isOver);
  void takeKeys(PanelContext &context, const Target &target);
  void hold(PanelContext &context, const Target &target, int64_t offsetBytes);
  // Whether the kernel was asked for it.
  bool ask(PanelContext &context, const Target &target) const;
  void draw(PanelContext &context, const Target &target, const Picture &picture,
            const Box &plot) const;
  void drawVerdict(PanelContext &context, const Target &target, const Picture &picture,
                   const Box &plot) const;

  std::optional<Held> held_;
};

} // namespace tilescope
