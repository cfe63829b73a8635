#include "viewer/shell/place_commands.h"

#include "core/session/workspace.h"
#include "core/views/view_text.h"
#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::string followLink(const PlaceLink &place, Workspace &workspace, WindowLayout &layout) {
  if (place == PlaceLink() || workspace.isStandIn())
    return "";
  if (llvm::Error error = goTo(place, workspace))
    return llvm::toString(std::move(error));
  if (place.tab.empty())
    return "";
  auto isMeant = [&](const PanelInfo &panel) { return panel.name == place.tab; };
  const auto *panel = llvm::find_if(allPanels(), isMeant);
  if (panel == allPanels().end())
    return "no panel '" + place.tab + "'";
  layout.activate(*panel);
  return "";
}

std::string linkCommand(const Workspace &workspace, llvm::StringRef panel) {
  const Document &document = workspace.document();
  PlaceLink place = placeOf(*document.trace, workspace.selection, panel);
  return "tilescope view " + shellWordsOf(linkTo(document.line, place));
}

} // namespace tilescope
