#include "viewer/panels/widgets/arena_names.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float LeastNameDigits = 9;   // less of a longer name tells nothing
constexpr size_t MostNamesBeside = 64; // of more boxes no name stands beside its own

// At its right, where no box is. Whether there was room.
bool drawBeside(const ArenaRow &row, const Picture &p, const ArenaBoxName &name,
                llvm::ArrayRef<Box> others) {
  ImVec2 min = p.list->GetClipRectMin(), max = p.list->GetClipRectMax();
  float top = std::max(name.box.min.y, min.y), bottom = std::min(name.box.max.y, max.y);
  float y = (top + bottom - p.line) / 2, x = name.box.max.x + p.character / 2;
  Box place{ImVec2(x, y), ImVec2(x + p.widthOf(row.name) + p.scale, y + p.line)};
  auto meets = [&](const Box &box) {
    return box.min.x < place.max.x && box.max.x > place.min.x && box.min.y < place.max.y &&
           box.max.y > place.min.y;
  };
  if (y < min.y || place.max.y > max.y || place.max.x > max.x || llvm::any_of(others, meets))
    return false;
  p.fill(place, p.color(Meaning::Background));
  return p.label(place, row.name,
                 name.isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferLine(row.hueDegrees));
}

// Where two boxes overlap, a refused plan, a name gives way to those that are drawn: the middle of
// its patch, as high as it is `size`, within what is seen of the box.
ImVec2 freeMiddle(const Box &seen, ImVec2 size, llvm::ArrayRef<Box> drawn) {
  ImVec2 middle((seen.min.x + seen.max.x) / 2, (seen.min.y + seen.max.y) / 2);
  for (const Box &patch : drawn) {
    bool meets = patch.min.x < middle.x + size.x / 2 && middle.x - size.x / 2 < patch.max.x &&
                 patch.min.y < middle.y + size.y / 2 && middle.y - size.y / 2 < patch.max.y;
    if (meets && patch.max.y + size.y <= seen.max.y)
      middle.y = patch.max.y + size.y / 2;
  }
  return middle;
}

// What is seen of a box carries its name, on a patch that hides the lines under it.
void drawName(const ArenaRow &row, const Picture &p, const ArenaBoxName &name,
              llvm::ArrayRef<Box> others, std::vector<Box> &drawn) {
  const Box &at = name.box;
  Box seen{ImVec2(std::max(at.min.x, p.list->GetClipRectMin().x) + 4 * p.scale,
                  std::max(at.min.y, p.list->GetClipRectMin().y)),
           ImVec2(std::min(at.max.x, p.list->GetClipRectMax().x) - 4 * p.scale,
                  std::min(at.max.y, p.list->GetClipRectMax().y))};
  ImU32 text = name.isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferText(row.hueDegrees);
  ImU32 fill = p.theme.bufferFill(row.hueDegrees, name.isDimmed ? Theme::DimmedAlpha : 1);
  ImVec2 middle((seen.min.x + seen.max.x) / 2, (seen.min.y + seen.max.y) / 2);
  auto patch = [&](float width, float height) {
    width = std::min(width, seen.width()), height = std::min(height, seen.height());
    Box box{ImVec2(middle.x - width / 2, middle.y - height / 2),
            ImVec2(middle.x + width / 2, middle.y + height / 2)};
    p.fill(box, p.color(Meaning::Background));
    p.fill(box, fill);
    drawn.push_back(box);
  };
  float nameWidth = p.widthOf(row.name);
  bool isAcross = nameWidth <= seen.width() && seen.height() >= p.line * 0.9F;
  bool isUpright =
      nameWidth <= seen.height() - 4 * p.scale && seen.width() + 8 * p.scale >= p.line * 0.9F;
  if (!isAcross && isUpright) {
    seen.min.x -= 4 * p.scale;
    seen.max.x += 4 * p.scale;
    patch(p.line, nameWidth + 2 * p.scale);
    p.uprightLabel(seen, row.name, text);
    return;
  }
  if (!isAcross && drawBeside(row, p, name, others))
    return;
  if (seen.height() < p.line * 0.9F || (!isAcross && seen.width() < LeastNameDigits * p.character))
    return; // a tooltip tells it
  std::string bytes = kibText(row.sizeBytes);
  bool hasBytes = seen.height() >= 2.4F * p.line && p.widthOf(bytes) <= seen.width();
  ImVec2 size(nameWidth + 2 * p.scale, hasBytes ? 2 * p.line : p.line);
  middle = freeMiddle(seen, ImVec2(std::min(size.x, seen.width()), size.y), drawn);
  patch(size.x, size.y);
  Box place{ImVec2(seen.min.x, middle.y - size.y / 2),
            ImVec2(seen.max.x, middle.y + (hasBytes ? 0 : size.y / 2))};
  if (isAcross)
    p.centeredLabel(place, row.name, text);
  else
    p.listing(place, row.name, text);
  if (hasBytes)
    p.centeredLabel({ImVec2(seen.min.x, middle.y), ImVec2(seen.max.x, middle.y + p.line)}, bytes,
                    text);
}

} // namespace

void drawArenaNames(const ArenaLayout &layout, const Picture &picture,
                    const std::vector<ArenaBoxName> &names) {
  const ArenaFunction &function = layout.function();
  std::vector<Box> boxes;
  if (names.size() <= MostNamesBeside)
    layout.forSeenBoxes([&](const ArenaBox &box) { boxes.push_back(layout.boxOf(box)); });
  else
    boxes.push_back({picture.list->GetClipRectMin(), picture.list->GetClipRectMax()});
  std::vector<Box> drawn;
  for (const ArenaBoxName &name : names)
    drawName(function.buffers[name.row], picture, name, boxes, drawn);
}

} // namespace tilescope
