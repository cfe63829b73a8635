#include "viewer/panels/widgets/kernel_choice_rows.h"

#include "viewer/panels/widgets/table.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool drawChoice(const char *id, const std::vector<std::string> &choices, std::string &value) {
  bool isChosen = false;
  if (!ImGui::BeginCombo(id, value.c_str()))
    return false;
  for (const std::string &choice : choices)
    if (ImGui::Selectable(choice.c_str(), choice == value)) {
      value = choice;
      isChosen = true;
    }
  ImGui::EndCombo();
  return isChosen;
}

void drawRowName(const char *name) {
  ImGui::TableNextColumn();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  drawClipped(name, ImGui::GetColorU32(ImGuiCol_Text), ImGui::GetContentRegionAvail().x);
}

namespace {

// What is chosen is asked for.
void drawRequests(const char *id, const std::vector<Preset> &presets, std::string chosen,
                  LiveKernel &kernel) {
  std::vector<std::string> labels;
  labels.reserve(presets.size());
  for (const Preset &preset : presets)
    labels.push_back(preset.label);
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  if (!drawChoice(id, labels, chosen))
    return;
  for (const Preset &preset : presets)
    if (preset.label == chosen)
      return kernel.request(preset.requested);
}

// Of a file with several.
void drawKernels(PanelContext &context) {
  const Document &document = context.document;
  if (document.kernels.size() < 2)
    return;
  drawRowName("kernel");
  const std::string &now = document.requested.function;
  drawRequests("##kernel", document.kernels, now.empty() ? "choose one" : now, context.kernel);
  if (ImGui::IsItemHovered())
    showTooltip("The kernels of the file");
  context.places.note("argument kernel");
}

// The instances that the kernel file lists, of all its kernels.
void drawPresets(PanelContext &context) {
  const Document &document = context.document;
  if (document.presets.empty())
    return;
  auto isAsked = [&](const Preset &preset) { return preset.requested == document.requested; };
  auto asked = llvm::find_if(document.presets, isAsked);
  drawRowName("instance");
  drawRequests("##preset", document.presets,
               asked == document.presets.end() ? "as it is" : asked->label, context.kernel);
  if (ImGui::IsItemHovered())
    showTooltip("The instances that the kernel file lists in its '# tilescope:' lines");
  context.places.note("argument instance");
}

} // namespace

void drawKernelChoices(PanelContext &context) {
  drawKernels(context);
  drawPresets(context);
}

} // namespace tilescope
