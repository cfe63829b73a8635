// A narrow strip beside a text: where in the whole of it something is, and what part is visible.
#pragma once

#include "viewer/panels/theme.h"

#include <optional>
#include <vector>

namespace tilescope {

// Rows [begin, end) of the text.
struct RulerMark {
  uint32_t begin = 0;
  uint32_t end = 0;
  Meaning meaning = Meaning::Quiet;
};

// Adds one row; joins it to the mark before where they touch and look alike.
void addMark(std::vector<RulerMark> &marks, size_t row, Meaning meaning);

// Lanes from left to right, each a list of marks.
struct OverviewRuler {
  const Theme &theme;
  ImVec2 topLeft; // pixels
  ImVec2 size;
  size_t rowCount = 0;
  float firstRow = 0; // visible part
  float lastRow = 0;

  void drawMarks(ImDrawList &list, const std::vector<RulerMark> &marks, size_t lane,
                 size_t laneCount) const;
  // The row that a click or drag asks for; the ruler is an item of the current window.
  std::optional<float> drawFrame(ImDrawList &list) const;

  static float width(const Theme &theme) { return 14 * theme.scale; }
};

} // namespace tilescope
