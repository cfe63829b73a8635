// What the slots of an arena hold at the moment of the selection.
#pragma once

#include "core/views/stages_model.h"
#include "viewer/panels/widgets/arena_stack.h"

namespace tilescope {

class ArenaMoment {
public:
  // Over the picture: the point that runs, and in each slot the iteration whose tile it holds.
  void draw(PanelContext &context, const ArenaStack &arenas, const Picture &picture,
            const Box &plot);

private:
  struct Key {
    PassKey pass;
    LoopMoment moment;

    friend bool operator==(const Key &, const Key &) = default;
  };
  CachedView<StagesView, PassKey> stages_;
  CachedView<std::optional<StagesMoment>, Key> moment_;
};

} // namespace tilescope
