#include "viewer/panels/commands.h"

#include "llvm/ADT/SmallVector.h"

#include <imgui.h>

namespace tilescope {

namespace {

const CommandInfo Commands[] = {
#define COMMAND(Id, group, title, keys) {Command::Id, #Id, #group, title, keys},
#include "viewer/panels/commands.def"
};
static_assert(std::size(Commands) <= 64, "CommandSet holds 64");

struct NamedKey {
  llvm::StringRef name;
  ImGuiKey key;
};

const NamedKey NamedKeys[] = {
    {"Esc", ImGuiKey_Escape},        {"Enter", ImGuiKey_Enter},
    {"Home", ImGuiKey_Home},         {"End", ImGuiKey_End},
    {"Up", ImGuiKey_UpArrow},        {"Down", ImGuiKey_DownArrow},
    {"Left", ImGuiKey_LeftArrow},    {"Right", ImGuiKey_RightArrow},
    {"Tab", ImGuiKey_Tab},           {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown}, {"Backspace", ImGuiKey_Backspace},
};

bool wasTyped(char character) {
  for (ImWchar typed : ImGui::GetIO().InputQueueCharacters)
    if (typed == static_cast<ImWchar>(character))
      return true;
  return false;
}

int keyIndex(llvm::StringRef name) {
  for (const NamedKey &named : NamedKeys)
    if (named.name == name)
      return ImGui::GetKeyIndex(named.key);
  // The window system's codes of printable keys are their upper-case characters.
  return name.size() == 1 ? static_cast<unsigned char>(name[0]) : -1;
}

// "Ctrl+Shift+P", "j", "Esc". While `isTyping` characters and named keys belong to the text field.
bool isPressed(llvm::StringRef chord, bool isTyping) {
  const ImGuiIO &io = ImGui::GetIO();
  bool ctrl = chord.consume_front("Ctrl+");
  bool shift = chord.consume_front("Shift+");
  bool alt = chord.consume_front("Alt+");
  bool isPlain = !ctrl && !alt;
  if (isTyping && isPlain && chord != "Esc")
    return false;
  if (chord.size() == 1 && isPlain && !shift)
    return !io.KeyCtrl && !io.KeyAlt && wasTyped(chord[0]);
  if (io.KeyCtrl != ctrl || io.KeyAlt != alt || io.KeyShift != shift)
    return false;
  int key = keyIndex(chord);
  return key >= 0 && ImGui::IsKeyPressed(key);
}

} // namespace

llvm::ArrayRef<CommandInfo> allCommands() { return Commands; }

void CommandSet::giveByKeys() {
  bool isTyping = ImGui::GetIO().WantTextInput;
  for (const CommandInfo &command : Commands) {
    llvm::SmallVector<llvm::StringRef> chords;
    command.keys.split(chords, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef chord : chords)
      if (isPressed(chord, isTyping))
        give(command.id);
  }
}

} // namespace tilescope
