// The IR text after a pass, to be edited; the rest of the passes then run on it.
#pragma once

#include "core/session/workspace.h"
#include "viewer/panels/theme.h"
#include "viewer/shell/text_history.h"

namespace tilescope {

class EditWindow {
public:
  // Over the panels, with the tagged text after the selected pass, or of the edit that was refused.
  // Says in the document's message why that cannot be had.
  void open(Workspace &workspace);
  void draw(Workspace &workspace, const Theme &theme);
  // Asks what to look for.
  void find() { wantsFind_ = true; }

  // What is edited, as patch files call it; "": the window is closed.
  const std::string &place() const { return edited_.place; }
  // Of what was found last, from 1; 0: nothing.
  size_t foundLine() const { return foundLine_; }
  bool isMissing() const { return isMissing_; }
  bool isFinding() const { return isFinding_; } // the query has the keyboard
  bool asksToDiscard() const { return asks_; }
  // The text is not that which was opened, or compiled last.
  bool isChanged() const { return edited_.text != compiled_; }

private:
  void close();
  // Below the text: run, close, or whether to throw away what was typed. True: close.
  bool drawButtons(Workspace &workspace, bool isDone);
  bool drawQuestion();
  void drawSearch(const Theme &theme);
  void drawText(const Workspace &workspace, const Theme &theme);
  void drawField(const Theme &theme, ImVec2 size);
  static int onEdit(ImGuiInputTextCallbackData *data);
  // In the text as it is typed, behind the cursor or else from its beginning.
  void selectNext(ImGuiInputTextCallbackData &data);
  void takeUndo(ImGuiInputTextCallbackData &data);
  void drawProblem(const std::string &text, const Theme &theme, float height);
  // What is wrong with the edit as it was compiled last; "": nothing.
  std::string problemOf(const Document &document) const;

  bool wasOpened_ = false;
  bool waits_ = false; // for the compile of what was edited
  size_t pass_ = 0;
  EditableText edited_;
  std::string compiled_; // the text as it was opened, or as it was compiled last
  bool asks_ = false;    // whether to throw away what was typed since then

  bool wantsText_ = false; // gives the text the keyboard
  bool wantsFind_ = false;
  bool wantsNext_ = false; // as soon as the text has the keyboard
  std::string query_;
  int cursor_ = 0; // where it was last: Dear ImGui forgets it with the keyboard
  size_t foundLine_ = 0;
  bool isFinding_ = false;
  bool isMissing_ = false; // what was looked for last
  TextHistory history_;
};

} // namespace tilescope
