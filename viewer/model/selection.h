// What is selected: one value that drives every view. Hovering previews, clicking pins.
#pragma once

#include "core/facets/buffers.h"
#include "core/support/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// One thing that is pointed at. Every part that is known is set, so that each panel finds its own.
struct Pick {
  std::optional<BufferKey> buffer;
  int64_t version = -1;    // of `buffer`, from 0; -1: all
  StmtId stmt;             // invalid: none
  uint32_t sourceLine = 0; // of the kernel file, from 1; 0: none

  bool isEmpty() const { return *this == Pick(); }
  static Pick ofBuffer(BufferKey key) { return {std::move(key)}; }

  friend bool operator==(const Pick &, const Pick &) = default;
};

class Selection {
public:
  size_t pass = 0; // index into Trace::passes
  Pick pinned;
  Pick hovered;      // for one frame: whoever draws first clears it
  std::string query; // what is searched for; "": nothing

  // What panels emphasise.
  const Pick &shown() const { return hovered.isEmpty() ? pinned : hovered; }

  // These remember where they were, for back and forward.
  void selectPass(size_t index);
  void pin(Pick pick);
  void clear() { pin({}); }

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

  std::vector<Place> history_; // empty until the first move
  size_t position_ = 0;
};

} // namespace tilescope
