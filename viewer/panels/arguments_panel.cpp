// Panel `arguments`: sliders, lists and fields; each change compiles the kernel again.
#include "viewer/model/arguments_model.h"
#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

#include <imgui_stdlib.h>

namespace tilescope {

namespace {

class ArgumentsPanel : public Panel {
public:
  void draw(PanelContext &context) override;

private:
  void drawTarget(PanelContext &context, const ArgumentsView &view);
  void drawRow(PanelContext &context, const ArgumentRow &row);
  bool drawSlider(const ArgumentRow &row, std::string &value);

  CachedView<ArgumentsView, uint64_t> view_;
  // While a slider is dragged its stops stay, though each compile brings a new trace.
  std::string dragged_;
  std::vector<std::string> draggedStops_;
};

// What was asked for last, else what the trace was compiled with: the trace follows a compile
// later.
std::string requestedValue(const Document &document, const ArgumentRow &row) {
  for (const RequestedArgument &argument : document.requested)
    if (argument.name == row.name)
      return argument.value;
  return row.value;
}

bool drawList(const char *id, const std::vector<std::string> &choices, std::string &value) {
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

void ArgumentsPanel::draw(PanelContext &context) {
  const Document &document = context.document;
  const ArgumentsView &view = view_.get(
      document.revision, [&] { return buildArguments(*document.trace, context.selection); });
  if (!document.isLive)
    ImGui::TextDisabled("Recorded. Open the kernel file to change them.");
  ImGui::BeginDisabled(!document.isLive);
  if (ImGui::BeginTable("arguments", 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    drawTarget(context, view);
    for (const ArgumentRow &row : view.arguments)
      drawRow(context, row);
    ImGui::EndTable();
  }
  ImGui::EndDisabled();
}

void ArgumentsPanel::drawTarget(PanelContext &context, const ArgumentsView &view) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted("target");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  std::string target = context.document.isLive ? context.document.requestedTarget : view.target;
  if (drawList("##target", view.targets, target))
    context.actions.setTarget(target);
  context.places.note("argument target");
}

void ArgumentsPanel::drawRow(PanelContext &context, const ArgumentRow &row) {
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(row.name.c_str());
  if (ImGui::IsItemHovered() && !row.defaultValue.empty())
    ImGui::SetTooltip("%s, by default %s", row.type.c_str(), row.defaultValue.c_str());
  ImGui::TableNextColumn();
  ImGui::PushID(row.name.c_str());
  std::string value = requestedValue(context.document, row);
  std::string before = value;
  float field = ImGui::CalcTextSize("000000000").x;
  if (row.type == "int" && !row.stops.empty()) {
    ImGui::SetNextItemWidth(std::max(field, ImGui::GetContentRegionAvail().x - field -
                                                ImGui::GetStyle().ItemSpacing.x));
    drawSlider(row, value);
    context.places.note("argument " + row.name);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(field);
    ImGui::InputText("##typed", &value, ImGuiInputTextFlags_EnterReturnsTrue);
  } else if (!row.stops.empty()) {
    ImGui::SetNextItemWidth(-1);
    drawList("##list", row.stops, value);
    context.places.note("argument " + row.name);
  } else {
    ImGui::SetNextItemWidth(-1);
    std::string typed = value;
    if (ImGui::InputText("##typed", &typed, ImGuiInputTextFlags_EnterReturnsTrue))
      value = typed;
    context.places.note("argument " + row.name);
  }
  if (value != before && !value.empty())
    context.actions.setArgument(row.name, value);
  ImGui::PopID();
}

bool ArgumentsPanel::drawSlider(const ArgumentRow &row, std::string &value) {
  const std::vector<std::string> &stops = dragged_ == row.name ? draggedStops_ : row.stops;
  auto found = llvm::find(stops, value);
  int at = found == stops.end() ? 0 : static_cast<int>(found - stops.begin());
  bool isMoved = ImGui::SliderInt("##slider", &at, 0, static_cast<int>(stops.size()) - 1,
                                  value.c_str(), ImGuiSliderFlags_NoInput);
  if (isMoved)
    value = stops[static_cast<size_t>(at)];
  if (ImGui::IsItemActivated()) {
    draggedStops_ = row.stops;
    dragged_ = row.name;
  }
  if (ImGui::IsItemDeactivated())
    dragged_.clear();
  return isMoved;
}

} // namespace

std::unique_ptr<Panel> makeArgumentsPanel() { return std::make_unique<ArgumentsPanel>(); }

} // namespace tilescope
