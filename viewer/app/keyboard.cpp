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

} // namespace

void Keyboard::keyEvent(int key, int action, int modifiers) {
  if (key < 0)
    return;
  if (action == GLFW_RELEASE) {
    released_.push_back(key);
    return;
  }
  pressed_.push_back(key);
  bool isChord = modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT);
  std::string name = isPrintable(key) && isChord ? printedName(key) : nameOf(key);
  if (name.empty())
    return;
  application_.press(std::string(modifiers & GLFW_MOD_CONTROL ? "Ctrl+" : "") +
                     (modifiers & GLFW_MOD_SHIFT ? "Shift+" : "") +
                     (modifiers & GLFW_MOD_ALT ? "Alt+" : "") + name);
}

void Keyboard::typed(unsigned character) {
  if (character < 128)
    application_.press(std::string(1, static_cast<char>(character)));
}

void Keyboard::beforeFrame() {
  ImGuiIO &io = ImGui::GetIO();
  for (int key : pressed_)
    io.KeysDown[key] = true;
  io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
  io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
  io.KeyAlt = io.KeysDown[GLFW_KEY_LEFT_ALT] || io.KeysDown[GLFW_KEY_RIGHT_ALT];
}

void Keyboard::afterFrame() {
  for (int key : released_)
    ImGui::GetIO().KeysDown[key] = false;
  pressed_.clear();
  released_.clear();
}

} // namespace tilescope
