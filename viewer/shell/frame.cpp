#include "viewer/shell/frame.h"

#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <imgui_internal.h>

namespace tilescope {

namespace {

constexpr float SplitterPixels = 5;
constexpr float LeastCellPixels = 60;
constexpr float PageShare = 0.9F; // of what is seen

constexpr ImGuiWindowFlags Bare =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground;

// A bar to drag between two cells. Returns where its middle was dragged to, along the axis.
std::optional<float> drawSplitter(const char *id, ImVec2 position, ImVec2 size, bool isVertical) {
  ImGui::SetCursorScreenPos(position);
  ImGui::InvisibleButton(id, size);
  bool isActive = ImGui::IsItemActive();
  bool isHot = isActive || ImGui::IsItemHovered();
  if (isHot)
    ImGui::SetMouseCursor(isVertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  ImU32 color = ImGui::GetColorU32(isHot ? ImGuiCol_SeparatorActive : ImGuiCol_Border);
  ImVec2 middle(position.x + size.x / 2, position.y + size.y / 2);
  ImDrawList *list = ImGui::GetWindowDrawList();
  if (isVertical)
    list->AddLine(ImVec2(middle.x, position.y), ImVec2(middle.x, position.y + size.y), color);
  else
    list->AddLine(ImVec2(position.x, middle.y), ImVec2(position.x + size.x, middle.y), color);
  if (!isActive)
    return std::nullopt;
  return isVertical ? ImGui::GetMousePos().x : ImGui::GetMousePos().y;
}

float tabWidth(const PanelInfo &panel) {
  return ImGui::CalcTextSize(panel.title.begin(), panel.title.end()).x +
         2 * ImGui::GetStyle().FramePadding.x;
}

constexpr const char *WrapToggle = "texts.wrap";

} // namespace

Frame::Frame(std::function<void()> wake) : states_(std::move(wake)) {
  for (const PanelInfo &panel : allPanels())
    panels_.push_back(panel.make());
}

std::map<std::string, bool> Frame::toggles() const {
  std::map<std::string, bool> toggles{{WrapToggle, wrapsTexts_}};
  for (size_t i = 0; i != panels_.size(); ++i)
    panels_[i]->visitToggles([&](llvm::StringRef name, bool &isOn) {
      toggles[(allPanels()[i].name + "." + name).str()] = isOn;
    });
  return toggles;
}

void Frame::setToggles(const std::map<std::string, bool> &toggles) {
  if (auto found = toggles.find(WrapToggle); found != toggles.end())
    wrapsTexts_ = found->second;
  for (size_t i = 0; i != panels_.size(); ++i)
    panels_[i]->visitToggles([&](llvm::StringRef name, bool &isOn) {
      if (auto found = toggles.find((allPanels()[i].name + "." + name).str());
          found != toggles.end())
        isOn = found->second;
    });
}

void Frame::draw(const Document &document, Selection &selection, const Theme &theme,
                 LiveKernel &kernel, const CommandSet &commands, ImVec2 origin, ImVec2 size) {
  Input input{document, selection, theme, kernel, commands};
  shown_ = {document.revision, selection.pass};
  CutTexts::Recording recording(cutTexts_);
  wrapsTexts_ ^= commands.has(Command::ToggleWrap);
  moveFocus(commands);
  resizeFocused(commands);
  begin(selection, origin, size);
  drawColumns(input, origin, size);
  ImGui::End();
  if (selection.pinsBuffer())
    showCard();
  states_.endFrame();
}

bool Frame::hold(const Document &document, Selection &selection, bool isLoaded) {
  bool wasHeld = std::exchange(isHeld_, false);
  bool canWait = shown_ && shown_->revision == document.revision && shown_->pass != selection.pass;
  if (!canWait || (isLoaded && isReady(document, selection.pass)))
    return wasHeld;
  isHeld_ = true;
  selection.await(shown_->pass);
  return false;
}

// Panels that were drawn last know what they lack.
bool Frame::isReady(const Document &document, size_t pass) {
  const TraceSnapshot &snapshot = document.trace->snapshots[document.trace->passes[pass].snapshot];
  if (document.ahead.empty() || !isLoaded(snapshot))
    return true;
  if (!states_.isJoined(document, snapshot))
    return false;
  for (size_t i = 0; i != panels_.size(); ++i)
    if (places_.all().contains(allPanels()[i].name.str()) &&
        !panels_[i]->isReady(document.revision, snapshot))
      return false;
  return true;
}

// What was clicked is told, unless its card would cover the panel that was clicked in. Hovering
// brings nothing forward.
void Frame::showCard() {
  auto named = [](llvm::StringRef name) {
    return llvm::find_if(allPanels(), [&](const PanelInfo &panel) { return panel.name == name; });
  };
  const PanelInfo &card = *named("buffer");
  const auto *clicked = named(hovered_);
  bool covers = !layout.maximised.empty() ||
                (clicked != allPanels().end() && layout.areaOf(*clicked) == layout.areaOf(card));
  if (!covers && !layout.isActive(card))
    layout.activate(card);
}

// Panels that are seen, from left to right and from top to bottom as allPanels() has them.
void Frame::moveFocus(const CommandSet &commands) {
  auto isSeen = [&](const PanelInfo &panel) { return layout.isActive(panel); };
  auto isFocused = [&](const PanelInfo &panel) { return panel.name == focused_; };
  int step = commands.has(Command::NextPanel) - commands.has(Command::PreviousPanel);
  const PanelInfo *now = llvm::find_if(allPanels(), isFocused);
  bool isKnown = now != allPanels().end();
  if (step == 0 && !(commands.has(Command::NextTab) && isKnown))
    return;
  std::vector<const PanelInfo *> panels;
  for (const PanelInfo &panel : allPanels())
    if (step != 0 ? isSeen(panel) : layout.areaOf(panel) == layout.areaOf(*now))
      panels.push_back(&panel);
  auto count = static_cast<int64_t>(panels.size());
  int64_t at = llvm::find(panels, now) - panels.begin();
  if (at == count) // none has it: the first, or the last
    at = step < 0 ? 0 : -1;
  const PanelInfo &next = *panels[static_cast<size_t>((at + (step < 0 ? -1 : 1) + count) % count)];
  focus(next);
}

void Frame::focus(const PanelInfo &panel) {
  if (!layout.isActive(panel))
    layout.activate(panel);
  focused_ = panel.name;
  isFocusByKeys_ = true;
}

void Frame::resizeFocused(const CommandSet &commands) {
  constexpr double Step = 0.03;
  int wider = commands.has(Command::Wider) - commands.has(Command::Narrower);
  int higher = commands.has(Command::Higher) - commands.has(Command::Lower);
  for (const PanelInfo &panel : allPanels()) {
    if (panel.name != focused_ || (wider == 0 && higher == 0))
      continue;
    auto area = static_cast<size_t>(layout.areaOf(panel));
    size_t column = area / 2;
    if (column != 2)
      layout.leftShare += Step * wider * (column == 0 ? 1 : -0.5);
    if (column != 0)
      layout.rightShare += Step * wider * (column == 2 ? 1 : -0.5);
    layout.upperShares[column] += Step * higher * (area % 2 == 0 ? 1 : -1);
    layout.clampShares();
  }
}

void Frame::drawAlone(llvm::StringRef panel, const Document &document, Selection &selection,
                      const Theme &theme, LiveKernel &kernel, ImVec2 size) {
  CommandSet none;
  Input input{document, selection, theme, kernel, none};
  CutTexts::Recording recording(cutTexts_);
  begin(selection, ImVec2(), size);
  for (const PanelInfo &info : allPanels())
    if (info.name == panel)
      drawPanel(input, info);
  ImGui::End();
}

void Frame::begin(Selection &selection, ImVec2 origin, ImVec2 size) {
  selection.beginFrame();
  places_.clear();
  cutTexts_.clear();
  hovered_ = "";
  ImGui::SetNextWindowPos(origin);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2());
  ImGui::Begin("panels", nullptr, Bare);
  ImGui::PopStyleVar();
}

void Frame::drawColumns(Input &input, ImVec2 origin, ImVec2 size) {
  layout.sanitise();
  if (!layout.maximised.empty()) {
    for (const PanelInfo &panel : allPanels())
      if (panel.name == layout.maximised)
        drawCell(input, layout.areaOf(panel), {origin, size});
    return;
  }
  float bar = SplitterPixels * input.theme.scale;
  float left = std::max(LeastCellPixels, static_cast<float>(layout.leftShare) * size.x);
  float right = std::max(LeastCellPixels, static_cast<float>(layout.rightShare) * size.x);
  float center = std::max(LeastCellPixels, size.x - left - right - 2 * bar);
  const float widths[] = {left, center, right};
  float x = origin.x;
  for (size_t column = 0; column < 3; ++column) {
    ImGui::PushID(static_cast<int>(column));
    drawColumn(input, column, {ImVec2(x, origin.y), ImVec2(widths[column], size.y)});
    x += widths[column];
    std::optional<float> moved;
    if (column < 2)
      moved = drawSplitter("down", ImVec2(x, origin.y), ImVec2(bar, size.y), true);
    if (moved && column == 0)
      layout.leftShare = (*moved - origin.x) / size.x;
    if (moved && column == 1)
      layout.rightShare = (origin.x + size.x - *moved) / size.x;
    x += bar;
    ImGui::PopID();
  }
}

void Frame::drawColumn(Input &input, size_t column, Cell cell) {
  float bar = SplitterPixels * input.theme.scale;
  float height = cell.size.y - bar;
  float upper = upperHeight(column, height);
  if (upper > 0)
    drawCell(input, static_cast<Area>(2 * column), {cell.position, ImVec2(cell.size.x, upper)});
  if (upper < height)
    drawCell(input, static_cast<Area>(2 * column + 1),
             {ImVec2(cell.position.x, cell.position.y + upper + bar),
              ImVec2(cell.size.x, height - upper)});
  if (upper == 0 || upper == height)
    return;
  std::optional<float> moved = drawSplitter(
      "across", ImVec2(cell.position.x, cell.position.y + upper), ImVec2(cell.size.x, bar), false);
  if (moved)
    layout.upperShares[column] = (*moved - cell.position.y) / height;
}

// A cell without panels leaves its place to the other of its column.
float Frame::upperHeight(size_t column, float height) const {
  bool hasPanels[] = {false, false};
  for (const PanelInfo &panel : allPanels()) {
    size_t area = static_cast<size_t>(layout.areaOf(panel));
    if (area / 2 == column)
      hasPanels[area % 2] = true;
  }
  if (hasPanels[0] && hasPanels[1])
    return static_cast<float>(layout.upperShares[column]) * height;
  return hasPanels[1] ? 0 : height;
}

void Frame::drawCell(Input &input, Area area, Cell cell) {
  ImGui::SetCursorScreenPos(cell.position);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2());
  ImGui::BeginChild(nameOf(area), cell.size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  const PanelInfo *shown = nullptr;
  ImVec2 position = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(
      position, ImVec2(position.x + cell.size.x, position.y + ImGui::GetFrameHeight()),
      input.theme.color(Meaning::Raised));
  float shrink = std::min(1.0F, cell.size.x / tabsWidth(area));
  for (const PanelInfo &panel : allPanels()) {
    if (layout.areaOf(panel) != area)
      continue;
    drawTab(input, panel, tabWidth(panel) * shrink);
    if (layout.isActive(panel))
      shown = &panel;
  }
  ImGui::NewLine();
  if (shown)
    drawPanel(input, *shown);
  ImGui::EndChild();
}

float Frame::tabsWidth(Area area) const {
  float width = 1;
  for (const PanelInfo &panel : allPanels())
    if (layout.areaOf(panel) == area)
      width += tabWidth(panel);
  return width;
}

// Tabs that do not all fit are narrower; the title of one that is hovered shows in full.
void Frame::drawTab(Input &input, const PanelInfo &panel, float width) {
  bool isActive = layout.isActive(panel);
  ImGui::PushID(panel.name.begin(), panel.name.end());
  ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImVec2 position = ImGui::GetCursorScreenPos();
  ImVec2 size(width, ImGui::GetFrameHeight());
  if (ImGui::InvisibleButton("tab", size))
    layout.activate(panel);
  places_.note(("tab " + panel.name).str());
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0))
    layout.maximised = layout.maximised.empty() ? panel.name.str() : "";
  ImDrawList *list = ImGui::GetWindowDrawList();
  if (isActive) {
    list->AddRectFilled(position, ImVec2(position.x + size.x, position.y + size.y),
                        input.theme.color(Meaning::Background));
    list->AddRectFilled(position, ImVec2(position.x + size.x, position.y + 2 * input.theme.scale),
                        input.theme.color(Meaning::Accent));
  }
  if (width < tabWidth(panel) && ImGui::IsItemHovered())
    ImGui::SetTooltip("%s", panel.title.str().c_str());
  ImVec4 clip(position.x, position.y, position.x + size.x, position.y + size.y);
  float title = tabWidth(panel) - 2 * padding.x;
  float left = std::min(padding.x, std::max((width - title) / 2, padding.x / 4));
  if (left + title > width)
    CutTexts::note(TextKind::Label, panel.title, "");
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                ImVec2(position.x + left, position.y + padding.y),
                input.theme.color(isActive ? Meaning::Text : Meaning::Quiet), panel.title.begin(),
                panel.title.end(), 0, &clip);
  if (ImGui::BeginPopupContextItem("move")) {
    for (size_t area = 0; area < AreaCount; ++area) {
      std::string title = std::string("Move to ") + nameOf(static_cast<Area>(area));
      if (ImGui::MenuItem(title.c_str()))
        layout.move(panel, static_cast<Area>(area));
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, 0);
  ImGui::PopID();
}

void Frame::drawPanel(Input &input, const PanelInfo &panel) {
  size_t index = static_cast<size_t>(&panel - allPanels().data());
  ImVec2 position = ImGui::GetCursorScreenPos();
  ImVec2 size = ImGui::GetContentRegionAvail();
  places_.note(panel.name,
               ImVec4(position.x, position.y, position.x + size.x, position.y + size.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(6 * input.theme.scale, 4 * input.theme.scale));
  ImGui::BeginChild(panel.name.str().c_str(), size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) {
    hovered_ = panel.name;
    ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (moved.x != 0 || moved.y != 0 || focused_.empty()) {
      focused_ = panel.name;
      isFocusByKeys_ = false;
    }
  }
  bool hasFocus = panel.name == focused_;
  std::optional<std::string> copied;
  PanelContext context{input.document, states_,        input.selection, input.theme,
                       input.kernel,   input.commands, given_,          places_,
                       hasFocus,       wrapsTexts_,    &copied};
  if (input.document.isStale && panel.name != "arguments") {
    drawStaleMark(context);
    places_.note(("stale " + panel.name).str());
  }
  panels_[index]->draw(context);
  if (hasFocus) {
    copied_ = std::move(copied);
    scrollPanel(input.commands);
  }
  if (hasFocus && isFocusByKeys_)
    ImGui::GetWindowDrawList()->AddRect(position, ImVec2(position.x + size.x, position.y + size.y),
                                        input.theme.color(Meaning::Accent), 0, 0,
                                        2 * input.theme.scale);
  ImGui::EndChild();
}

// What of the panel scrolls and is largest.
void Frame::scrollPanel(const CommandSet &commands) const {
  int step = commands.has(Command::PageDown) - commands.has(Command::PageUp);
  if (step == 0)
    return;
  const ImGuiWindow *panel = ImGui::GetCurrentWindow();
  ImGuiWindow *found = nullptr;
  for (ImGuiWindow *window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive || window->ScrollMax.y <= 0)
      continue;
    const ImGuiWindow *parent = window;
    while (parent && parent != panel)
      parent = parent->ParentWindow;
    if (parent && (!found || window->InnerRect.GetArea() > found->InnerRect.GetArea()))
      found = window;
  }
  if (found)
    ImGui::SetScrollY(found, found->Scroll.y + PageShare * static_cast<float>(step) *
                                                   found->InnerRect.GetHeight());
}

} // namespace tilescope
