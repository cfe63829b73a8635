#include "viewer/shell/message_band.h"

#include "viewer/panels/widgets/table.h"

namespace tilescope {

namespace {

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
  ImGui::SameLine();
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

// One line: what does not fit shows when it is hovered.
static void drawMessage(const std::string &message, const Theme &theme) {
  if (message.empty())
    return;
  llvm::StringRef first = llvm::StringRef(message).split('\n').first;
  ImGui::AlignTextToFramePadding();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  drawClipped(first, theme.color(first.contains("error: ") ? Meaning::Bad : Meaning::Notice),
              ImGui::GetContentRegionAvail().x, TextKind::Listing);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s", message.c_str());
}

CommandSet drawMessageBand(const Document &document, const Theme &theme, ImVec2 origin,
                           ImVec2 &size) {
  CommandSet given;
  std::string stop = stopText(document);
  std::string conflict = conflictText(document);
  if (!document.isLive && stop.empty() && conflict.empty() && document.message.empty())
    return given;
  ImVec2 padding = ImGui::GetStyle().FramePadding;
  float height = ImGui::GetFrameHeight() + 2 * padding.y;
  size.y -= height;
  ImGui::SetNextWindowPos(ImVec2(origin.x, origin.y + size.y));
  ImGui::SetNextWindowSize(ImVec2(size.x, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.color(Meaning::Raised));
  ImGui::Begin("message", nullptr, Band);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Meaning::Notice));
  drawLine(stop, {{"Edit", Command::EditIr}, {"Run the rest", Command::Break}}, given);
  drawLine(conflict, {{"Edit it again", Command::EditIr}, {"Drop edits", Command::DropEdits}},
           given);
  ImGui::PopStyleColor();
  drawMessage(document.message, theme);
  if (stop.empty() && conflict.empty() && document.message.empty())
    ImGui::TextDisabled("live: compiled again when the file is saved or an argument changes");
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return given;
}

} // namespace tilescope
