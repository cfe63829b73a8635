#include "viewer/panels/widgets/table.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr const char *Ellipsis = "\xE2\x80\xA6";
constexpr const char *MoreMark = " \xC2\xBB"; // of a heading: columns were left out

constexpr size_t MostWrappedRows = 200;

float digitWidth() { return ImGui::CalcTextSize("0").x; }

} // namespace

Table::Table(const char *id, llvm::ArrayRef<TableColumn> columns, const Theme &theme, float height,
             float leastDigits)
    : columns_(columns), theme_(theme), isShown_(columns.size(), true) {
  chooseColumns(leastDigits);
  ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings |
                          ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoPadOuterX;
  if (height != AsHighAsRows)
    flags |= ImGuiTableFlags_ScrollY;
  ImVec2 size(0, height == AsHighAsRows ? 0 : height);
  auto count = static_cast<int>(llvm::count(isShown_, true));
  isVisible_ = ImGui::BeginTable(id, count, flags, size);
  if (!isVisible_)
    return;
  for (size_t i = 0; i < columns.size(); ++i)
    if (isShown_[i])
      ImGui::TableSetupColumn(columns[i].title,
                              columns[i].digits > 0 ? ImGuiTableColumnFlags_WidthFixed
                                                    : ImGuiTableColumnFlags_WidthStretch,
                              columns[i].digits * digitWidth());
  if (height != AsHighAsRows)
    ImGui::TableSetupScrollFreeze(0, 1);
  drawHeadings();
}

void Table::chooseColumns(float leastDigits) {
  float gap = 2 * ImGui::GetStyle().CellPadding.x;
  for (;;) {
    float needed = 0;
    size_t victim = columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!isShown_[i])
        continue;
      const TableColumn &column = columns_[i];
      needed += (column.digits > 0 ? column.digits : leastDigits) * digitWidth() + gap;
      if (column.dropRank > (victim == columns_.size() ? 0 : columns_[victim].dropRank))
        victim = i;
    }
    if (needed <= ImGui::GetContentRegionAvail().x || victim == columns_.size())
      return;
    isShown_[victim] = false;
  }
}

Table::~Table() {
  if (isVisible_)
    ImGui::EndTable();
}

void Table::drawHeadings() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  next_ = 0;
  shown_ = -1;
  std::string missing = leftOut();
  for (const TableColumn &column : columns_) {
    bool tellsMissing = !missing.empty() && column.dropRank == 0 && column.digits == 0;
    cell(tellsMissing ? std::string(column.title) + MoreMark : column.title,
         theme_.color(Meaning::Quiet));
    if (!isShown_[next_ - 1] || !ImGui::IsItemHovered())
      continue;
    std::string hint = column.hint ? column.hint : "";
    if (tellsMissing)
      hint += (hint.empty() ? "" : "\n") + ("no room for " + missing) +
              ": the panel wider, or alone in the window (m), shows them";
    if (!hint.empty())
      showTooltip(hint);
  }
}

std::string Table::leftOut() const {
  std::string names;
  for (size_t i = 0; i < columns_.size(); ++i)
    if (!isShown_[i] && *columns_[i].title)
      names += (names.empty() ? "" : ", ") + std::string(columns_[i].title);
  return names;
}

float Table::rowHeight() {
  return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
}

void Table::forVisibleRows(size_t count, llvm::function_ref<void(size_t)> draw) {
  wraps_ = wraps_ && count <= MostWrappedRows;
  if (wraps_) {
    for (size_t row = 0; row != count; ++row)
      draw(row);
    endRow();
    return;
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count), rowHeight());
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
      draw(static_cast<size_t>(row));
}

void Table::reveal(size_t row) {
  float height = rowHeight();
  float top = static_cast<float>(row) * height;
  float room = ImGui::GetWindowHeight() - 2 * height; // below the headings
  float scroll = ImGui::GetScrollY();
  if (top < scroll)
    ImGui::SetScrollY(std::max(0.0F, top - height));
  else if (top > scroll + room)
    ImGui::SetScrollY(top - room + height);
}

// The next frame knows how high the row is.
void Table::endRow() {
  if (rowId_)
    ImGui::GetStateStorage()->SetInt(rowId_, rowLines_);
  rowId_ = 0;
  rowLines_ = 1;
}

Table::Pointer Table::row(size_t id, TableRow row) {
  endRow();
  ImGui::TableNextRow(0, rowHeight());
  next_ = 0;
  shown_ = -1;
  ImGui::TableSetColumnIndex(0);
  ImGui::PushID(static_cast<int>(id));
  rowId_ = wraps_ ? ImGui::GetID("lines") : 0;
  int lines = wraps_ ? ImGui::GetStateStorage()->GetInt(rowId_, 1) : 1;
  Pointer pointer;
  for (ImGuiCol slot : {ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive})
    ImGui::PushStyleColor(slot, 0);
  pointer.isClicked = ImGui::Selectable(
      "##row", false, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap,
      ImVec2(0, ImGui::GetTextLineHeight() * static_cast<float>(lines)));
  pointer.isHovered = ImGui::IsItemHovered();
  ImGui::PopStyleColor(2);
  ImGui::SameLine(0, 0);
  ImGui::PopID();
  if (row.isPinned || row.isEmphasised || pointer.isHovered)
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1,
                           theme_.color(row.isPinned ? Meaning::Selected : Meaning::Hovered));
  return pointer;
}

bool Table::nextCell() {
  if (!isShown_[next_++])
    return false;
  ImGui::TableSetColumnIndex(++shown_);
  return true;
}

void Table::cell(llvm::StringRef text, ImU32 color) {
  if (!nextCell())
    return;
  if (wraps_ && columns_[next_ - 1].digits == 0)
    return wrappedCell(text, color);
  float room = ImGui::GetContentRegionAvail().x;
  float width = ImGui::CalcTextSize(text.begin(), text.end()).x;
  if (columns_[next_ - 1].isNumber && width < room)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
  TextKind kind = columns_[next_ - 1].digits > 0 ? TextKind::Label : TextKind::Listing;
  if (drawClipped(text, color, room, kind) && ImGui::IsItemHovered())
    showTooltip(text);
}

void Table::wrappedCell(llvm::StringRef text, ImU32 color) {
  std::vector<std::string> lines = linesOf(text, ImGui::GetContentRegionAvail().x);
  rowLines_ = std::max(rowLines_, static_cast<int>(lines.size()));
  drawLines(lines, color);
}

void drawHeading(const Theme &theme, llvm::StringRef text) {
  ImGui::Dummy(ImVec2(0, 3 * theme.scale));
  ImGui::PushFont(theme.strong);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Meaning::Quiet));
  ImGui::TextUnformatted(text.begin(), text.end());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

bool drawClipped(llvm::StringRef text, ImU32 color, float width, TextKind kind) {
  ImVec2 size = ImGui::CalcTextSize(text.begin(), text.end());
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList *list = ImGui::GetWindowDrawList();
  bool isClipped = size.x > width + 1;
  const char *end = text.end();
  if (isClipped) {
    ImFont *font = ImGui::GetFont();
    float room = std::max(0.0F, width - ImGui::CalcTextSize(Ellipsis).x);
    size.x = font->CalcTextSizeA(ImGui::GetFontSize(), room, 0, text.begin(), text.end(), &end).x;
    list->AddText(ImVec2(at.x + size.x, at.y), color, Ellipsis);
    size.x = width;
    if (ImGui::IsRectVisible(size))
      CutTexts::note(kind, text, llvm::StringRef(text.begin(), end - text.begin()));
  }
  list->AddText(at, color, text.begin(), end);
  ImGui::Dummy(size);
  return isClipped;
}

bool drawCheckbox(const char *label, bool &isOn) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  bool isClicked = ImGui::Checkbox(label, &isOn);
  ImGui::PopStyleVar();
  return isClicked;
}

void stayInLine(const char *label) {
  float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  float end = ImGui::GetItemRectMax().x + 2 * gap + ImGui::GetFrameHeight() + gap +
              ImGui::CalcTextSize(label).x;
  if (end <= ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x)
    ImGui::SameLine(0, 2 * gap);
}

void showTooltip(llvm::StringRef text) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(60 * digitWidth());
  ImGui::TextUnformatted(text.begin(), text.end());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

} // namespace tilescope
