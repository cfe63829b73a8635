// One frame of the window: menu, panels, status line. Needs a Dear ImGui context, no window.
#pragma once

#include "viewer/shell/window_layout.h"

#include <map>

namespace tilescope {

class Frame {
public:
  Frame();

  WindowLayout layout;

  // Draws everything between ImGui::NewFrame and ImGui::Render. `theme` has fonts.
  void draw(const Document &document, Selection &selection, const Theme &theme, AppActions &actions,
            const CommandSet &commands);

  // Where a panel was drawn last, in pixels; an empty rectangle if it was not.
  ImVec4 rectangleOf(llvm::StringRef panel) const;

private:
  struct Cell {
    ImVec2 position;
    ImVec2 size;
  };
  struct Input {
    const Document &document;
    Selection &selection;
    const Theme &theme;
    AppActions &actions;
    const CommandSet &commands;
  };
  void drawColumns(Input &input, ImVec2 origin, ImVec2 size);
  float upperHeight(size_t column, float height) const;
  void drawCell(Input &input, Area area, Cell cell);
  void drawTab(Input &input, const PanelInfo &panel);
  void drawPanel(Input &input, const PanelInfo &panel);

  std::vector<std::unique_ptr<Panel>> panels_; // in the order of allPanels()
  std::vector<ImVec4> rectangles_;
};

} // namespace tilescope
