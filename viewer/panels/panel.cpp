#include "viewer/panels/panel.h"

#include <imgui.h>

namespace tilescope {

#define PANEL(name, Class, title, area) std::unique_ptr<Panel> make##Class##Panel();
#include "viewer/panels/panels.def"

namespace {

const PanelInfo Panels[] = {
#define PANEL(name, Class, title, area) {#name, title, Area::area, make##Class##Panel},
#include "viewer/panels/panels.def"
};

} // namespace

llvm::ArrayRef<PanelInfo> allPanels() { return Panels; }

void Places::note(llvm::StringRef name) {
  if (!ImGui::IsItemVisible()) // scrolled out
    return;
  ImVec2 least = ImGui::GetItemRectMin();
  ImVec2 most = ImGui::GetItemRectMax();
  note(name, ImVec4(least.x, least.y, most.x, most.y));
}

void drawStaleMark(const PanelContext &context) {
  ImVec2 from = ImGui::GetCursorScreenPos();
  ImVec2 to(from.x + ImGui::GetContentRegionAvail().x, from.y + ImGui::GetTextLineHeight());
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->AddRectFilled(from, to, context.theme.color(Meaning::Notice, 0.25F));
  list->AddText(ImVec2(from.x + 4 * context.theme.scale, from.y),
                context.theme.color(Meaning::Text),
                "of the last good compile, not of the file now");
  ImGui::Dummy(ImVec2(to.x - from.x, to.y - from.y));
}

void drawEmpty(const PanelContext &context, llvm::StringRef why, llvm::StringRef remedy) {
  ImGui::Dummy(ImVec2(0, 8 * context.theme.scale));
  ImGui::Indent(8 * context.theme.scale);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(why.begin(), why.end());
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(Meaning::Quiet));
  ImGui::TextUnformatted(remedy.begin(), remedy.end());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::Unindent(8 * context.theme.scale);
}

} // namespace tilescope
