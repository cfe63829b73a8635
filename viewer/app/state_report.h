// What the window shows, as JSON lines, for whoever drives it from outside.
#pragma once

#include "viewer/shell/application.h"

namespace tilescope {

class StateReport {
public:
  // One line on standard output if something changed since the last call: file, pass, what is
  // pinned, peak, message, where panels and their parts lie in pixels, and which texts are cut;
  // `isBehind`: keys that were pressed still wait for a frame.
  void print(const Application &application, bool isBehind);

private:
  std::string last_;
};

} // namespace tilescope
