#include "viewer/shell/message_band.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float MostOfWindow = 0.3F;

constexpr ImGuiWindowFlags Band = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                  ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                  ImGuiWindowFlags_NoFocusOnAppearing;

struct Button {
  const char *label;
  Command command;
};

void drawLine(const std::string &text, std::initializer_list<Button> buttons, CommandSet &given) {
  if (text.empty())
    return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  for (const Button &button : buttons) {
    ImGui::SameLine();
    if (ImGui::Button(button.label))
      given.give(button.command);
  }
}

} // namespace

std::string stopText(const Document &document) {
  if (document.stoppedBefore.empty())
    return "";
  return "stopped before " + document.stoppedBefore + ": e edits, x runs the rest";
}

std::string conflictText(const Document &document) {
  const Edits &edits = document.edits;
  if (edits.state != EditState::Conflict)
    return "";
  std::string place = edits.refused.empty() ? "" : " after " + edits.refused;
  return "the edit" + place + " is refused";
}

std::string editsText(const Edits &edits) {
  size_t count = edits.places.size();
  if (count == 0)
    return "";
  std::string text = std::to_string(count) + (count == 1 ? " edit" : " edits");
  return edits.state == EditState::Conflict ? text + ", one refused" : text;
}

CommandSet drawMessageBand(const Document &document, const Theme &theme, ImVec2 &origin,
                           ImVec2 &size) {
  CommandSet given;
  std::string stop = stopText(document);
  std::string conflict = conflictText(document);
  const std::string &message = document.message;
  if (stop.empty() && conflict.empty() && message.empty())
    return given;
  ImVec2 padding = ImGui::GetStyle().FramePadding;
  float wrap = size.x - 2 * padding.x;
  float height = 2 * padding.y;
  height += (!stop.empty() + !conflict.empty()) * ImGui::GetFrameHeightWithSpacing();
  if (!message.empty())
    height += ImGui::CalcTextSize(message.c_str(), nullptr, false, wrap).y;
  height = std::min(height, size.y * MostOfWindow);
  ImGui::SetNextWindowPos(origin);
  ImGui::SetNextWindowSize(ImVec2(size.x, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.color(Meaning::Raised));
  ImGui::Begin("message", nullptr, Band);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Meaning::Notice));
  drawLine(stop, {{"Edit", Command::EditIr}, {"Run the rest", Command::Break}}, given);
  drawLine(conflict, {{"Edit it again", Command::EditIr}, {"Drop edits", Command::DropEdits}},
           given);
  ImGui::PushTextWrapPos(0);
  if (!message.empty())
    ImGui::TextUnformatted(message.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  origin.y += height;
  size.y -= height;
  return given;
}

} // namespace tilescope
