#include "viewer/panels/widgets/access_marks.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

namespace {

constexpr float SampleDigits = 1.4F; // width of what an item draws

// Calls `visit` with where each item begins, and returns the lines they take.
int placeItems(const Picture &picture, float width, llvm::ArrayRef<LegendItem> items,
               llvm::function_ref<void(const LegendItem &item, float x, int line)> visit) {
  float x = 0;
  int line = 0;
  for (const LegendItem &item : items) {
    float wanted = (SampleDigits + 0.8F) * picture.character + picture.widthOf(item.name);
    if (x > 0 && x + wanted > width) {
      x = 0;
      ++line;
    }
    visit(item, x, line);
    x += wanted + 1.5F * picture.character;
  }
  return line + 1;
}

} // namespace

void drawAccessMark(const Picture &picture, AccessMark mark, ImVec2 middle, float radius,
                    ImU32 color) {
  ImVec2 least(middle.x - radius, middle.y - radius), most(middle.x + radius, middle.y + radius);
  ImVec2 corner(most.x, least.y), tip(middle.x, most.y);
  switch (mark) {
  case AccessMark::Fill:
    picture.list->AddTriangleFilled(least, corner, tip, color);
    return;
  case AccessMark::Copy:
    picture.list->AddTriangleFilled(least, corner, tip, picture.color(Meaning::Background));
    picture.list->AddTriangle(least, corner, tip, color, 1.5F * picture.scale);
    return;
  case AccessMark::Read:
    picture.list->AddCircleFilled(middle, radius, color, 12);
    return;
  case AccessMark::Both:
    picture.list->AddRectFilled(least, most, color);
    return;
  }
}

float legendHeight(const Picture &picture, float width, llvm::ArrayRef<LegendItem> items) {
  int lines =
      placeItems(picture, width - picture.character, items, [](const LegendItem &, float, int) {});
  return picture.line * static_cast<float>(lines) + 2 * picture.scale;
}

void drawLegend(const Picture &picture, const Box &box, llvm::ArrayRef<LegendItem> items) {
  ImU32 text = picture.color(Meaning::Text), quiet = picture.color(Meaning::Quiet);
  placeItems(picture, box.width() - picture.character, items,
             [&](const LegendItem &item, float x, int line) {
               ImVec2 at(box.min.x + picture.character / 2 + x,
                         box.min.y + picture.line * static_cast<float>(line));
               float size = SampleDigits * picture.character;
               float middle = at.y + picture.line / 2;
               item.draw(picture,
                         {ImVec2(at.x, middle - size / 2), ImVec2(at.x + size, middle + size / 2)},
                         text);
               picture.text(ImVec2(at.x + size + 0.5F * picture.character, at.y), item.name, quiet);
             });
}

void drawLegendHatch(const Picture &picture, const Box &box, ImU32 color) {
  picture.hatch(box, color);
  picture.outline(box, picture.color(Meaning::Quiet));
}

void drawLegendFill(const Picture &picture, const Box &box, ImU32 /*color*/) {
  picture.fill(box, picture.color(Meaning::Quiet));
}

void drawLegendDashes(const Picture &picture, const Box &box, ImU32 color) {
  picture.dashedVertical((box.min.x + box.max.x) / 2, box.min.y, box.max.y, color);
}

} // namespace tilescope
