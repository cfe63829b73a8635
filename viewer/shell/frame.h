// The panels in the window: columns, tabs, splitters. Needs a Dear ImGui context, no window.
#pragma once

#include "viewer/panels/widgets/cut_texts.h"
#include "viewer/shell/window_layout.h"

namespace tilescope {

class Frame {
public:
  // `wake` is called on other threads when a pass that is waited for may be drawn.
  explicit Frame(std::function<void()> wake = [] {});

  WindowLayout layout;

  // The panels, into `size` pixels from `origin`. The document has a trace, the theme has fonts.
  void draw(const Document &document, Selection &selection, const Theme &theme, LiveKernel &kernel,
            const CommandSet &commands, ImVec2 origin, ImVec2 size);

  // A step to a pass of a large trace may come before its facets are read and joined, and the views
  // of them built, on other threads. Frames show the pass before until then: none waits.
  //
  //     frame   Selection::resume: pass 10    hold: back to 9 and draw    10 is awaited
  //     wake
  //     frame   Selection::resume: pass 10    hold: it is ready, draw
  //
  // When nothing before `draw` selects another pass; `isLoaded`: the selected one is. True: it is
  // one that was awaited.
  bool hold(const Document &document, Selection &selection, bool isLoaded);

  // Switches of all panels, as "remarks.this-pass", and "texts.wrap".
  std::map<std::string, bool> toggles() const;
  void setToggles(const std::map<std::string, bool> &toggles); // unknown ones are left out

  // One panel over the whole window, without its tab.
  void drawAlone(llvm::StringRef panel, const Document &document, Selection &selection,
                 const Theme &theme, LiveKernel &kernel, ImVec2 size);

  // The commands that panels gave since the last call.
  CommandSet takeGiven() { return std::exchange(given_, {}); }

  // The panel that takes keys: the mouse or Tab went there last; "": none.
  llvm::StringRef focusedPanel() const { return focused_; }
  // To the top of its cell, and the keys go there.
  void focus(const PanelInfo &panel);
  // What Copy took from it in the last frame.
  std::optional<std::string> takeCopied() { return std::exchange(copied_, std::nullopt); }

  // Where panels and parts of them were drawn last.
  const Places &places() const { return places_; }
  // What of their texts was cut.
  const CutTexts &cutTexts() const { return cutTexts_; }

private:
  struct Cell {
    ImVec2 position;
    ImVec2 size;
  };
  struct Input {
    const Document &document;
    Selection &selection;
    const Theme &theme;
    LiveKernel &kernel;
    const CommandSet &commands;
  };
  bool isReady(const Document &document, size_t pass);
  void showCard();
  // Tab and the like, and the keys that make the panel larger or smaller.
  void moveFocus(const CommandSet &commands);
  void resizeFocused(const CommandSet &commands);
  void begin(Selection &selection, ImVec2 origin, ImVec2 size);
  void drawColumns(Input &input, ImVec2 origin, ImVec2 size);
  void drawColumn(Input &input, size_t column, Cell cell);
  float upperHeight(size_t column, float height) const;
  void drawCell(Input &input, Area area, Cell cell);
  float tabsWidth(Area area) const; // pixels
  void drawTab(Input &input, const PanelInfo &panel, float width);
  void drawPanel(Input &input, const PanelInfo &panel);
  void scrollPanel(const CommandSet &commands) const; // the one that is current

  std::vector<std::unique_ptr<Panel>> panels_; // in the order of allPanels()
  PassStates states_;
  CommandSet given_;
  Places places_;
  CutTexts cutTexts_;
  llvm::StringRef hovered_; // in this frame
  llvm::StringRef focused_;
  bool wrapsTexts_ = false;
  bool isFocusByKeys_ = false; // and is marked until the mouse moves
  std::optional<std::string> copied_;
  std::optional<PassKey> shown_; // what `draw` drew last
  bool isHeld_ = false;          // a pass before the selected one was drawn last
};

} // namespace tilescope
