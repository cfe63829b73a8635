// Keys that windows over the panels take themselves.
#pragma once

#include <imgui.h>

namespace tilescope {

// Once a press, however long the key is held down: an answer must not answer the next question too.
inline bool isPressed(ImGuiKey key) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), /*repeat=*/false);
}
// Again and again while it is held down.
inline bool isPressedOrHeld(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

} // namespace tilescope
