// The moment of a pipelined loop that is chosen, by a drag along its steps or by keys.
#pragma once

#include "viewer/panels/widgets/stages_plot.h"

namespace tilescope {

class StagesScrubber {
public:
  // Before anything is drawn: keys, and what is chosen. nullptr: nothing.
  const StagesMoment *update(PanelContext &context, const StagesView &view);
  // After the plots were drawn.
  void takeMouse(PanelContext &context, ZoomView &zoom, const Box &plot,
                 const std::vector<StagesPlot> &plots) const;

  // Lines of the moment, above the plots; where they end.
  float drawText(PanelContext &context, const Picture &picture, const Box &room) const;

private:
  static void takeKeys(PanelContext &context, const StagesView &view);

  struct Key {
    PassKey pass;
    LoopMoment moment;

    friend bool operator==(const Key &, const Key &) = default;
  };
  CachedView<std::optional<StagesMoment>, Key> moment_;
  const StagesMoment *shown_ = nullptr; // in moment_
};

// Makes a tick of a loop the moment of the selection.
void chooseMoment(PanelContext &context, const StagesLoop &loop, int64_t tick);

} // namespace tilescope
