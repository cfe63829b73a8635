// What the keys do to the selection.
#pragma once

#include "core/session/request_history.h"
#include "core/views/selection.h"
#include "viewer/panels/commands.h"

namespace tilescope {

// Passes, buffers, back and forward, clearing.
void navigate(const CommandSet &commands, const Document &document, Selection &selection);

// Whether it would do something.
bool canDo(Command command, const Document &document, const Selection &selection,
           const RequestHistory &history = {});

// Places to come back to, in the order of passes.
class Bookmarks {
public:
  struct Place {
    size_t pass = 0;
    Pick pinned;

    friend bool operator==(const Place &, const Place &) = default;
  };

  // Sets one, or removes the one that is here.
  void toggle(const Selection &selection);
  void goToNext(Selection &selection, const Document &document) const;
  bool hasOne(size_t pass) const;

private:
  std::vector<Place> places_;
};

} // namespace tilescope
