#include "viewer/shell/instances_screen.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr TableColumn Columns[] = {
    {"kernel", 18}, {"arguments"},          {"target", 9, false, 3}, {"compiler", 18, false, 4},
    {"sound", 16},  {"trace", 0, false, 5}, {"peak bytes", 20, true}};

Meaning meaningOf(const InstanceRow &row) {
  if (!row.error.empty() || row.sound == Verdict::No)
    return Meaning::Bad;
  return row.sound == Verdict::Yes ? Meaning::Good : Meaning::Quiet;
}

} // namespace

void InstancesScreen::open(InstanceList list) {
  list_ = std::move(list);
  current_ = 0;
  isShown_ = true;
}

std::optional<std::string> InstancesScreen::draw(const CommandSet &commands, const Theme &theme,
                                                 ImVec2 origin, ImVec2 size) {
  size_t last = view().rows.size() - 1;
  size_t before = current_;
  if (commands.has(Command::NextPass))
    current_ = std::min(current_ + 1, last);
  if (commands.has(Command::PreviousPass) && current_ > 0)
    --current_;
  if (commands.has(Command::FirstPass))
    current_ = 0;
  if (commands.has(Command::LastPass))
    current_ = last;
  ImGui::SetNextWindowPos(origin);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("instances", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  drawHeading(theme, llvm::formatv("{0} {1} of {2}, as recorded", last + 1,
                                   last == 0 ? "instance" : "instances", view().folder)
                         .str());
  drawWrapped("A click or Enter opens one; i comes back here.", theme.color(Meaning::Quiet));
  std::optional<std::string> chosen =
      drawRows(commands.has(Command::NextHit), current_ != before, theme);
  ImGui::End();
  return chosen;
}

std::optional<std::string> InstancesScreen::drawRows(bool isChosen, bool hasMoved,
                                                     const Theme &theme) {
  std::optional<std::string> chosen;
  places_.clear();
  Table table("instances", Columns, theme);
  if (!table.isVisible())
    return chosen;
  if (hasMoved)
    table.reveal(current_);
  table.forVisibleRows(view().rows.size(), [&](size_t i) {
    const InstanceRow &row = view().rows[i];
    Table::Pointer pointer = table.row(i, {.isPinned = i == current_});
    places_.note("instance " + std::to_string(i));
    if (pointer.isClicked)
      current_ = i;
    bool canOpen = row.error.empty();
    if (canOpen && (pointer.isClicked || (isChosen && i == current_)))
      chosen = list_->pathOf(i);
    drawCells(row, i < list_->readCount(), table, theme);
    if (pointer.isHovered && !row.error.empty())
      showTooltip(row.error);
  });
  return chosen;
}

void InstancesScreen::drawCells(const InstanceRow &row, bool isRead, Table &table,
                                const Theme &theme) const {
  std::vector<std::string> cells = instanceCells(row);
  for (size_t column = 0; column != cells.size(); ++column) {
    bool isFigure = column == SoundColumn || column >= InstanceTextColumns;
    bool isKnown = isRead || !row.error.empty() || !isFigure;
    Meaning meaning = column == SoundColumn ? meaningOf(row) : Meaning::Text;
    table.cell(isKnown ? cells[column] : "", theme.color(meaning));
  }
}

} // namespace tilescope
