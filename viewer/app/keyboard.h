// Keys between the window and Dear ImGui.
//
// Dear ImGui 1.86 looks at which keys are down once a frame, so a key that is pressed and released
// between two frames would be lost. Here each press is a key of Application, and stays down for one
// frame.
#pragma once

#include "viewer/shell/application.h"

struct GLFWwindow;

namespace tilescope {

class Keyboard {
public:
  explicit Keyboard(Application &application) : application_(application) {}

  // As GLFW calls them; `character` is a code point.
  void keyEvent(int key, int action, int modifiers);
  void typed(unsigned character);

  // Around ImGui::NewFrame.
  void beforeFrame();
  void afterFrame();

private:
  Application &application_;
  std::vector<int> pressed_; // since the frame before
  std::vector<int> released_;
};

} // namespace tilescope
