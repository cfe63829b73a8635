// Keys between the window and Dear ImGui.
//
// Dear ImGui 1.86 looks at which keys are down once a frame, so a key that is pressed and released
// between two frames would be lost. Here each press is a key of Application, and stays down for one
// frame. It also drops what is typed while Ctrl is down, so what comes after Ctrl was released is
// left for the frame after.
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
  // Since the frame before.
  struct Keys {
    std::vector<int> pressed;
    std::vector<int> released;
  };
  bool isAfterChord() const;

  Application &application_;
  Keys now_;
  Keys later_;
  int typedNow_ = 0; // how many of the characters that Dear ImGui has are of this frame
  std::vector<ImWchar> typedLater_;
};

} // namespace tilescope
