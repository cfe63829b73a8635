// The marks of what a statement does to a buffer, and the legend that explains them.
#pragma once

#include "viewer/panels/widgets/picture.h"

namespace tilescope {

enum class AccessMark : uint8_t { Fill, Copy, Read, Both };

// Around `middle`, `radius` pixels to each side.
void drawAccessMark(const Picture &picture, AccessMark mark, ImVec2 middle, float radius,
                    ImU32 color);

struct LegendItem {
  const char *name;
  void (*draw)(const Picture &picture, const Box &box, ImU32 color); // into a small box
};

// From left to right, in as many lines as they need.
float legendHeight(const Picture &picture, float width, llvm::ArrayRef<LegendItem> items);
void drawLegend(const Picture &picture, const Box &box, llvm::ArrayRef<LegendItem> items);

// For items: one mark in the middle of the box.
template <AccessMark Which>
void drawLegendMark(const Picture &picture, const Box &box, ImU32 color) {
  ImVec2 middle((box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2);
  drawAccessMark(picture, Which, middle, 4 * picture.scale, color);
}
void drawLegendHatch(const Picture &picture, const Box &box, ImU32 color);
void drawLegendFill(const Picture &picture, const Box &box, ImU32 color);
void drawLegendDashes(const Picture &picture, const Box &box, ImU32 color);

} // namespace tilescope
