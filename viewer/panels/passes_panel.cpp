// Panel `passes`: what each pass did to the program and to shared memory. A click goes there.
#include "core/views/buffer_history.h"
#include "core/views/passes_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/pass_cells.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

// A pass of a patch: its options name it.
constexpr llvm::StringLiteral PatchName = "patch";

// What the pinned buffer went through, by pass.
struct PinnedHistory {
  std::vector<std::string> events; // "" : nothing
  std::string name;
  int hueDegrees = 0;
};

PinnedHistory pinnedHistory(const Trace &trace, const Selection &selection) {
  PinnedHistory pinned;
  pinned.events.resize(trace.passes.size());
  if (!selection.pinned.buffer)
    return pinned;
  std::optional<BufferPlace> place = findBuffer(trace, selection, *selection.pinned.buffer);
  if (!place)
    return pinned;
  pinned.name = place->record->name;
  pinned.hueDegrees = BufferHues::of(trace).hueOf(place->record->key);
  for (const BufferEvent &event : historyOf(trace, place->id)) {
    std::string &text = pinned.events[event.pass];
    text += (text.empty() ? "" : "; ") + event.text;
  }
  return pinned;
}

class PassesPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const Trace &trace = *context.document.trace;
    const PassesView &view =
        view_.get(context.document.revision, [&] { return buildPasses(trace, context.selection); });
    const PinnedHistory &pinned =
        pinned_.get({context.document.revision, context.selection.pinned.buffer},
                    [&] { return pinnedHistory(trace, context.selection); });
    if (context.commands.has(Command::ToggleUnchanged))
      showsUnchanged_ = !showsUnchanged_;
    chooseRows(view, pinned, context.selection.pass);
    drawTop(view, context.theme);
    drawColumns(view, pinned, context);
  }

  void visitToggles(VisitToggle visit) override { visit("unchanged", showsUnchanged_); }

private:
  struct PinnedKey {
    uint64_t revision = 0;
    std::optional<BufferKey> buffer;

    friend bool operator==(const PinnedKey &, const PinnedKey &) = default;
  };

  // The selected pass always has a row. A filter searches the unchanged ones too.
  void chooseRows(const PassesView &view, const PinnedHistory &pinned, size_t selected) {
    rows_.clear();
    unchanged_ = 0;
    digits_ = {};
    auto fitsFilter = [&](llvm::StringRef name) { return name.contains_insensitive(filter_); };
    for (const PassRow &row : view.passes) {
      bool isUnchanged = !row.changed && !row.failed;
      unchanged_ += isUnchanged;
      bool fits = filter_[0] ? fitsFilter(row.name) : showsUnchanged_ || !isUnchanged;
      if (!fits && row.index != selected)
        continue;
      rows_.push_back(row.index);
      widen(row, !pinned.events[row.index].empty());
    }
    for (size_t i = 0; i < view.notRun.size(); ++i)
      if (fitsFilter(view.notRun[i].name))
        rows_.push_back(view.passes.size() + i);
  }

  void widen(const PassRow &row, bool isOfPinned) {
    auto toHold = [](float &digits, size_t bytes) {
      digits = std::max(digits, static_cast<float>(bytes));
    };
    toHold(digits_.name, indented(row.name, row.depth).size() + (isOfPinned ? 2 : 0));
    toHold(digits_.delta, deltaText(row.sharedDeltaBytes).size());
    toHold(digits_.kib, sharedText(row).size());
    toHold(digits_.lines, linesText(row).size());
    toHold(digits_.checks, row.runsAsWritten ? 8 : 6); // two a mark
    toHold(digits_.time, millisecondsOf(row).size());
  }

  void drawTop(const PassesView &view, const Theme &theme) {
    std::string label = llvm::formatv("{0} unchanged", unchanged_);
    float box = ImGui::GetFrameHeight() + ImGui::CalcTextSize(label.c_str()).x +
                2 * ImGui::GetStyle().ItemInnerSpacing.x;
    float room = ImGui::GetContentRegionAvail().x;
    bool isBeside = room > box + 40 * theme.scale;
    ImGui::SetNextItemWidth(isBeside ? room - box : -1);
    ImGui::InputTextWithHint("##filter", "filter", filter_, sizeof(filter_));
    if (isBeside)
      ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    drawCheckbox(label.c_str(), showsUnchanged_);
    if (ImGui::IsItemHovered())
      showTooltip(llvm::formatv("show the {0} of {1} passes that changed nothing (u)", unchanged_,
                                view.passes.size())
                      .str());
  }

  void drawColumns(const PassesView &view, const PinnedHistory &pinned, PanelContext &context) {
    const TableColumn columns[] = {
        {"", 1, false, 0, PassLegend},
        {"pass", 0, false, 0, PassLegend},
        {"delta", digits_.delta, true, 1, "KiB of shared memory more than before the pass"},
        {"KiB", digits_.kib, true, 2,
         "KiB of shared memory after the pass; ~: previewed, not planned yet"},
        {"lines", digits_.lines, true, 3, "lines of IR added and removed"},
        {"checks", digits_.checks, false, 4, VerdictLegend},
        {"ms", digits_.time, true, 5, "milliseconds that the pass took"}};
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding,
                        ImVec2(3 * context.theme.scale, ImGui::GetStyle().CellPadding.y));
    drawTable(view, pinned, columns, context);
    ImGui::PopStyleVar();
  }

  void drawTable(const PassesView &view, const PinnedHistory &pinned,
                 llvm::ArrayRef<TableColumn> columns, PanelContext &context) {
    // Names give way to the change in bytes, which is what one looks for.
    float digit = ImGui::CalcTextSize("0").x, gap = 2 * ImGui::GetStyle().CellPadding.x;
    float needed = (1 + digits_.name + digits_.delta) * digit + 3 * gap;
    bool isNarrow = ImGui::GetContentRegionAvail().x < needed;
    Table table("passes", columns, context.theme, 0, isNarrow ? 12 : digits_.name);
    if (!table.isVisible())
      return;
    if (std::exchange(revealed_, context.selection.pass) != context.selection.pass)
      for (size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i] == context.selection.pass)
          table.reveal(i);
    table.forVisibleRows(rows_.size(), [&](size_t i) {
      if (rows_[i] >= view.passes.size())
        return drawNotRun(table, view, rows_[i], context);
      const PassRow &row = view.passes[rows_[i]];
      Table::Pointer pointer =
          table.row(row.index, {.isPinned = row.index == context.selection.pass});
      context.places.note("pass " + std::to_string(row.index));
      if (pointer.isClicked)
        context.selection.selectPass(row.index);
      drawMenu(row.index, view, context);
      drawCells(table, row, pinned, context.theme);
      if (pointer.isHovered)
        showTooltip(tooltipOf(row, pinned.name, pinned.events[row.index]));
    });
  }

  // Dimmed, below the others; before the first of them the passes stop.
  static void drawNotRun(Table &table, const PassesView &view, size_t index,
                         PanelContext &context) {
    const Theme &theme = context.theme;
    size_t at = index - view.passes.size();
    bool isStop = at == 0 && !context.document.stoppedBefore.empty();
    Table::Pointer pointer = table.row(index, {});
    context.places.note("pass " + std::to_string(index));
    drawMenu(index, view, context);
    if (table.nextCell())
      drawMark(isStop ? Mark::Pause : Mark::Hollow,
               theme.color(isStop ? Meaning::Accent : Meaning::Quiet));
    table.cell(indented(view.notRun[at].name, view.notRun[at].depth), theme.color(Meaning::Quiet));
    if (pointer.isHovered)
      showTooltip(isStop ? "the passes stop here; x runs the rest" : "did not run");
  }

  // Of the row that was drawn last.
  static void drawMenu(size_t index, const PassesView &view, PanelContext &context) {
    if (!ImGui::BeginPopupContextItem())
      return;
    bool isLive = context.document.isLive;
    bool hasRun = index < view.passes.size();
    auto item = [&](const char *title, const char *key, bool isPossible) {
      bool isChosen = ImGui::MenuItem(title, key, false, isPossible);
      context.places.note(std::string("menu ") + title);
      return isChosen;
    };
    if (item("Break before this pass", "", isLive && index > 0))
      context.kernel.breakBefore(index);
    if (item("Run all again", "", isLive))
      context.kernel.breakBefore(std::nullopt);
    if (item("Edit the IR after this pass", "e", isLive && hasRun)) {
      context.selection.selectPass(index);
      context.given.give(Command::EditIr);
    }
    if (!isLive)
      ImGui::TextDisabled("Recorded. Press r to compile it here.");
    ImGui::EndPopup();
  }

  static void drawCells(Table &table, const PassRow &row, const PinnedHistory &pinned,
                        const Theme &theme) {
    ImU32 quiet = theme.color(Meaning::Quiet);
    ImU32 text = row.failed    ? theme.color(Meaning::Bad)
                 : row.changed ? theme.color(Meaning::Text)
                               : quiet;
    table.nextCell();
    drawMark(row.failed                ? Mark::Cross
             : row.name == "emit-cuda" ? Mark::Diamond
             : row.changed             ? Mark::Filled
                                       : Mark::Hollow,
             row.failed    ? text
             : row.changed ? theme.color(Meaning::Notice)
                           : quiet);
    std::string name = indented(row.name, row.depth);
    if (row.name == PatchName)
      name += " " + row.options;
    bool isOfPinned = !pinned.events[row.index].empty();
    if (isOfPinned)
      name += " \xE2\x96\xA0"; // a square
    table.cell(name, isOfPinned ? theme.bufferLine(pinned.hueDegrees) : text);
    table.cell(deltaText(row.sharedDeltaBytes), theme.color(Meaning::Notice));
    table.cell(sharedText(row), quiet);
    table.cell(linesText(row), quiet);
    if (table.nextCell())
      drawVerdicts(row, theme);
    table.cell(millisecondsOf(row), quiet);
  }

  CachedView<PassesView, uint64_t> view_;
  CachedView<PinnedHistory, PinnedKey> pinned_;
  bool showsUnchanged_ = false;
  char filter_[64] = "";
  std::vector<size_t> rows_; // indices of the passes that have one
  size_t unchanged_ = 0;
  // Of the longest text of each column; at least of its heading.
  struct Digits {
    float name = 12, delta = 5, kib = 4, lines = 5, checks = 6, time = 4;
  } digits_;
  size_t revealed_ = SIZE_MAX; // the pass that was scrolled to
};

} // namespace

std::unique_ptr<Panel> makePassesPanel() { return std::make_unique<PassesPanel>(); }

} // namespace tilescope
