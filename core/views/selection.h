// What is selected: one value that drives every view. Hovering previews, clicking pins.
#pragma once

#include "core/facets/buffers.h"
#include "core/support/ids.h"
#include "core/support/kernel_line.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope {

// One thing that is pointed at. Every part that is known is set, so that each panel finds its own.
struct Pick {
  std::optional<BufferKey> buffer;
  int64_t version = -1; // of `buffer`, from 0; -1: all
  StmtId stmt;          // invalid: none
  KernelLine sourceLine;

  bool isEmpty() const { return *this == Pick(); }
  static Pick ofBuffer(BufferKey key) { return {std::move(key)}; }

  friend bool operator==(const Pick &, const Pick &) = default;
};

// Whose lanes a layout shows.
struct LaneChoice {
  int64_t access = -1; // index into the accesses of the pinned buffer; -1: that of the pinned
                       // statement, else the first
  int64_t warp = 0;

  friend bool operator==(const LaneChoice &, const LaneChoice &) = default;
};

// A moment of a pipelined loop: see stages_moment.h.
struct LoopMoment {
  StmtId loop; // invalid: none is chosen
  size_t pass = 0;
  int64_t tick = 0;

  friend bool operator==(const LoopMoment &, const LoopMoment &) = default;
};

class Selection {
public:
  size_t pass = 0; // index into Trace::passes
  Pick pinned;
  Pick hovered;      // set in each frame by what is under the mouse
  std::string query; // what is searched for; "": nothing
  LaneChoice lanes;
  LoopMoment moment;
  int64_t step = -1; // of a run that the trace holds (steps_model.h); -1: the last

  // Before anything is drawn. What was hovered in the last frame stays until something else is, so
  // that panels that are drawn before the one under the mouse see it too.
  void beginFrame() {
    hoveredBefore_ = std::exchange(hovered, {});
    pinsBuffer_ = false;
  }
  const Pick &preview() const { return hovered.isEmpty() ? hoveredBefore_ : hovered; }

  // What panels emphasise.
  const Pick &shown() const { return preview().isEmpty() ? pinned : preview(); }

  // The selected pass cannot be drawn yet, and `drawn` is until `resume`: what is pinned meanwhile
  // is pinned at the awaited pass, and choosing any other, `drawn` too, ends the wait.
  void await(size_t drawn) { awaited_ = std::exchange(pass, drawn); }
  void resume() { pass = std::exchange(awaited_, std::nullopt).value_or(pass); }
  std::optional<size_t> awaited() const { return awaited_; }

  // These remember where they were, for back and forward.
  void selectPass(size_t index);
  void pin(Pick pick);
  void clear() {
    pin({});
    moment = {};
    step = -1;
  }
  // With the statement that runs then, beside the buffer that is pinned. No place to go back to.
  void choose(const LoopMoment &wanted, StmtId stmt, KernelLine line);
  void chooseStep(int64_t wanted, StmtId stmt, KernelLine line);
  // Whether something that is drawn in this frame pinned a buffer, be it the same again.
  bool pinsBuffer() const { return pinsBuffer_; }

  bool canGoBack() const { return position_ > 0; }
  bool canGoForward() const { return position_ + 1 < history_.size(); }
  void back();
  void forward();

private:
  struct Place {
    size_t pass = 0;
    Pick pinned;

    friend bool operator==(const Place &, const Place &) = default;
  };
  void remember(Place place); // and goes there
  void visit(size_t position);
  size_t &chosenPass() { return awaited_ ? *awaited_ : pass; }

  std::optional<size_t> awaited_;
  Pick hoveredBefore_;
  bool pinsBuffer_ = false;
  std::vector<Place> history_; // empty until the first move
  size_t position_ = 0;
};

} // namespace tilescope
