// What the window shows, as JSON lines, for whoever drives it from outside.
#pragma once

#include "viewer/shell/application.h"

namespace tilescope {

class StateReport {
public:
  // One line on standard output if something changed since the last call: file, pass, what is
  // pinned, peak, message, and where panels and their parts lie in pixels.
  void print(const Application &application);

private:
  std::string last_;
};

} // namespace tilescope
