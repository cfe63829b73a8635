#include "viewer/shell/edit_window.h"

#include <imgui.h>
#include <imgui_stdlib.h>

namespace tilescope {

void EditWindow::open(Workspace &workspace) {
  std::optional<std::string> text = workspace.taggedText(workspace.selection.pass);
  if (!text)
    return;
  pass_ = workspace.selection.pass;
  place_ = workspace.document().trace->passes[pass_].name;
  text_ = std::move(*text);
  wasOpened_ = true;
}

void EditWindow::draw(Workspace &workspace, const Theme &theme) {
  constexpr const char *Id = "Edit the IR";
  if (std::exchange(wasOpened_, false))
    ImGui::OpenPopup(Id);
  const ImGuiViewport *viewport = ImGui::GetMainViewport();
  float margin = 40 * theme.scale;
  ImGui::SetNextWindowPos(ImVec2(viewport->Pos.x + margin, viewport->Pos.y + margin));
  ImGui::SetNextWindowSize(ImVec2(viewport->Size.x - 2 * margin, viewport->Size.y - 2 * margin));
  if (!ImGui::BeginPopupModal(Id, nullptr, ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return;
  ImGui::Text("After %s. Offsets of buffers are part of the text; tags behind #@ keep identities.",
              place_.c_str());
  ImVec2 size = ImGui::GetContentRegionAvail();
  size.y -= ImGui::GetFrameHeightWithSpacing();
  ImGui::InputTextMultiline("##text", &text_, size, ImGuiInputTextFlags_AllowTabInput);
  if (ImGui::Button("Run the rest of the passes on this")) {
    workspace.editIr(pass_, text_);
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  bool isCancelled = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (ImGui::Button("Cancel") || isCancelled)
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

} // namespace tilescope
