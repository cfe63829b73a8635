// Panel `passes`: what each pass did to the program and to shared memory. A click goes there.
#include "viewer/model/buffer_history.h"
#include "viewer/model/passes_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

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
  pinned.hueDegrees = hueDegrees(place->record->key);
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
    chooseRows(view, context.selection.pass);
    drawTop(view, context.theme);
    drawTable(view, pinned, context);
  }

private:
  struct PinnedKey {
    uint64_t revision = 0;
    std::optional<BufferKey> buffer;

    friend bool operator==(const PinnedKey &, const PinnedKey &) = default;
  };

  // The selected pass always has a row. A filter searches the unchanged ones too.
  void chooseRows(const PassesView &view, size_t selected) {
    rows_.clear();
    unchanged_ = 0;
    nameDigits_ = 12;
    linesDigits_ = 5;
    for (const PassRow &row : view.passes) {
      bool isUnchanged = !row.changed && !row.failed;
      unchanged_ += isUnchanged;
      bool fits = filter_[0] ? llvm::StringRef(row.name).contains_insensitive(filter_)
                             : showsUnchanged_ || !isUnchanged;
      if (!fits && row.index != selected)
        continue;
      rows_.push_back(row.index);
      nameDigits_ = std::max(nameDigits_, static_cast<float>(indentedName(row).size()));
      linesDigits_ = std::max(linesDigits_, static_cast<float>(linesText(row).size()));
    }
  }

  void drawTop(const PassesView &view, const Theme &theme) {
    bool isNarrow = ImGui::GetContentRegionAvail().x < 30 * ImGui::CalcTextSize("0").x;
    std::string label = llvm::formatv(isNarrow ? "{0}" : "{0} unchanged", unchanged_);
    float box = ImGui::GetFrameHeight() + ImGui::CalcTextSize(label.c_str()).x +
                2 * ImGui::GetStyle().ItemInnerSpacing.x;
    ImGui::SetNextItemWidth(std::max(40 * theme.scale, ImGui::GetContentRegionAvail().x - box));
    ImGui::InputTextWithHint("##filter", "filter", filter_, sizeof(filter_));
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    drawCheckbox(label.c_str(), showsUnchanged_);
    if (ImGui::IsItemHovered())
      showTooltip(llvm::formatv("show the {0} of {1} passes that changed nothing (u)", unchanged_,
                                view.passes.size())
                      .str());
  }

  void drawTable(const PassesView &view, const PinnedHistory &pinned, PanelContext &context) {
    const TableColumn columns[] = {{"", 1},
                                   {"pass"},
                                   {"delta", 5, true, 1},
                                   {"KiB", 5, true, 2},
                                   {"lines", linesDigits_, true, 3},
                                   {"checks", 6, false, 4},
                                   {"ms", 6, true, 5}};
    Table table("passes", columns, context.theme, 0, nameDigits_);
    if (!table.isVisible())
      return;
    if (std::exchange(revealed_, context.selection.pass) != context.selection.pass)
      for (size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i] == context.selection.pass)
          table.reveal(i);
    table.forVisibleRows(rows_.size(), [&](size_t i) {
      const PassRow &row = view.passes[rows_[i]];
      Table::Pointer pointer =
          table.row(row.index, {.isPinned = row.index == context.selection.pass});
      context.places.note("pass " + std::to_string(row.index));
      if (pointer.isClicked)
        context.selection.selectPass(row.index);
      drawCells(table, row, pinned, context.theme);
      if (pointer.isHovered)
        showTooltip(tooltipOf(row, pinned));
    });
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
    std::string name = indentedName(row);
    bool isOfPinned = !pinned.events[row.index].empty();
    if (isOfPinned)
      name += " \xE2\x96\xA0"; // a square
    table.cell(name, isOfPinned ? theme.bufferLine(pinned.hueDegrees) : text);
    table.cell(deltaText(row.sharedDeltaBytes), theme.color(Meaning::Notice));
    table.cell((row.sharedIsPreview ? "~" : "") + kibNumber(row.sharedBytes), quiet);
    table.cell(linesText(row), quiet);
    if (table.nextCell())
      drawVerdicts(row.verdicts, theme);
    table.cell(millisecondsOf(row), quiet);
  }

  static std::string linesText(const PassRow &row) {
    return row.linesAdded || row.linesRemoved
               ? llvm::formatv("+{0} -{1}", row.linesAdded, row.linesRemoved).str()
               : "";
  }

  static std::string indentedName(const PassRow &row) {
    return std::string(2 * static_cast<size_t>(std::clamp(row.depth, 0, 20)), ' ') + row.name;
  }

  static std::string deltaText(int64_t bytes) {
    return bytes == 0 ? "" : (bytes > 0 ? "+" : "") + kibNumber(bytes);
  }

  static std::string millisecondsOf(const PassRow &row) {
    return llvm::formatv("{0:f2}", static_cast<double>(row.wallMicroseconds) / 1000);
  }

  // IR, arena, hazards.
  static void drawVerdicts(const TraceVerdicts &verdicts, const Theme &theme) {
    for (std::optional<bool> verdict :
         {verdicts.verified, verdicts.arenaSound, verdicts.hazardFree}) {
      drawMark(!verdict   ? Mark::Hollow
               : *verdict ? Mark::Check
                          : Mark::Cross,
               theme.color(!verdict   ? Meaning::Faint
                           : *verdict ? Meaning::Good
                                      : Meaning::Bad));
      ImGui::SameLine(0, 2 * theme.scale);
    }
  }

  static std::string tooltipOf(const PassRow &row, const PinnedHistory &pinned) {
    auto word = [](std::optional<bool> verdict) {
      return !verdict ? "not established" : *verdict ? "yes" : "no";
    };
    std::string text = row.name;
    if (!row.options.empty())
      text += "{" + row.options + "}";
    text += row.failed ? ", failed" : row.changed ? "" : ", changed nothing";
    text += llvm::formatv("\nlines +{0} -{1}\nshared {2} bytes{3}, {4}\n{5} ms, {6} remarks\n"
                          "IR verified: {7}\narena sound: {8}\nfree of hazards: {9}",
                          row.linesAdded, row.linesRemoved, groupedNumber(row.sharedBytes),
                          row.sharedIsPreview ? " (preview)" : "",
                          row.sharedDeltaBytes ? signedNumber(row.sharedDeltaBytes) : "as before",
                          millisecondsOf(row), row.remarkCount, word(row.verdicts.verified),
                          word(row.verdicts.arenaSound), word(row.verdicts.hazardFree))
                .str();
    const std::string &event = pinned.events[row.index];
    return event.empty() ? text : text + "\n" + pinned.name + ": " + event;
  }

  CachedView<PassesView, uint64_t> view_;
  CachedView<PinnedHistory, PinnedKey> pinned_;
  bool showsUnchanged_ = false;
  char filter_[64] = "";
  std::vector<size_t> rows_; // indices of the passes that have one
  size_t unchanged_ = 0;
  float nameDigits_ = 0;       // of the longest name that has a row
  float linesDigits_ = 0;      // of the longest count of lines
  size_t revealed_ = SIZE_MAX; // the pass that was scrolled to
};

} // namespace

std::unique_ptr<Panel> makePassesPanel() { return std::make_unique<PassesPanel>(); }

} // namespace tilescope
