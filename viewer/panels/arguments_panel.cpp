// Panel `arguments`: sliders, lists and fields; each change compiles the kernel again.
#include "core/views/arguments_model.h"
#include "viewer/panels/widgets/kernel_choice_rows.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/ADT/STLExtras.h"

#include <imgui_stdlib.h>

namespace tilescope {

namespace {

constexpr float TypedDigits = 9;
constexpr float LeastSliderDigits = 2.5F; // the grab and some way for it

// One thing to set: its label, its name in Places, and what was asked for.
struct Field {
  const ArgumentRow &row;
  std::string label;
  std::string place;
  std::string value;
  std::string help = {}; // of an option of a pass
};

class ArgumentsPanel : public Panel {
public:
  void draw(PanelContext &context) override;

private:
  void drawChoices(PanelContext &context, const ArgumentsView &view);
  // True: the field has another value.
  bool drawField(PanelContext &context, Field &field);
  bool drawValue(PanelContext &context, Field &field);
  bool drawSlider(const ArgumentRow &row, std::string &value);

  CachedView<ArgumentsView, uint64_t> view_;
  // While a slider is dragged its stops stay, though each compile brings a new trace.
  std::string dragged_;
  std::vector<std::string> draggedStops_;
};

// What was asked for last, else what the trace was compiled with: the trace follows a compile
// later.
std::string requestedValue(const Requested::Values &requested, const ArgumentRow &row) {
  for (const auto &[name, value] : requested)
    if (name == row.name)
      return value;
  return row.value;
}

// "True" of a kernel's argument, "true" of an option of a pass.
bool isTrue(llvm::StringRef value) { return value.equals_insensitive("true"); }

// What a box that is checked, or is not, stands for; null if the row does not offer it.
const std::string *stopOf(const ArgumentRow &row, bool isOn) {
  auto found =
      llvm::find_if(row.stops, [&](const std::string &stop) { return isTrue(stop) == isOn; });
  return found == row.stops.end() ? nullptr : &*found;
}

// Of the field beside a slider: as wide as the slider leaves it, but never less than the value and
// the cursor behind it.
float typedWidth(const std::string &value) {
  float digit = ImGui::CalcTextSize("0").x;
  float least =
      ImGui::CalcTextSize(value.c_str()).x + digit / 2 + 2 * ImGui::GetStyle().FramePadding.x;
  float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  return std::max(least, std::min(TypedDigits * digit, half));
}

bool drawTyped(std::string &value, float width) {
  ImGui::SetNextItemWidth(width);
  std::string typed = value;
  if (!ImGui::InputText("##typed", &typed, ImGuiInputTextFlags_EnterReturnsTrue) || typed.empty())
    return false;
  value = typed;
  return true;
}

// "peel-epilogue" of "inject-pipeline.peel-epilogue".
std::string optionOf(llvm::StringRef name) { return name.split('.').second.str(); }

void ArgumentsPanel::draw(PanelContext &context) {
  const Document &document = context.document;
  const ArgumentsView &view = view_.get(
      document.revision, [&] { return buildArguments(*document.trace, context.selection); });
  if (!document.isLive) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("Recorded. Press r to compile it here and change them.");
    ImGui::PopTextWrapPos();
  }
  ImGui::BeginDisabled(!document.isLive);
  if (ImGui::BeginTable("arguments", 2, ImGuiTableFlags_SizingStretchProp)) {
    size_t digits = 8;
    for (const ArgumentRow &row : view.arguments)
      digits = std::max(digits, row.name.size());
    for (const ArgumentRow &row : view.passOptions)
      digits = std::max(digits, optionOf(row.name).size());
    float width = static_cast<float>(digits) * ImGui::CalcTextSize("0").x;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed,
                            std::min(width, ImGui::GetContentRegionAvail().x * 0.6F));
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    drawKernelChoices(context);
    drawChoices(context, view);
    for (const ArgumentRow &row : view.arguments) {
      Field field{row, row.name, "argument " + row.name,
                  requestedValue(document.requested.arguments, row)};
      if (drawField(context, field))
        context.kernel.setArgument(row.name, field.value);
    }
    for (const ArgumentRow &row : view.passOptions) {
      Field field{row, optionOf(row.name), "option " + row.name,
                  requestedValue(document.requested.passOptions, row)};
      if (auto help = document.optionHelp.find(row.name); help != document.optionHelp.end())
        field.help = help->second;
      if (drawField(context, field))
        context.kernel.setPassOption(row.name, field.value);
    }
    ImGui::EndTable();
  }
  ImGui::EndDisabled();
}

void ArgumentsPanel::drawChoices(PanelContext &context, const ArgumentsView &view) {
  const Document &document = context.document;
  drawRowName("target");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  std::string target = document.isLive ? document.requested.target : view.target;
  if (drawChoice("##target", view.targets, target))
    context.kernel.setTarget(target);
  context.places.note("argument target");
  drawRowName("plan for");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  std::string goal = document.isLive ? document.requested.planFor : view.planFor;
  if (drawChoice("##plan", view.plansFor, goal))
    context.kernel.setPlanFor(goal);
  if (ImGui::IsItemHovered())
    showTooltip("What comes first in the plan of shared memory: the fewest bytes, or the most "
                "blocks per SM and then the fewest barriers");
  context.places.note("argument plan");
}

bool ArgumentsPanel::drawField(PanelContext &context, Field &field) {
  const ArgumentRow &row = field.row;
  drawRowName(field.label.c_str());
  if (ImGui::IsItemHovered())
    showTooltip(detailsOf(row, field.help));
  ImGui::TableNextColumn();
  ImGui::PushID(field.place.c_str());
  bool isSet = drawValue(context, field);
  ImGui::PopID();
  return isSet;
}

bool ArgumentsPanel::drawValue(PanelContext &context, Field &field) {
  const ArgumentRow &row = field.row;
  bool isSet = false;
  if (row.type == "bool" && stopOf(row, true) && stopOf(row, false)) {
    bool isOn = isTrue(field.value);
    isSet = drawCheckbox("##box", isOn);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      showTooltip(detailsOf(row, field.help));
    if (isSet)
      field.value = *stopOf(row, isOn);
    context.places.note(field.place);
  } else if (row.type == "int" && !row.stops.empty()) {
    float typed = typedWidth(field.value);
    float slider = ImGui::GetContentRegionAvail().x - typed - ImGui::GetStyle().ItemSpacing.x;
    if (slider >= LeastSliderDigits * ImGui::CalcTextSize("0").x) {
      ImGui::SetNextItemWidth(slider);
      isSet = drawSlider(row, field.value);
      if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
        showTooltip(detailsOf(row, field.help));
      context.places.note(field.place);
      ImGui::SameLine();
    } else {
      typed = -1;
    }
    isSet |= drawTyped(field.value, typed);
    context.places.note(field.place + " typed");
  } else if (!row.stops.empty()) {
    ImGui::SetNextItemWidth(-1);
    isSet = drawChoice("##list", row.stops, field.value);
    context.places.note(field.place);
  } else {
    isSet = drawTyped(field.value, -1);
    context.places.note(field.place);
  }
  return isSet;
}

bool ArgumentsPanel::drawSlider(const ArgumentRow &row, std::string &value) {
  const std::vector<std::string> &stops = dragged_ == row.name ? draggedStops_ : row.stops;
  auto found = llvm::find(stops, value);
  int at = found == stops.end() ? 0 : static_cast<int>(found - stops.begin());
  // The value stands beside it, where the grab cannot cover it.
  bool isMoved = ImGui::SliderInt("##slider", &at, 0, static_cast<int>(stops.size()) - 1, "",
                                  ImGuiSliderFlags_NoInput);
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
