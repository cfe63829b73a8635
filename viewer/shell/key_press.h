// Keys that windows over the panels take themselves.
#pragma once

#include <imgui.h>

namespace tilescope {

inline bool isPressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

} // namespace tilescope
