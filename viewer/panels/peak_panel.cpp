// Panel `peak`: who makes it, what one block more on an SM would need, single changes that lower
// it.
#include "core/views/capacity_text.h"
#include "core/views/peak_model.h"
#include "core/views/placement_words.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/peak_actions.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr TableColumn LiveColumns[] = {{"buffer"},
                                       {"KiB", 9, true},
                                       {"versions", 8, true, 1},
                                       {"line written", 12, true, 2, "line of the kernel file"},
                                       {"line last read", 14, true, 3, "line of the kernel file"}};
constexpr TableColumn ChangeColumns[] = {{"single changes that would lower it"},
                                         {"KiB less", 9, true, 1},
                                         {"peak KiB", 9, true},
                                         {"blocks/SM", 9, true}};

class PeakPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const PeakView &view =
        view_.get(PassKey::of(context), [&] { return buildPeak(*context.state()); });
    if (view.functions.empty())
      return drawEmpty(context, "There is no arena after this pass.",
                       "Buffers of T.alloc_shared make one, as soon as a statement uses them.");
    shown_.update(context);
    for (const PeakFunction &function : view.functions) {
      ImGui::PushID(&function);
      drawHead(function, context.theme);
      if (&function == view.functions.data())
        drawActions(context);
      drawLive(function, context);
      drawChanges(function, context);
      drawSteps(function, context.theme);
      ImGui::PopID();
    }
  }

private:
  // Above what is only to be read: on screen without scrolling.
  static void drawActions(PanelContext &context) {
    const Document &document = context.document;
    if (document.trials)
      return drawPeakActions(context, *document.trials);
    if (document.isLive && document.edits.places.empty() && document.stoppedBefore.empty())
      drawWrapped("compiles it with other arguments ...", context.theme.color(Meaning::Quiet));
  }

  // Labels in KiB; exact bytes while they are hovered.
  static void drawHead(const PeakFunction &function, const Theme &theme) {
    int64_t over = function.peakBytes - function.capacityBytes;
    bool fits = function.capacityBytes == 0 || over <= 0;
    std::string exact = capacityText(function.peakBytes, function.capacityBytes);
    std::string bytes = kibText(function.peakBytes);
    if (function.capacityBytes > 0)
      bytes += " of " + kibText(function.capacityBytes);
    drawFact(fits ? bytes : "does not fit, " + kibText(over) + " over: " + bytes,
             theme.color(fits ? Meaning::Text : Meaning::Bad), exact);
    bool isLeast = function.proof == "optimal";
    drawFact(!isLeast ? "not proven to be the least: a lower plan may exist"
             : fits   ? "optimal: no plan is lower"
                      : "no plan is lower",
             theme.color(!fits     ? Meaning::Bad
                         : isLeast ? Meaning::Good
                                   : Meaning::Notice),
             function.certificate);
    if (function.occupancy)
      drawFact(kibText(*function.occupancy), theme.color(Meaning::Text),
               toText(*function.occupancy));
    for (const std::string &buffer : function.cannotFit)
      drawFact("cannot fit with the others: " + buffer, theme.color(Meaning::Bad), "");
    if (std::string open = unknownText(function.context.preview, function.context.unknown);
        !open.empty())
      drawFact(open, theme.color(Meaning::Notice), "");
    drawFact("most is live at " + toText(function.at), theme.color(Meaning::Quiet), "");
  }

  static std::string kibText(const OccupancyView &view) {
    auto blocks = [](int count) {
      return std::to_string(count) + (count == 1 ? " block/SM" : " blocks/SM");
    };
    std::string text = blocks(view.blocks);
    if (view.nextBlocks == 0)
      return text;
    return text + ", " + kibText(view.lessBytes) + " less for " + blocks(view.nextBlocks);
  }
  static std::string kibText(int64_t bytes) { return tilescope::kibText(bytes); }

  static void drawFact(const std::string &text, ImU32 color, const std::string &detail) {
    drawWrapped(text, color);
    if (!detail.empty() && ImGui::IsItemHovered())
      showTooltip(detail);
  }

  void drawLive(const PeakFunction &function, PanelContext &context) const {
    Table table("live", LiveColumns, context.theme, Table::AsHighAsRows);
    if (!table.isVisible())
      return;
    // The statement, where it has no line of the kernel file.
    auto lineOf = [](const std::optional<WhyPoint> &point) {
      return !point              ? std::string()
             : point->sourceLine ? lineText(point->sourceLine)
                                 : point->statement;
    };
    table.forVisibleRows(function.live.size(), [&](size_t row) {
      const WhyBuffer &buffer = function.live[row];
      const BufferRecord *record = recordOfKey(buffer.key, context);
      Emphasis emphasis = record ? shown_.emphasisOf(record->id) : Emphasis::None;
      Table::Pointer pointer = table.row(row, {.isPinned = emphasis == Emphasis::Pinned,
                                               .isEmphasised = emphasis == Emphasis::Hovered});
      if (pointer.isHovered)
        showTooltip(buffer.name + ": " + groupedNumber(buffer.sizeBytes) + " bytes");
      if (record && pointer.isHovered)
        context.selection.hovered = Pick::ofBuffer(record->key);
      if (record && pointer.isClicked)
        context.selection.pin(Pick::ofBuffer(record->key));
      table.cell(buffer.name, context.theme.bufferLine(buffer.hueDegrees));
      table.cell(kibNumber(buffer.sizeBytes));
      table.cell(std::to_string(buffer.versions));
      table.cell(lineOf(buffer.definition));
      table.cell(lineOf(buffer.lastUse));
    });
  }

  static const BufferRecord *recordOfKey(const std::string &key, const PanelContext &context) {
    const TraceSnapshot &snapshot = selectedSnapshot(*context.document.trace, context.selection);
    for (const BufferRecord &record : *snapshot.buffers)
      if (toString(record.key) == key)
        return &record;
    return nullptr;
  }

  static void drawChanges(const PeakFunction &function, const PanelContext &context) {
    if (function.changes.empty())
      return;
    ImGui::Spacing();
    Table table("changes", ChangeColumns, context.theme, Table::AsHighAsRows);
    if (!table.isVisible())
      return;
    table.wrapTexts();
    table.forVisibleRows(function.changes.size(), [&](size_t row) {
      const PeakChange &change = function.changes[row];
      if (table.row(row, {}).isHovered)
        showTooltip(toText(change) + ": " + groupedNumber(change.peakBytes) + " bytes, " +
                    groupedNumber(change.gainBytes) + " less");
      table.cell(toText(change));
      table.cell(kibNumber(change.gainBytes));
      table.cell(kibNumber(change.peakBytes));
      table.cell(change.blocksPerSm > 0 ? std::to_string(change.blocksPerSm) : "");
    });
  }

  // What together would fit one block more on an SM, or come near.
  static void drawSteps(const PeakFunction &function, const Theme &theme) {
    if (function.steps.empty())
      return;
    ImGui::Spacing();
    std::string heading = stepsHeading(function);
    const TableColumn columns[] = {
        {heading.c_str()}, {"KiB less", 9, true, 1}, {"peak KiB", 9, true}};
    {
      Table table("steps", columns, theme, Table::AsHighAsRows);
      if (!table.isVisible())
        return;
      table.wrapTexts();
      table.forVisibleRows(function.steps.size(), [&](size_t row) {
        const PeakStep &step = function.steps[row];
        table.row(row, {});
        table.cell(toText(step));
        table.cell(kibNumber(step.gainBytes));
        table.cell(kibNumber(step.peakBytes));
      });
    }
    drawWrapped(stepsResult(function), theme.color(Meaning::Quiet));
  }

  CachedView<PeakView, PassKey> view_;
  ShownPick shown_;
};

} // namespace

std::unique_ptr<Panel> makePeakPanel() { return std::make_unique<PeakPanel>(); }

} // namespace tilescope
