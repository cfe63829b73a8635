#include "viewer/panels/widgets/heading_line.h"

#include "viewer/panels/widgets/cut_texts.h"
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

namespace tilescope {

namespace {

std::string joined(const std::vector<HeadingPart> &parts) {
  std::string text;
  for (const HeadingPart &part : parts)
    if (!part.text.empty())
      text += (text.empty() ? "" : " ") + part.text;
  return text;
}

} // namespace

void drawHeadingLine(const Theme &theme, std::vector<HeadingPart> parts) {
  float room = ImGui::GetContentRegionAvail().x;
  std::string whole = joined(parts);
  // Of a font of one width, so that the parts have it together that they have in one text.
  float over = pixelWidthOf(whole) - room;
  while (over > 0) {
    auto least = llvm::max_element(
        parts, [](const HeadingPart &a, const HeadingPart &b) { return a.dropRank < b.dropRank; });
    if (least == parts.end() || least->dropRank == 0)
      break;
    least->text = std::exchange(least->shorter, {});
    least->dropRank = 0;
    over = pixelWidthOf(joined(parts)) - room;
  }
  llvm::erase_if(parts, [](const HeadingPart &part) { return part.text.empty(); });
  ImGui::BeginGroup();
  for (const HeadingPart &part : parts) {
    bool isFirst = &part == &parts.front();
    if (!isFirst)
      ImGui::SameLine(0, ImGui::CalcTextSize(" ").x);
    float width = pixelWidthOf(part.text) - (isFirst ? std::max(over, 0.0F) : 0);
    drawClipped(part.text, theme.color(part.meaning), width, TextKind::Listing);
  }
  ImGui::EndGroup();
  std::string shown = joined(parts);
  if (shown != whole)
    CutTexts::note(TextKind::Listing, whole, shown);
  if ((shown != whole || over > 0) && ImGui::IsItemHovered())
    showTooltip(whole);
}

} // namespace tilescope
