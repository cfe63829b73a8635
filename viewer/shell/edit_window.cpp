#include "viewer/shell/edit_window.h"

#include "core/driver/patch.h"
#include "viewer/shell/key_press.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace tilescope {

namespace {

constexpr float ProblemShare = 0.3F; // of the window's height, at most
constexpr float FindShare = 0.3F;    // of its width

// Numbers of the lines beside a field of the current font, whose text begins at `top`.
void drawNumbers(const Theme &theme, size_t lineCount, ImVec2 origin, ImVec2 size, float top) {
  float lineHeight = ImGui::GetFontSize();
  ImDrawList *list = ImGui::GetWindowDrawList();
  ImVec2 end(origin.x + size.x, origin.y + size.y);
  list->PushClipRect(origin, end, true);
  auto first = static_cast<size_t>(std::max(0.0F, (origin.y - top) / lineHeight));
  for (size_t line = first; line < lineCount; ++line) {
    float y = top + static_cast<float>(line) * lineHeight;
    if (y > end.y)
      break;
    std::string number = std::to_string(line + 1);
    float width = ImGui::CalcTextSize((number + " ").c_str()).x;
    list->AddText(ImVec2(end.x - width, y), theme.color(Meaning::Quiet), number.c_str());
  }
  list->PopClipRect();
}

// Case counts if the query has a capital letter, as in the panel that searches.
size_t findNext(llvm::StringRef text, llvm::StringRef query, size_t from) {
  bool isExact = llvm::any_of(query, llvm::isUpper);
  auto find = [&](size_t begin) {
    return isExact ? text.find(query, begin) : text.find_insensitive(query, begin);
  };
  size_t found = find(from);
  return found == llvm::StringRef::npos ? find(0) : found;
}

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
  compiled_ = edited_.text;
  history_.start(edited_.text);
  wasOpened_ = wantsText_ = true;
  waits_ = wantsFind_ = wantsNext_ = asks_ = isMissing_ = false;
  cursor_ = 0;
  foundLine_ = 0;
}

void EditWindow::close() {
  edited_ = {};
  compiled_.clear();
  foundLine_ = 0;
  asks_ = false;
  ImGui::CloseCurrentPopup();
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
  drawSearch(theme);
  size.y -= ImGui::GetFrameHeightWithSpacing();
  ImGui::PushFont(theme.mono);
  drawField(theme, size);
  ImGui::PopFont();
  if (!problem.empty())
    drawProblem(problem, theme, problemHeight);
}

void EditWindow::drawSearch(const Theme &theme) {
  // What is typed next is another query, never the text.
  if (std::exchange(wantsFind_, false))
    ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * FindShare);
  if (ImGui::InputTextWithHint("##find", "find with Ctrl+F; next with Enter", &query_,
                               ImGuiInputTextFlags_EnterReturnsTrue |
                                   ImGuiInputTextFlags_AutoSelectAll) &&
      !query_.empty()) {
    isMissing_ = findNext(edited_.text, query_, 0) == llvm::StringRef::npos;
    wantsNext_ = !isMissing_;
    if (isMissing_) {
      foundLine_ = 0;
      ImGui::SetKeyboardFocusHere(-1);
    }
  }
  isFinding_ = ImGui::IsItemActive();
  ImGui::SameLine();
  std::string found = foundLine_   ? "line " + std::to_string(foundLine_)
                      : isMissing_ ? "not found"
                                   : "";
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(isMissing_ ? Meaning::Notice : Meaning::Quiet));
  ImGui::TextUnformatted(found.c_str());
  ImGui::PopStyleColor();
}

void EditWindow::drawField(const Theme &theme, ImVec2 size) {
  auto lineCount = static_cast<size_t>(std::ranges::count(edited_.text, '\n')) + 1;
  std::string widest = std::to_string(lineCount) + "  ";
  float gutter = ImGui::CalcTextSize(widest.c_str()).x;
  ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(origin.x + gutter, origin.y));
  if (std::exchange(wantsText_, false) || wantsNext_)
    ImGui::SetKeyboardFocusHere();
  // At Escape Dear ImGui gives a field the text back that it had when the keyboard came to it.
  std::optional<std::string> typed;
  if (isPressed(ImGuiKey_Escape))
    typed = edited_.text;
  ImGui::InputTextMultiline("##text", &edited_.text, ImVec2(size.x - gutter, size.y),
                            ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_NoUndoRedo |
                                ImGuiInputTextFlags_CallbackAlways,
                            onEdit, this);
  if (typed)
    edited_.text = std::move(*typed);
  // The field scrolls in a window of its own.
  const ImGuiWindow *field = ImGui::GetCurrentWindow()->DC.ChildWindows.back();
  float top = field->DC.CursorStartPos.y + ImGui::GetStyle().FramePadding.y;
  drawNumbers(theme, lineCount, origin, ImVec2(gutter, size.y), top);
}

int EditWindow::onEdit(ImGuiInputTextCallbackData *data) {
  auto &window = *static_cast<EditWindow *>(data->UserData);
  if (std::exchange(window.wantsNext_, false))
    window.selectNext(*data);
  window.takeUndo(*data);
  window.cursor_ = data->CursorPos;
  window.history_.note(std::string(data->Buf, static_cast<size_t>(data->BufTextLen)),
                       static_cast<size_t>(data->CursorPos));
  return 0;
}

// Dear ImGui would take back one character after the other.
void EditWindow::takeUndo(ImGuiInputTextCallbackData &data) {
  const ImGuiIO &io = ImGui::GetIO();
  if (!io.KeyCtrl || io.KeyAlt)
    return;
  bool redoes = isPressedOrHeld(ImGuiKey_Y) || (io.KeyShift && isPressedOrHeld(ImGuiKey_Z));
  bool undoes = !redoes && isPressedOrHeld(ImGuiKey_Z);
  const TextHistory::State *state = redoes ? history_.redo() : undoes ? history_.undo() : nullptr;
  if (!state)
    return;
  data.DeleteChars(0, data.BufTextLen);
  data.InsertChars(0, state->text.data(), state->text.data() + state->text.size());
  data.CursorPos = static_cast<int>(state->cursor);
  data.ClearSelection();
}

void EditWindow::selectNext(ImGuiInputTextCallbackData &data) {
  llvm::StringRef text(data.Buf, static_cast<size_t>(data.BufTextLen));
  size_t found = findNext(text, query_, std::min(static_cast<size_t>(cursor_), text.size()));
  if (found == llvm::StringRef::npos)
    return;
  data.SelectionStart = static_cast<int>(found);
  data.SelectionEnd = data.CursorPos = static_cast<int>(found + query_.size());
  foundLine_ = text.take_front(found).count('\n') + 1;
}

void EditWindow::draw(Workspace &workspace, const Theme &theme) {
  constexpr const char *Id = "Edit the IR";
  if (std::exchange(wasOpened_, false))
    ImGui::OpenPopup(Id);
  const ImGuiViewport *viewport = ImGui::GetMainViewport();
  float margin = 40 * theme.scale;
  ImGui::SetNextWindowPos(ImVec2(viewport->Pos.x + margin, viewport->Pos.y + margin));
  ImGui::SetNextWindowSize(ImVec2(viewport->Size.x - 2 * margin, viewport->Size.y - 2 * margin));
  if (!ImGui::BeginPopupModal(Id, nullptr, ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove)) {
    edited_ = {};
    return;
  }
  ImGui::Text("After %s. Offsets of buffers are part of the text; tags behind #@ keep identities.",
              edited_.place.c_str());
  drawText(workspace, theme);
  const Document &document = workspace.document();
  // It stays open while the edit is refused.
  bool isAnswered = waits_ && !document.isCompiling;
  bool isDone = isAnswered && problemOf(document).empty();
  waits_ &= !isAnswered;
  wantsText_ |= isAnswered; // that Ctrl+Enter took the keyboard from
  if (asks_ ? drawQuestion() : drawButtons(workspace, isDone))
    close();
  ImGui::EndPopup();
}

bool EditWindow::drawButtons(Workspace &workspace, bool isDone) {
  bool runs = ImGui::Button("Run the rest of the passes on this (Ctrl+Enter)");
  runs |= ImGui::GetIO().KeyCtrl && isPressed(ImGuiKey_Enter);
  if (runs && !waits_ && !isDone) {
    edited_.misfit.clear();
    compiled_ = edited_.text;
    workspace.editIr(pass_, edited_.text);
    waits_ = true;
  }
  ImGui::SameLine();
  bool wantsToClose = ImGui::Button("Close");
  wantsToClose |= isPressed(ImGuiKey_Escape);
  if (waits_) {
    ImGui::SameLine();
    ImGui::TextDisabled("compiling ...");
  }
  asks_ = wantsToClose && !isDone && isChanged();
  return isDone || (wantsToClose && !asks_);
}

bool EditWindow::drawQuestion() {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("The text was changed since it was compiled.");
  ImGui::SameLine();
  if (ImGui::Button("Go on editing (Esc)") || isPressed(ImGuiKey_Escape))
    asks_ = false;
  ImGui::SameLine();
  return ImGui::Button("Discard the changes (Enter)") || (asks_ && isPressed(ImGuiKey_Enter));
}

} // namespace tilescope
