// A heading of parts side by side, each in a colour of its own, on one line.
#pragma once

#include "viewer/panels/theme.h"

#include <string>
#include <vector>

namespace tilescope {

struct HeadingPart {
  Meaning meaning = Meaning::Text;
  std::string text;
  // Where the line is too narrow the part of the highest rank gives way first. 0: it stays.
  int dropRank = 0;
  std::string shorter = {}; // what stands there then
};

// Where the parts that stay are too long, the first ends in an ellipsis. While it is hovered, a
// line that is not whole shows all of it.
void drawHeadingLine(const Theme &theme, std::vector<HeadingPart> parts);

} // namespace tilescope
