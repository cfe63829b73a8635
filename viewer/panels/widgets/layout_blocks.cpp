#include "viewer/panels/widgets/layout_blocks.h"

#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

void drawLayoutBlocks(PanelContext &context, const LayoutsView &view) {
  const std::vector<TileBlocks> &all = view.buffers.front().blocks;
  for (size_t i = 0; i != all.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    std::string text = lineText("line ", all[i].sourceLine, ": ") + toText(all[i]);
    std::string lines = llvm::join(linesOf(text, ImGui::GetContentRegionAvail().x), "\n");
    if (ImGui::Selectable(lines.c_str(), static_cast<int64_t>(i) == view.blocks)) {
      Pick pick = context.selection.pinned;
      pick.stmt = all[i].stmt;
      pick.sourceLine = all[i].sourceLine;
      context.selection.pin(std::move(pick));
    }
    if (ImGui::IsItemHovered())
      showTooltip(all[i].text);
    context.places.note("layout blocks " + text);
    ImGui::PopID();
  }
}

} // namespace tilescope
