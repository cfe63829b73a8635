#include "viewer/shell/palette.h"

#include "viewer/panels/widgets/pass_cells.h"
#include "viewer/panels/widgets/table.h"
#include "viewer/shell/key_press.h"
#include "viewer/shell/palette_lines.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace tilescope {

namespace {

constexpr ImGuiWindowFlags Overlay =
    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize;

// Centered near the top, at most `pixels` wide.
float placeOverlay(const Theme &theme, float pixels) {
  const ImGuiViewport *viewport = ImGui::GetMainViewport();
  float width = std::min(pixels * theme.scale, viewport->Size.x - 20 * theme.scale);
  ImGui::SetNextWindowPos(
      ImVec2(viewport->Pos.x + (viewport->Size.x - width) / 2, viewport->Pos.y + 40 * theme.scale));
  return width;
}

// Lines of a legend, one after the other.
std::string joined(llvm::StringRef lines) {
  std::string text;
  for (auto [line, rest] = lines.split('\n'); !line.empty();
       std::tie(line, rest) = rest.split('\n'))
    text += (text.empty() ? "" : "; ") + line.str();
  return text;
}

} // namespace

bool isOverlayOpen() {
  return ImGui::IsPopupOpen("palette") || ImGui::IsPopupOpen("keys") || ImGui::IsPopupOpen("path");
}

// Lines by number are what was meant, others come behind all else.
std::vector<PaletteEntry> Palette::entriesOf(const Document &document, const Selection &selection,
                                             const RequestHistory &history) {
  std::vector<PaletteEntry> entries = offeredEntries(document, selection, typed_, history);
  if (!document.trace)
    return entries;
  auto key = std::tuple(typed_, document.revision, selection.pass);
  if (key != linesOf_) {
    linesOf_ = std::move(key);
    lines_ = lineEntries(*document.trace, selection, typed_);
  }
  entries.insert(isLineNumber(typed_) ? entries.begin() : entries.end(), lines_.begin(),
                 lines_.end());
  return entries;
}

std::optional<PaletteEntry> Palette::draw(const Theme &theme, const Document &document,
                                          const Selection &selection,
                                          const RequestHistory &history) {
  if (wasOpened_) {
    ImGui::OpenPopup("palette");
    typed_.clear();
    chosen_ = 0;
  }
  float width = placeOverlay(theme, 640);
  if (!ImGui::BeginPopup("palette", Overlay)) {
    wasOpened_ = false;
    return std::nullopt;
  }
  std::optional<PaletteEntry> given;
  if (std::exchange(wasOpened_, false))
    ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  bool isEntered = ImGui::InputTextWithHint(
      "##typed", "type a command, a panel, a pass, a buffer, a line, or NAME=VALUE", &typed_,
      ImGuiInputTextFlags_EnterReturnsTrue);
  std::vector<PaletteEntry> entries = entriesOf(document, selection, history);
  chosen_ += isPressedOrHeld(ImGuiKey_DownArrow) - isPressedOrHeld(ImGuiKey_UpArrow);
  chosen_ = std::clamp(chosen_, 0, std::max(0, static_cast<int>(entries.size()) - 1));
  for (int row = 0; row != static_cast<int>(entries.size()); ++row) {
    const PaletteEntry &entry = entries[static_cast<size_t>(row)];
    ImGui::PushID(row);
    bool isChosen = row == chosen_;
    ImGuiSelectableFlags flags = entry.isPossible ? 0 : ImGuiSelectableFlags_Disabled;
    float left = ImGui::GetCursorPosX();
    if (ImGui::Selectable("##entry", isChosen, flags, ImVec2(width, 0)) ||
        (isChosen && isEntered && entry.isPossible))
      given = entry;
    float detail = ImGui::CalcTextSize(entry.detail.c_str()).x;
    ImGui::SameLine(left);
    drawClipped(entry.group + ": " + entry.title,
                ImGui::GetColorU32(entry.isPossible ? ImGuiCol_Text : ImGuiCol_TextDisabled),
                width - detail - ImGui::GetStyle().ItemSpacing.x);
    ImGui::SameLine(width - detail);
    ImGui::TextDisabled("%s", entry.detail.c_str());
    ImGui::PopID();
  }
  if (given || isEntered || isPressed(ImGuiKey_Escape))
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return given;
}

void HelpWindow::draw(const Theme &theme) {
  if (std::exchange(wasOpened_, false))
    ImGui::OpenPopup("keys");
  float width = placeOverlay(theme, 620);
  if (!ImGui::BeginPopup("keys", Overlay))
    return;
  llvm::StringRef group;
  for (const CommandInfo &command : allCommands()) {
    if (command.group != group) {
      group = command.group;
      ImGui::PushFont(theme.strong);
      ImGui::TextUnformatted(group.begin(), group.end());
      ImGui::PopFont();
    }
    if (command.keys.empty())
      continue;
    ImGui::TextUnformatted(command.keys.begin(), command.keys.end());
    ImGui::SameLine(width * 0.3F);
    ImGui::TextUnformatted(command.title.begin(), command.title.end());
  }
  ImGui::Separator();
  ImGui::TextDisabled("Hover previews, click pins. In pictures: Ctrl+wheel zooms at the pointer,\n"
                      "wheel scrolls, dragging pans. Double click on a tab: one panel alone.");
  ImGui::PushTextWrapPos(width);
  ImGui::TextDisabled("Marks of passes: %s.", joined(PassLegend).c_str());
  ImGui::PopTextWrapPos();
  if (isPressed(ImGuiKey_Escape))
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void PathPrompt::open(std::string title, std::string start) {
  title_ = std::move(title);
  typed_ = std::move(start);
  wasOpened_ = true;
}

namespace {

int completeOnTab(ImGuiInputTextCallbackData *data) {
  std::string completed =
      completePath(std::string(data->Buf, static_cast<size_t>(data->BufTextLen)));
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, completed.data(), completed.data() + completed.size());
  return 0;
}

} // namespace

std::optional<std::string> PathPrompt::draw(const Theme &theme,
                                            const std::vector<std::string> &recent) {
  if (wasOpened_)
    ImGui::OpenPopup("path");
  float width = placeOverlay(theme, 760);
  if (!ImGui::BeginPopup("path", Overlay)) {
    wasOpened_ = false;
    return std::nullopt;
  }
  std::optional<std::string> chosen;
  ImGui::TextUnformatted(title_.c_str());
  if (std::exchange(wasOpened_, false))
    ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  if (ImGui::InputTextWithHint(
          "##path", "trace, or kernel.py:function --set M=1024; Tab completes", &typed_,
          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion,
          completeOnTab))
    chosen = typed_;
  if (!recent.empty())
    ImGui::TextDisabled("open before:");
  for (const std::string &path : recent)
    if (ImGui::Selectable(path.c_str(), false, 0, ImVec2(width, 0)))
      chosen = path;
  if (chosen || isPressed(ImGuiKey_Escape))
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return chosen;
}

std::string completePath(const std::string &typed) {
  llvm::StringRef folder = llvm::sys::path::parent_path(typed);
  if (llvm::StringRef(typed).ends_with("/"))
    folder = llvm::StringRef(typed).drop_back();
  if (folder.empty() && llvm::StringRef(typed).starts_with("/"))
    folder = "/";
  std::optional<std::string> common;
  size_t count = 0;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder.empty() ? "." : folder, code), end;
       file != end && !code; file.increment(code)) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, llvm::sys::path::filename(file->path()));
    if (!path.str().starts_with(typed))
      continue;
    ++count;
    if (!common)
      common = path.str().str();
    size_t same = std::ranges::mismatch(*common, path.str()).in1 - common->begin();
    common->resize(same);
  }
  if (!common)
    return typed;
  if (count == 1 && llvm::sys::fs::is_directory(*common))
    *common += '/';
  return *common;
}

} // namespace tilescope
