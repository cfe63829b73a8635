#include "viewer/app/state_report.h"

#include "core/json/archive.h"
#include "core/json/json_value.h"

#include "llvm/Support/MD5.h"

namespace tilescope {

namespace {

Json stateOf(const Application &application) {
  const Workspace &workspace = application.workspace;
  const Document &document = workspace.document();
  Json json;
  json["file"] = workspace.path();
  json["other"] = workspace.otherPath();
  json["comparing"] = document.comparing;
  json["message"] = document.message;
  json["status"] = application.said();
  json["copied"] = application.copied();
  json["focus"] = application.panels.focusedPanel().str();
  json["popup"] = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  json["recent"] = application.settings().recent;
  json["compiling"] = document.isCompiling;
  json["stoppedBefore"] = document.stoppedBefore;
  json["edits"] = document.edits.places;
  json["editing"] = application.edit().place();
  json["textChanged"] = application.edit().isChanged();
  json["asksToDiscard"] = application.edit().asksToDiscard();
  json["foundLine"] = application.edit().foundLine();
  json["finding"] = application.edit().isFinding();
  json["notFound"] = application.edit().isMissing();
  json["query"] = workspace.selection.query;
  const ImGuiIO &io = ImGui::GetIO();
  json["typing"] = io.WantTextInput;
  if (ImGui::IsMousePosValid())
    json["mouse"] = {int(io.MousePos.x), int(io.MousePos.y), io.MouseDown[0]};
  if (document.trace) {
    const Selection &selection = workspace.selection;
    const TracePass &pass = document.trace->passes[selection.pass];
    json["pass"] = selection.pass;
    json["passName"] = pass.name;
    json["passes"] = document.trace->passes.size();
    for (const ArenaRecord &arena : *document.trace->snapshots[pass.snapshot].arenas)
      json["peakBytes"].push_back(arena.plan.heightBytes);
    if (selection.pinned.buffer)
      json["buffer"] = nameInFunction(*selection.pinned.buffer);
    json["version"] = selection.pinned.version;
    json["sourceLine"] = selection.pinned.sourceLine.number;
    llvm::MD5 cuda;
    cuda.update(document.trace->cuda);
    json["cuda"] = cuda.final().digest().str().str();
    for (const TraceParameter &parameter : document.trace->header.parameters)
      json["arguments"][parameter.name] = parameter.value;
  }
  for (const auto &[name, place] : application.panels.places().all())
    json["places"][name] = {int(place.x), int(place.y), int(place.z), int(place.w)};
  if (const InstancesScreen &instances = application.instances(); instances.isShown()) {
    for (const InstanceRow &row : instances.view().rows)
      json["instances"].push_back(row.trace);
    for (const auto &[name, place] : instances.places().all())
      json["places"][name] = {int(place.x), int(place.y), int(place.z), int(place.w)};
  }
  json["cutLabels"] = json["cutListings"] = Json::array();
  for (const CutText &text : application.panels.cutTexts().all())
    json[text.kind == TextKind::Label ? "cutLabels" : "cutListings"].push_back(
        {{"text", text.text}, {"shown", text.shown}});
  return json;
}

} // namespace

void StateReport::print(const Application &application, bool isBehind) {
  Json state = stateOf(application);
  state["behind"] = isBehind;
  std::string text = state.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text == last_)
    return;
  llvm::outs() << text << '\n';
  llvm::outs().flush();
  last_ = std::move(text);
}

} // namespace tilescope
