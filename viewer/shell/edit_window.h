// The IR text after a pass, to be edited; the rest of the passes then run on it.
#pragma once

#include "viewer/shell/workspace.h"

namespace tilescope {

class EditWindow {
public:
  // Over the panels, with the tagged text after the selected pass, or of the edit that was refused.
  // Says in the document's message why that cannot be had.
  void open(Workspace &workspace);
  void draw(Workspace &workspace, const Theme &theme);

private:
  void drawText(const Workspace &workspace, const Theme &theme);
  void drawProblem(const std::string &text, const Theme &theme, float height);
  // What is wrong with the edit as it was compiled last; "": nothing.
  std::string problemOf(const Document &document) const;

  bool wasOpened_ = false;
  bool waits_ = false; // for the compile of what was edited
  size_t pass_ = 0;
  EditableText edited_;
};

} // namespace tilescope
