#include "viewer/panels/widgets/overview_ruler.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float LeastMarkPixels = 4;

} // namespace

void addMark(std::vector<RulerMark> &marks, size_t row, Meaning meaning) {
  auto begin = static_cast<uint32_t>(row);
  if (!marks.empty() && marks.back().end == begin && marks.back().meaning == meaning)
    marks.back().end = begin + 1;
  else
    marks.push_back({begin, begin + 1, meaning});
}

void OverviewRuler::drawMarks(ImDrawList &list, const std::vector<RulerMark> &marks, size_t lane,
                              size_t laneCount) const {
  float perRow = size.y / static_cast<float>(std::max<size_t>(rowCount, 1));
  float laneWidth = size.x / static_cast<float>(laneCount);
  float left = topLeft.x + laneWidth * static_cast<float>(lane);
  float drawnTo = -1; // marks of one pixel row are drawn once
  for (const RulerMark &mark : marks) {
    float begin = std::floor(static_cast<float>(mark.begin) * perRow);
    float end =
        std::max(begin + LeastMarkPixels * theme.scale, static_cast<float>(mark.end) * perRow);
    if (end <= drawnTo)
      continue;
    drawnTo = end;
    list.AddRectFilled({left + theme.scale, topLeft.y + begin},
                       {left + laneWidth - theme.scale, topLeft.y + end},
                       theme.color(mark.meaning));
  }
}

std::optional<float> OverviewRuler::drawFrame(ImDrawList &list) const {
  list.AddRectFilled(topLeft, {topLeft.x + size.x, topLeft.y + size.y},
                     theme.color(Meaning::Faint, 0.5F));
  float perRow = size.y / static_cast<float>(std::max<size_t>(rowCount, 1));
  float top = topLeft.y + firstRow * perRow;
  float bottom = topLeft.y + std::min(lastRow, static_cast<float>(rowCount)) * perRow;
  list.AddRect({topLeft.x, top}, {topLeft.x + size.x, std::max(bottom, top + 2 * theme.scale)},
               theme.color(Meaning::Quiet, 0.7F), 0, 0, theme.scale);
  ImGui::SetCursorScreenPos(topLeft);
  ImGui::InvisibleButton("overview", {std::max(size.x, 1.0F), std::max(size.y, 1.0F)});
  if (!ImGui::IsItemActive() || perRow <= 0)
    return std::nullopt;
  return std::clamp((ImGui::GetIO().MousePos.y - topLeft.y) / perRow, 0.0F,
                    static_cast<float>(rowCount));
}

} // namespace tilescope
