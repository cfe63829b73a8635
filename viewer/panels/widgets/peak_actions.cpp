#include "viewer/panels/widgets/peak_actions.h"

#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/wrapped_text.h"

namespace tilescope {

namespace {

constexpr TableColumn EditColumns[] = {{"edits of the IR, compiled; a click makes one"},
                                       {"KiB less", 9, true, 1},
                                       {"peak KiB", 9, true},
                                       {"blocks/SM", 9, true}};
constexpr TableColumn ArgumentColumns[] = {{"other arguments, compiled; a click takes them"},
                                           {"KiB less", 9, true, 1},
                                           {"peak KiB", 9, true},
                                           {"blocks/SM", 9, true}};

void take(PanelContext &context, const PeakArguments &changed) {
  for (const auto &[name, value] : changed.arguments)
    context.kernel.setArgument(name, value);
}

void drawArgumentChanges(PanelContext &context, const std::vector<PeakArguments> &changes) {
  if (changes.empty())
    return;
  ImGui::Spacing();
  Table table("arguments", ArgumentColumns, context.theme, Table::AsHighAsRows);
  if (!table.isVisible())
    return;
  table.wrapTexts();
  table.forVisibleRows(changes.size(), [&](size_t row) {
    const PeakArguments &changed = changes[row];
    Table::Pointer pointer = table.row(row, {});
    context.places.note("try " + toText(changed));
    if (pointer.isHovered)
      showTooltip(toText(changed) + ": " + groupedNumber(changed.peakBytes) + " bytes");
    if (pointer.isClicked)
      take(context, changed);
    table.cell(toText(changed), context.theme.color(Meaning::Accent));
    table.cell(kibNumber(changed.gainBytes));
    table.cell(kibNumber(changed.peakBytes));
    table.cell(changed.blocksPerSm ? std::to_string(*changed.blocksPerSm) : "");
  });
}

void drawEdits(PanelContext &context, const std::vector<PeakEdit> &edits) {
  if (edits.empty())
    return;
  ImGui::Spacing();
  Table table("edits", EditColumns, context.theme, Table::AsHighAsRows);
  if (!table.isVisible())
    return;
  table.wrapTexts();
  table.forVisibleRows(edits.size(), [&](size_t row) {
    const PeakEdit &edit = edits[row];
    Table::Pointer pointer = table.row(row, {});
    context.places.note("edit " + edit.what);
    if (pointer.isHovered)
      showTooltip(edit.what + ": " + groupedNumber(edit.peakBytes) + " bytes");
    if (pointer.isClicked)
      context.kernel.addEdit(edit.place, edit.patch);
    table.cell(edit.what, context.theme.color(Meaning::Accent));
    table.cell(kibNumber(edit.gainBytes));
    table.cell(kibNumber(edit.peakBytes));
    table.cell(edit.blocksPerSm ? std::to_string(*edit.blocksPerSm) : "");
  });
}

int64_t mostBlocks(const PeakMap &map) {
  int64_t most = 1;
  for (const PeakArguments &cell : map.cells)
    most = std::max(most, cell.blocksPerSm.value_or(0));
  return most;
}

// The more blocks on an SM the stronger its colour.
void drawMapCell(PanelContext &context, const PeakArguments &cell, int64_t most, float width) {
  const Theme &theme = context.theme;
  bool isKnown = cell.error.empty() && !cell.isOtherProblem;
  ImVec2 from = ImGui::GetCursorScreenPos();
  ImVec2 size(width, ImGui::GetTextLineHeightWithSpacing());
  ImVec2 to(from.x + size.x, from.y + size.y);
  ImGui::PushID(&cell);
  bool isClicked = ImGui::InvisibleButton("cell", size);
  ImGui::PopID();
  bool canBeTaken = isKnown && !cell.isNow;
  if (canBeTaken)
    context.places.note("map " + toText(cell));
  ImDrawList &list = *ImGui::GetWindowDrawList();
  float share = static_cast<float>(cell.blocksPerSm.value_or(0)) / static_cast<float>(most);
  if (isKnown)
    list.AddRectFilled(from, to, theme.color(Meaning::Accent, 0.08F + 0.42F * share));
  std::string text = !isKnown ? "-"
                     : cell.blocksPerSm
                         ? kibNumber(cell.peakBytes) + " x" + std::to_string(*cell.blocksPerSm)
                         : kibNumber(cell.peakBytes);
  list.AddText({from.x + (width - pixelWidthOf(text)) / 2, from.y},
               theme.color(isKnown ? Meaning::Text : Meaning::Quiet), text.c_str());
  if (cell.isNow || ImGui::IsItemHovered())
    list.AddRect(from, to, theme.color(cell.isNow ? Meaning::Accent : Meaning::Text));
  if (ImGui::IsItemHovered())
    showTooltip(toText(cell) + ": " + outcomeText(cell) +
                (cell.error.empty() ? "" : "\n" + cell.error));
  if (isClicked && canBeTaken)
    take(context, cell);
}

void drawMap(PanelContext &context, const PeakMap &map) {
  if (map.cells.empty())
    return;
  ImGui::Spacing();
  drawWrapped("down " + map.down + ", across " + map.across +
                  ": KiB of the peak x blocks on an SM; a click takes both",
              context.theme.color(Meaning::Quiet));
  float digit = ImGui::CalcTextSize("0").x;
  float width = 10 * digit;
  float label = 7 * digit;
  float left = ImGui::GetCursorScreenPos().x;
  float gap = context.theme.scale;
  auto place = [&](size_t column) {
    return left + label + static_cast<float>(column) * (width + gap);
  };
  ImU32 quiet = context.theme.color(Meaning::Quiet);
  ImVec2 top = ImGui::GetCursorScreenPos();
  for (size_t column = 0; column != map.acrossValues.size(); ++column)
    ImGui::GetWindowDrawList()->AddText({place(column) + digit, top.y}, quiet,
                                        map.acrossValues[column].c_str());
  ImGui::Dummy(ImVec2(label, ImGui::GetTextLineHeight()));
  for (size_t i = 0; i != map.cells.size(); ++i) {
    size_t column = i % map.acrossValues.size();
    float y = ImGui::GetCursorScreenPos().y;
    if (column == 0)
      ImGui::GetWindowDrawList()->AddText({left, y}, quiet,
                                          map.downValues[i / map.acrossValues.size()].c_str());
    ImGui::SetCursorScreenPos(ImVec2(place(column), y));
    drawMapCell(context, map.cells[i], mostBlocks(map), width);
    if (column + 1 != map.acrossValues.size())
      ImGui::SetCursorScreenPos(ImVec2(left, y));
  }
}

} // namespace

void drawPeakActions(PanelContext &context, const PeakTrials &trials) {
  drawArgumentChanges(context, trials.changes);
  drawEdits(context, trials.edits);
  drawMap(context, trials.map);
}

} // namespace tilescope
