#include "viewer/panels/widgets/marks.h"

#include <algorithm>

namespace tilescope {

void drawMark(Mark mark, ImU32 color) {
  ImVec2 size(ImGui::CalcTextSize("0").x, ImGui::GetTextLineHeight());
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImVec2 center(at.x + size.x / 2, at.y + size.y / 2);
  float r = size.x * 0.42F;
  float line = std::max(1.0F, size.x * 0.16F);
  ImDrawList *list = ImGui::GetWindowDrawList();
  switch (mark) {
  case Mark::Filled:
    list->AddCircleFilled(center, r, color);
    break;
  case Mark::Hollow:
    list->AddCircle(center, r, color, 0, line);
    break;
  case Mark::Cross:
    list->AddLine(ImVec2(center.x - r, center.y - r), ImVec2(center.x + r, center.y + r), color,
                  line * 1.4F);
    list->AddLine(ImVec2(center.x - r, center.y + r), ImVec2(center.x + r, center.y - r), color,
                  line * 1.4F);
    break;
  case Mark::Diamond:
    list->AddQuadFilled(ImVec2(center.x, center.y - r), ImVec2(center.x + r, center.y),
                        ImVec2(center.x, center.y + r), ImVec2(center.x - r, center.y), color);
    break;
  case Mark::Pause:
    for (float x : {center.x - r * 0.8F, center.x + r * 0.2F})
      list->AddRectFilled(ImVec2(x, center.y - r), ImVec2(x + r * 0.6F, center.y + r), color);
    break;
  case Mark::Check:
    list->AddLine(ImVec2(center.x - r, center.y), ImVec2(center.x - r * 0.2F, center.y + r * 0.8F),
                  color, line * 1.4F);
    list->AddLine(ImVec2(center.x - r * 0.2F, center.y + r * 0.8F),
                  ImVec2(center.x + r, center.y - r), color, line * 1.4F);
    break;
  }
  ImGui::Dummy(size);
}

} // namespace tilescope
