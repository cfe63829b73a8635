// Panel `arguments`: sliders, lists and fields; each change compiles the kernel again.
#include "core/views/arguments_model.h"
#include "core/views/ir_words.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/ADT/STLExtras.h"

#include <imgui_stdlib.h>

namespace tilescope {

namespace {

// One thing to set: its label, its name in Places, and what was asked for.
struct Field {
  const ArgumentRow &row;
  std::string label;
  std::string place;
  std::string value;
};

class ArgumentsPanel : public Panel {
public:
  void draw(PanelContext &context) override;

private:
  static void drawPresets(PanelContext &context);
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

// "True" of a kernel's argument, "true" of an option of a pass.
bool isTrue(llvm::StringRef value) { return value.equals_insensitive("true"); }

// What a box that is checked, or is not, stands for; null if the row does not offer it.
const std::string *stopOf(const ArgumentRow &row, bool isOn) {
  auto found =
      llvm::find_if(row.stops, [&](const std::string &stop) { return isTrue(stop) == isOn; });
  return found == row.stops.end() ? nullptr : &*found;
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

std::string tooltipOf(const ArgumentRow &row) {
  std::string text = row.name + ": " + row.type;
  if (!row.defaultValue.empty())
    text += ", by default " + row.defaultValue;
  if (!row.stops.empty())
    text += "\nfrom " + row.stops.front() + " to " + row.stops.back() + "; others can be typed";
  llvm::StringRef meaning = meaningOfWord(optionOf(row.name));
  return meaning.empty() ? text : text + "\n" + meaning.str();
}

// Before each row of two cells.
void drawName(const char *name) {
  ImGui::TableNextColumn();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  drawClipped(name, ImGui::GetColorU32(ImGuiCol_Text), ImGui::GetContentRegionAvail().x);
}

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
    drawPresets(context);
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
      if (drawField(context, field))
        context.kernel.setPassOption(row.name, field.value);
    }
    ImGui::EndTable();
  }
  ImGui::EndDisabled();
}

// The instances that the kernel file lists, of all its kernels.
void ArgumentsPanel::drawPresets(PanelContext &context) {
  const Document &document = context.document;
  if (document.presets.empty())
    return;
  std::vector<std::string> labels;
  std::string chosen = "as it is";
  for (const Preset &preset : document.presets) {
    labels.push_back(preset.label);
    if (preset.requested == document.requested)
      chosen = preset.label;
  }
  drawName("instance");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  if (drawList("##preset", labels, chosen))
    for (const Preset &preset : document.presets)
      if (preset.label == chosen)
        return context.kernel.request(preset.requested);
  if (ImGui::IsItemHovered())
    showTooltip("The instances that the kernel file lists in its '# tilescope:' lines");
  context.places.note("argument instance");
}

void ArgumentsPanel::drawChoices(PanelContext &context, const ArgumentsView &view) {
  const Document &document = context.document;
  drawName("target");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  std::string target = document.isLive ? document.requested.target : view.target;
  if (drawList("##target", view.targets, target))
    context.kernel.setTarget(target);
  context.places.note("argument target");
  drawName("plan for");
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  std::string goal = document.isLive ? document.requested.planFor : view.planFor;
  if (drawList("##plan", view.plansFor, goal))
    context.kernel.setPlanFor(goal);
  if (ImGui::IsItemHovered())
    showTooltip("What comes first in the plan of shared memory: the fewest bytes, or the most "
                "blocks per SM and then the fewest barriers");
  context.places.note("argument plan");
}

bool ArgumentsPanel::drawField(PanelContext &context, Field &field) {
  const ArgumentRow &row = field.row;
  drawName(field.label.c_str());
  if (ImGui::IsItemHovered())
    showTooltip(tooltipOf(row));
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
    if (isSet)
      field.value = *stopOf(row, isOn);
    context.places.note(field.place);
  } else if (row.type == "int" && !row.stops.empty()) {
    float typed = ImGui::CalcTextSize("000000000").x;
    ImGui::SetNextItemWidth(std::max(typed, ImGui::GetContentRegionAvail().x - typed -
                                                ImGui::GetStyle().ItemSpacing.x));
    isSet = drawSlider(row, field.value);
    context.places.note(field.place);
    ImGui::SameLine();
    isSet |= drawTyped(field.value, typed);
    context.places.note(field.place + " typed");
  } else if (!row.stops.empty()) {
    ImGui::SetNextItemWidth(-1);
    isSet = drawList("##list", row.stops, field.value);
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
