// Keys between the window and Dear ImGui.
//
// Dear ImGui 1.86 looks at which keys are down once a frame, so a key that is pressed and released
// between two frames would be lost, and one that is released and pressed again would be one press.
// It also drops what is typed while Ctrl is down. So what GLFW reports waits in the order in which
// it happened, and a frame takes it up to where it would no longer be seen:
//
//   reported        Esc down | Esc up, Esc down, Esc up
//   frame 1         down
//   frame 2                    up
//   frame 3                            down
//   frame 4                                      up
#pragma once

#include "viewer/shell/application.h"

#include <array>
#include <deque>

struct GLFWwindow;

namespace tilescope {

class Keyboard {
public:
  explicit Keyboard(Application &application) : application_(application) {}

  // As GLFW calls them; `character` is a code point.
  void keyEvent(int key, int action, int modifiers);
  void typed(unsigned character);

  // Before ImGui::NewFrame. Presses that the frame takes are keys of Application, too.
  void beforeFrame();
  // More frames are needed to see all that was pressed.
  bool isBehind() const { return !events_.empty(); }

private:
  static constexpr size_t KeyCount = 512; // of ImGuiIO::KeysDown

  struct Event {
    int key = -1; // -1: a character
    bool isDown = false;
    unsigned character = 0;
    std::string name; // for Application; "" for what is no key of it
  };
  // Of one frame.
  struct Taken {
    std::vector<int> keys;
    bool hasInput = false; // that what modifies it must not outrun
  };
  bool isSeenWith(const Taken &taken, const Event &event) const;
  void take(Event event, Taken &taken);

  Application &application_;
  std::deque<Event> events_;
  std::array<bool, KeyCount> isDown_ = {};
};

} // namespace tilescope
