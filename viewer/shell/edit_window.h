// The IR text after a pass, to be edited; the rest of the passes then run on it.
#pragma once

#include "viewer/shell/workspace.h"

namespace tilescope {

class EditWindow {
public:
  // Over the panels, with the tagged text after the selected pass. Says in the document's message
  // why that cannot be had.
  void open(Workspace &workspace);
  void draw(Workspace &workspace, const Theme &theme);

private:
  bool wasOpened_ = false;
  size_t pass_ = 0;
  std::string place_; // "merge-shared-memory"
  std::string text_;
};

} // namespace tilescope
