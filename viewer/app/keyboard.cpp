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

bool contains(const std::vector<int> &keys, int key) {
  return std::ranges::find(keys, key) != keys.end();
}

} // namespace

// Ctrl was released, which it is for Dear ImGui in the next frame only.
bool Keyboard::isAfterChord() const {
  return contains(now_.released, GLFW_KEY_LEFT_CONTROL) ||
         contains(now_.released, GLFW_KEY_RIGHT_CONTROL);
}

void Keyboard::keyEvent(int key, int action, int modifiers) {
  if (key < 0)
    return;
  if (action == GLFW_RELEASE) {
    (contains(later_.pressed, key) ? later_ : now_).released.push_back(key);
    return;
  }
  (isAfterChord() ? later_ : now_).pressed.push_back(key);
  bool isChord = modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT);
  std::string name = isPrintable(key) && isChord ? printedName(key) : nameOf(key);
  if (name.empty())
    return;
  application_.press(std::string(modifiers & GLFW_MOD_CONTROL ? "Ctrl+" : "") +
                     (modifiers & GLFW_MOD_SHIFT ? "Shift+" : "") +
                     (modifiers & GLFW_MOD_ALT ? "Alt+" : "") + name);
}

void Keyboard::typed(unsigned character) {
  typedNow_ += !isAfterChord();
  if (character < 128)
    application_.press(std::string(1, static_cast<char>(character)));
}

void Keyboard::beforeFrame() {
  ImGuiIO &io = ImGui::GetIO();
  for (int key : later_.pressed)
    io.KeysDown[key] = false;
  for (const std::vector<int> *keys : {&now_.pressed, &now_.released})
    for (int key : *keys)
      io.KeysDown[key] = true;
  io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
  io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
  io.KeyAlt = io.KeysDown[GLFW_KEY_LEFT_ALT] || io.KeysDown[GLFW_KEY_RIGHT_ALT];
  ImVector<ImWchar> &typed = io.InputQueueCharacters;
  typedLater_.clear();
  for (int at = typedNow_; at < typed.size(); ++at)
    typedLater_.push_back(typed[at]);
  typed.resize(std::min(typed.size(), typedNow_));
}

void Keyboard::afterFrame() {
  ImGuiIO &io = ImGui::GetIO();
  for (int key : now_.released)
    io.KeysDown[key] = false;
  now_ = std::exchange(later_, {});
  for (ImWchar character : typedLater_)
    io.InputQueueCharacters.push_back(character);
  typedNow_ = static_cast<int>(typedLater_.size());
}

} // namespace tilescope
