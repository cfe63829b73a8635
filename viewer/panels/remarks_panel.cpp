// Panel `remarks`: the reasons that passes gave; of one pass or of the pinned buffer alone if
// asked.
#include "core/views/buffer_history.h"
#include "core/views/remarks_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

class RemarksPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const Trace &trace = *context.document.trace;
    const RemarksView &view = view_.get(context.document.revision,
                                        [&] { return buildRemarks(trace, context.selection); });
    const std::vector<size_t> &rows = rows_.get(
        {PassKey::of(context), context.selection.pinned.buffer, ofPass_, ofBuffer_, filter_},
        [&] { return chooseRows(view, trace, context.selection); });
    if (view.remarks.empty())
      return drawEmpty(context, "No pass gave a remark.",
                       "Passes say here why they pipelined a loop, chose a layout or an "
                       "instruction, placed a buffer, or did none of that.");
    drawTop(rows.size(), view.remarks.size(), context);
    if (rows.empty())
      return drawEmpty(context, "No remark is left.", "Widen the filters above.");
    drawTable(view, rows, context);
  }

  void visitToggles(VisitToggle visit) override {
    visit("this-pass", ofPass_);
    visit("pinned-buffer", ofBuffer_);
  }

private:
  struct RowsKey {
    PassKey pass;
    std::optional<BufferKey> buffer;
    bool ofPass = false;
    bool ofBuffer = false;
    std::string filter;

    friend bool operator==(const RowsKey &, const RowsKey &) = default;
  };

  std::vector<size_t> chooseRows(const RemarksView &view, const Trace &trace,
                                 const Selection &selection) const {
    std::optional<BufferPlace> pinned;
    if (selection.pinned.buffer)
      pinned = findBuffer(trace, selection, *selection.pinned.buffer);
    std::vector<size_t> rows;
    for (size_t i = 0; i < view.remarks.size(); ++i) {
      const RemarkRow &row = view.remarks[i];
      if (ofPass_ && row.passIndex != selection.pass)
        continue;
      if (ofBuffer_ && selection.pinned.buffer &&
          !(pinned && llvm::is_contained(row.buffers, pinned->id)))
        continue;
      if (filter_[0] && !llvm::StringRef(row.text).contains_insensitive(filter_) &&
          !llvm::StringRef(row.id).contains_insensitive(filter_))
        continue;
      rows.push_back(i);
    }
    return rows;
  }

  void drawTop(size_t shown, size_t all, const PanelContext &context) {
    float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    float digit = ImGui::CalcTextSize("0").x;
    ImGui::SetNextItemWidth(std::min(24 * digit, ImGui::GetContentRegionAvail().x / 3));
    ImGui::InputTextWithHint("##filter", "filter", filter_, sizeof(filter_));
    ImGui::SameLine(0, gap);
    drawCheckbox("this pass", ofPass_);
    ImGui::SameLine(0, gap);
    drawCheckbox("pinned buffer", ofBuffer_);
    std::string count = llvm::formatv("{0} of {1}", shown, all);
    ImGui::SameLine(0, 2 * gap);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
    drawClipped(count, context.theme.color(Meaning::Quiet), ImGui::GetContentRegionAvail().x);
  }

  void drawTable(const RemarksView &view, const std::vector<size_t> &rows, PanelContext &context) {
    constexpr TableColumn Columns[] = {{"line", 5, true, 1}, {"pass", 19, false, 2}, {"remark"}};
    Table table("remarks", Columns, context.theme, 0, 30);
    if (!table.isVisible())
      return;
    table.wrapTexts();
    const Selection &selection = context.selection;
    table.forVisibleRows(rows.size(), [&](size_t i) {
      const RemarkRow &row = view.remarks[rows[i]];
      uint32_t line = row.sourceLine.number;
      Table::Pointer pointer = table.row(
          rows[i], {.isPinned = line != 0 && line == selection.pinned.sourceLine.number,
                    .isEmphasised = line != 0 && line == selection.preview().sourceLine.number});
      context.places.note("remark " + std::to_string(rows[i]));
      if (pointer.isHovered)
        context.selection.hovered = pickOf(row);
      if (pointer.isClicked) {
        context.selection.selectPass(row.passIndex);
        context.selection.pin(pickOf(row));
      }
      bool isOfPass = row.passIndex == selection.pass;
      table.cell(lineText(row.sourceLine), context.theme.color(Meaning::Quiet));
      table.cell(row.pass, context.theme.color(isOfPass ? Meaning::Accent : Meaning::Quiet));
      table.cell(sentenceOf(row));
      if (pointer.isHovered)
        showTooltip(sentenceOf(row) + "\n[" + row.id + "] by " + row.pass);
    });
  }

  static Pick pickOf(const RemarkRow &row) {
    Pick pick;
    pick.stmt = row.stmt;
    pick.sourceLine = row.sourceLine;
    return pick;
  }

  CachedView<RemarksView, uint64_t> view_;
  CachedView<std::vector<size_t>, RowsKey> rows_;
  bool ofPass_ = false;
  bool ofBuffer_ = true; // where one is pinned
  char filter_[64] = "";
};

} // namespace

std::unique_ptr<Panel> makeRemarksPanel() { return std::make_unique<RemarksPanel>(); }

} // namespace tilescope
