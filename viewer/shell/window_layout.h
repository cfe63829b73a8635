// Where the panels stand: three columns of two cells, each cell a strip of tabs.
//
//     | Left      | Center      | Right      |
//     | passes    | ir          | arena      |
//     |-----------|-------------|------------|   split
//     | LeftLower | CenterLower | RightLower |
//
// Sizes are shares of the window, so that a layout fits every size.
#pragma once

#include "viewer/panels/panel.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace tilescope {

struct WindowLayout {
  // Shares of the width; the center takes the rest.
  double leftShare = 0.26;
  double rightShare = 0.37;
  // Of the height, the upper cell of each column.
  std::vector<double> upperShares = {0.52, 0.60, 0.60};
  std::map<std::string, std::string> areas; // by panel, where it was moved to
  std::vector<std::string> active;          // panels that are on top of their cell
  std::string maximised;                    // panel; "": none

  Area areaOf(const PanelInfo &panel) const;
  // Whether it is the visible tab of its cell.
  bool isActive(const PanelInfo &panel) const;
  void activate(const PanelInfo &panel);
  void move(const PanelInfo &panel, Area area);
  // Within bounds, whatever a settings file says.
  void sanitise();
  // To what `sanitise` leaves as it is.
  void clampShares();
};

llvm::json::Value toJSON(const WindowLayout &layout);
bool fromJSON(const llvm::json::Value &value, WindowLayout &layout, llvm::json::Path path);

const char *nameOf(Area area);

} // namespace tilescope
