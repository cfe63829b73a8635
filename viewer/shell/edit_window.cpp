#include "viewer/shell/edit_window.h"

#include "core/driver/patch.h"

#include <imgui.h>
#include <imgui_stdlib.h>

namespace tilescope {

namespace {

constexpr float ProblemShare = 0.3F; // of the window's height, at most

} // namespace

void EditWindow::open(Workspace &workspace) {
  const Document &document = workspace.document();
  if (!document.trace)
    return;
  pass_ = workspace.selection.pass;
  // The passes ended with it.
  if (document.edits.state == EditState::Conflict)
    pass_ = document.trace->passes.size() - 1;
  std::optional<EditableText> text = workspace.editableText(pass_);
  if (!text)
    return;
  edited_ = std::move(*text);
  wasOpened_ = true;
  waits_ = false;
}

std::string EditWindow::problemOf(const Document &document) const {
  if (!edited_.misfit.empty())
    return "An edit does not fit this text any more, so it is not in it:\n" + edited_.misfit;
  bool isRefused = document.edits.refused == edited_.place && !edited_.place.empty();
  return isRefused ? document.message : "";
}

void EditWindow::drawProblem(const std::string &text, const Theme &theme, float height) {
  ImGui::BeginChild("problem", ImVec2(0, height), false);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Meaning::Notice));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

void EditWindow::drawText(const Workspace &workspace, const Theme &theme) {
  std::string problem = problemOf(workspace.document());
  ImVec2 size = ImGui::GetContentRegionAvail();
  size.y -= ImGui::GetFrameHeightWithSpacing();
  float problemHeight = 0;
  if (!problem.empty()) {
    problemHeight = std::min(ImGui::CalcTextSize(problem.c_str()).y + ImGui::GetTextLineHeight(),
                             size.y * ProblemShare);
    size.y -= problemHeight + ImGui::GetStyle().ItemSpacing.y;
  }
  ImGui::PushFont(theme.mono);
  ImGui::InputTextMultiline("##text", &edited_.text, size, ImGuiInputTextFlags_AllowTabInput);
  ImGui::PopFont();
  if (!problem.empty())
    drawProblem(problem, theme, problemHeight);
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
              edited_.place.c_str());
  drawText(workspace, theme);
  const Document &document = workspace.document();
  // It stays open while the edit is refused.
  if (waits_ && !document.isCompiling) {
    waits_ = false;
    if (problemOf(document).empty())
      ImGui::CloseCurrentPopup();
  }
  if (ImGui::Button("Run the rest of the passes on this") && !waits_) {
    edited_.misfit.clear();
    workspace.editIr(pass_, edited_.text);
    waits_ = true;
  }
  ImGui::SameLine();
  bool isCancelled = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (ImGui::Button("Close") || isCancelled)
    ImGui::CloseCurrentPopup();
  if (waits_) {
    ImGui::SameLine();
    ImGui::TextDisabled("compiling ...");
  }
  ImGui::EndPopup();
}

} // namespace tilescope
