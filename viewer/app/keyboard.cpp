#include "viewer/app/keyboard.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace tilescope {

namespace {

struct NamedKey {
  int key;
  const char *name;
};

constexpr NamedKey NamedKeys[] = {
    {GLFW_KEY_ESCAPE, "Esc"},     {GLFW_KEY_ENTER, "Enter"},
    {GLFW_KEY_KP_ENTER, "Enter"}, {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_HOME, "Home"},      {GLFW_KEY_END, "End"},
    {GLFW_KEY_PAGE_UP, "PageUp"}, {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_DOWN, "Down"},      {GLFW_KEY_PAGE_DOWN, "PageDown"},
    {GLFW_KEY_LEFT, "Left"},      {GLFW_KEY_RIGHT, "Right"},
};

// "" for keys that only type or modify.
std::string nameOf(int key) {
  for (const NamedKey &named : NamedKeys)
    if (named.key == key)
      return named.name;
  return "";
}

bool isPrintable(int key) { return key > GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT; }

// Letters stand where the keyboard's layout has them.
std::string printedName(int key) {
  const char *name = glfwGetKeyName(key, 0);
  std::string text = name ? name : std::string(1, static_cast<char>(key));
  if (text.size() == 1)
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

bool isModifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

} // namespace

void Keyboard::keyEvent(int key, int action, int modifiers) {
  if (key < 0 || static_cast<size_t>(key) >= KeyCount)
    return;
  Event event{.key = key, .isDown = action != GLFW_RELEASE};
  bool isChord = modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT);
  std::string name = isPrintable(key) && isChord ? printedName(key) : nameOf(key);
  if (event.isDown && !name.empty())
    event.name = std::string(modifiers & GLFW_MOD_CONTROL ? "Ctrl+" : "") +
                 (modifiers & GLFW_MOD_SHIFT ? "Shift+" : "") +
                 (modifiers & GLFW_MOD_ALT ? "Alt+" : "") + name;
  events_.push_back(std::move(event));
}

void Keyboard::typed(unsigned character) {
  Event event{.character = character};
  if (character < 128)
    event.name = std::string(1, static_cast<char>(character));
  events_.push_back(std::move(event));
}

bool Keyboard::isSeenWith(const Taken &taken, const Event &event) const {
  if (event.key < 0 || isDown_[static_cast<size_t>(event.key)] == event.isDown)
    return true;
  if (isModifier(event.key) && taken.hasInput)
    return false;
  return std::ranges::find(taken.keys, event.key) == taken.keys.end();
}

void Keyboard::take(Event event, Taken &taken) {
  if (event.key < 0) {
    ImGui::GetIO().AddInputCharacter(event.character);
  } else {
    isDown_[static_cast<size_t>(event.key)] = event.isDown;
    taken.keys.push_back(event.key);
  }
  taken.hasInput |= event.key < 0 || (event.isDown && !isModifier(event.key));
  if (!event.name.empty())
    application_.press(std::move(event.name));
}

void Keyboard::beforeFrame() {
  ImGuiIO &io = ImGui::GetIO();
  io.InputQueueCharacters.clear();
  Taken taken;
  while (!events_.empty() && isSeenWith(taken, events_.front())) {
    take(std::move(events_.front()), taken);
    events_.pop_front();
  }
  std::ranges::copy(isDown_, io.KeysDown);
  io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
  io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
  io.KeyAlt = io.KeysDown[GLFW_KEY_LEFT_ALT] || io.KeysDown[GLFW_KEY_RIGHT_ALT];
}

} // namespace tilescope
