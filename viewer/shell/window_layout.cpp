#include "viewer/shell/window_layout.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

namespace tilescope {

namespace {

const char *const AreaNames[AreaCount] = {"left",         "left lower", "center",
                                          "center lower", "right",      "right lower"};

// Of the window: a column at the side, both of them, the upper cell of a column.
constexpr double LeastSide = 0.05, MostSide = 0.6, MostSides = 0.9;
constexpr double LeastUpper = 0.1, MostUpper = 0.95;

double within(double value, double least, double most, double otherwise) {
  return value >= least && value <= most ? value : otherwise;
}

} // namespace

llvm::json::Value toJSON(const WindowLayout &layout) {
  llvm::json::Object areas;
  for (const auto &[panel, area] : layout.areas)
    areas[panel] = area;
  return llvm::json::Object{{"leftShare", layout.leftShare},
                            {"rightShare", layout.rightShare},
                            {"upperShares", layout.upperShares},
                            {"areas", std::move(areas)},
                            {"active", layout.active}};
}

bool fromJSON(const llvm::json::Value &value, WindowLayout &layout, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.mapOptional("leftShare", layout.leftShare) &&
         map.mapOptional("rightShare", layout.rightShare) &&
         map.mapOptional("upperShares", layout.upperShares) &&
         map.mapOptional("areas", layout.areas) && map.mapOptional("active", layout.active);
}

const char *nameOf(Area area) { return AreaNames[static_cast<size_t>(area)]; }

Area WindowLayout::areaOf(const PanelInfo &panel) const {
  auto moved = areas.find(panel.name.str());
  if (moved != areas.end())
    for (size_t area = 0; area < AreaCount; ++area)
      if (moved->second == AreaNames[area])
        return static_cast<Area>(area);
  return panel.area;
}

bool WindowLayout::isActive(const PanelInfo &panel) const {
  if (!maximised.empty())
    return maximised == panel.name;
  const PanelInfo *first = nullptr;
  for (const PanelInfo &other : allPanels()) {
    if (areaOf(other) != areaOf(panel))
      continue;
    if (llvm::is_contained(active, other.name))
      return other.name == panel.name;
    if (!first)
      first = &other;
  }
  return first && first->name == panel.name;
}

void WindowLayout::activate(const PanelInfo &panel) {
  llvm::erase_if(active, [&](const std::string &name) {
    return llvm::any_of(allPanels(), [&](const PanelInfo &other) {
      return other.name == name && areaOf(other) == areaOf(panel);
    });
  });
  active.push_back(panel.name.str());
  if (!maximised.empty())
    maximised = panel.name.str();
}

void WindowLayout::move(const PanelInfo &panel, Area area) {
  llvm::erase(active, panel.name.str());
  areas[panel.name.str()] = AreaNames[static_cast<size_t>(area)];
  activate(panel);
}

void WindowLayout::clampShares() {
  leftShare = std::clamp(leftShare, LeastSide, std::min(MostSide, MostSides - rightShare));
  rightShare = std::clamp(rightShare, LeastSide, std::min(MostSide, MostSides - leftShare));
  for (double &share : upperShares)
    share = std::clamp(share, LeastUpper, MostUpper);
}

void WindowLayout::sanitise() {
  const WindowLayout defaults;
  leftShare = within(leftShare, LeastSide, MostSide, defaults.leftShare);
  rightShare = within(rightShare, LeastSide, MostSide, defaults.rightShare);
  if (leftShare + rightShare > MostSides) {
    leftShare = defaults.leftShare;
    rightShare = defaults.rightShare;
  }
  upperShares.resize(defaults.upperShares.size());
  for (size_t column = 0; column < upperShares.size(); ++column)
    upperShares[column] =
        within(upperShares[column], LeastUpper, MostUpper, defaults.upperShares[column]);
}

} // namespace tilescope
