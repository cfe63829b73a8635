// Panel `peak`: who makes it, what one block more on an SM would need, single changes that lower
// it.
#include "viewer/model/peak_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr TableColumn LiveColumns[] = {{"buffer"},
                                       {"bytes", 9, true},
                                       {"versions", 8, true, 1},
                                       {"written", 7, true, 2},
                                       {"last read", 9, true, 3}};
constexpr TableColumn ChangeColumns[] = {{"single changes that would lower it"},
                                         {"gains", 9, true, 1},
                                         {"peak", 9, true},
                                         {"blocks/SM", 9, true}};

class PeakPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const PeakView &view = view_.get(PassKey::of(context), [&] {
      return buildPeak(*context.document.trace, context.selection);
    });
    if (view.functions.empty())
      return drawEmpty(context, "There is no arena after this pass.",
                       "Buffers of T.alloc_shared make one, as soon as a statement uses them.");
    shown_.update(context);
    for (const PeakFunction &function : view.functions) {
      ImGui::PushID(&function);
      drawHead(function, context.theme);
      drawLive(function, context);
      drawChanges(function, context);
      ImGui::PopID();
    }
  }

private:
  static void drawHead(const PeakFunction &function, const Theme &theme) {
    bool fits = function.capacityBytes == 0 || function.peakBytes <= function.capacityBytes;
    std::string bytes = llvm::formatv("{0} of {1} bytes", groupedNumber(function.peakBytes),
                                      groupedNumber(function.capacityBytes));
    drawWrapped(bytes, theme.color(fits ? Meaning::Text : Meaning::Bad));
    drawWrapped(function.certificate,
                theme.color(function.proof == "optimal" ? Meaning::Good : Meaning::Notice));
    if (function.occupancy)
      drawWrapped(toText(*function.occupancy), theme.color(Meaning::Text));
    for (const std::string &buffer : function.cannotFit)
      drawWrapped("cannot fit with the others: " + buffer, theme.color(Meaning::Bad));
    drawWrapped("most is live at " + toText(function.at), theme.color(Meaning::Quiet));
  }

  static void drawWrapped(const std::string &text, ImU32 color) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }

  void drawLive(const PeakFunction &function, PanelContext &context) const {
    Table table("live", LiveColumns, context.theme, Table::AsHighAsRows);
    if (!table.isVisible())
      return;
    auto lineOf = [](const std::optional<WhyPoint> &point) {
      return point && point->sourceLine ? std::to_string(point->sourceLine) : std::string();
    };
    table.forVisibleRows(function.live.size(), [&](size_t row) {
      const WhyBuffer &buffer = function.live[row];
      const BufferRecord *record = recordOfKey(buffer.key, context);
      Table::Pointer pointer = table.row(row, {record && record->id == shown_.buffer()});
      if (record && pointer.isHovered)
        context.selection.hovered = Pick::ofBuffer(record->key);
      if (record && pointer.isClicked)
        context.selection.pin(Pick::ofBuffer(record->key));
      table.cell(buffer.name, context.theme.bufferLine(buffer.hueDegrees));
      table.cell(groupedNumber(buffer.sizeBytes));
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
    table.forVisibleRows(function.changes.size(), [&](size_t row) {
      const PeakChange &change = function.changes[row];
      table.row(row, {});
      table.cell(toText(change));
      table.cell(groupedNumber(change.gainBytes));
      table.cell(groupedNumber(change.peakBytes));
      table.cell(change.blocksPerSm > 0 ? std::to_string(change.blocksPerSm) : "");
    });
  }

  CachedView<PeakView, PassKey> view_;
  ShownPick shown_;
};

} // namespace

std::unique_ptr<Panel> makePeakPanel() { return std::make_unique<PeakPanel>(); }

} // namespace tilescope
