// Panel `compare`: what differs from the other trace: the peak, buffers by what became of them,
// passes side by side. A click pins the buffer or goes to the pass.
#include "viewer/model/compare_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

class ComparePanel : public Panel {
public:
  void draw(PanelContext &context) override {
    if (!context.document.other)
      return drawEmpty(context, "Nothing is compared with this trace.",
                       "Open a second trace: Compare with ... in the File menu (Ctrl+Shift+O).");
    const CompareView &view = view_.get(context.document.revision, [&] {
      return buildCompare(*context.document.trace, *context.document.other, context.selection);
    });
    drawHeadline(view, context.theme);
    drawTabs(context.theme);
    if (showsPasses_)
      drawPasses(view, context);
    else
      drawBuffers(view, context);
  }

  void visitToggles(VisitToggle visit) override { visit("changes-only", changesOnly_); }

private:
  static std::string deltaText(int64_t bytes) {
    return bytes == 0 ? "" : (bytes > 0 ? "+" : "") + kibText(bytes);
  }

  static void drawText(const Theme &theme, const std::string &text, Meaning meaning) {
    drawClipped(text, theme.color(meaning), ImGui::GetContentRegionAvail().x);
  }

  static void drawHeadline(const CompareView &view, const Theme &theme) {
    int64_t delta = view.peakAfter - view.peakBefore;
    ImGui::PushFont(theme.strong);
    drawText(theme,
             delta == 0 ? "peak " + kibText(view.peakAfter) + ", the same"
                        : llvm::formatv("peak {0} -> {1}, {2}", kibText(view.peakBefore),
                                        kibText(view.peakAfter), deltaText(delta))
                              .str(),
             delta == 0 ? Meaning::Text : Meaning::Notice);
    ImGui::PopFont();
    if (ImGui::IsItemHovered())
      showTooltip(groupedNumber(view.peakBefore) + " -> " + groupedNumber(view.peakAfter) +
                  " bytes, " + signedNumber(delta));
    for (const CompareKernel &kernel : view.kernels)
      drawText(theme, kernelText(kernel), Meaning::Quiet);
    std::string settings;
    for (const CompareSetting &setting : view.settings)
      settings += (settings.empty() ? "" : "   ") + setting.name + ": " + setting.before + " -> " +
                  setting.after;
    if (!settings.empty())
      drawText(theme, settings, Meaning::Text);
    if (view.kernelBefore != view.kernelAfter)
      drawText(theme, view.kernelBefore + " -> " + view.kernelAfter, Meaning::Quiet);
  }

  static std::string kernelText(const CompareKernel &kernel) {
    auto bytes = [](const std::optional<int64_t> &value) {
      return value ? kibText(*value) : "none";
    };
    std::string text = kernel.function + ": " + bytes(kernel.bytesBefore) + " -> " +
                       bytes(kernel.bytesAfter) + (kernel.isPreview ? " (preview)" : "");
    std::string blocks = blocksText(kernel);
    return blocks.empty() ? text : text + "; " + blocks;
  }

  void drawTabs(const Theme &theme) {
    for (bool passes : {false, true}) {
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
      if (ImGui::RadioButton(passes ? "passes" : "buffers", showsPasses_ == passes))
        showsPasses_ = passes;
      ImGui::PopStyleVar();
      ImGui::SameLine(0, 2 * ImGui::GetStyle().ItemInnerSpacing.x);
    }
    drawCheckbox("changes only", changesOnly_);
    ImGui::Dummy(ImVec2(0, theme.scale));
  }

  void drawBuffers(const CompareView &view, PanelContext &context) {
    rows_.clear();
    float nameDigits = 6;
    for (size_t i = 0; i < view.buffers.size(); ++i) {
      if (changesOnly_ && view.buffers[i].changes.empty())
        continue;
      rows_.push_back(i);
      nameDigits = std::max(nameDigits, static_cast<float>(nameOf(view.buffers[i]).size()));
    }
    nameDigits = std::min(nameDigits, 24.0F);
    if (!view.missing.empty())
      return drawEmpty(context, view.missing, "");
    if (rows_.empty())
      return drawEmpty(context, "All buffers are the same.", "");
    const TableColumn columns[] = {{"buffer", nameDigits},
                                   {"is"},
                                   {"before", 19, true, 3},
                                   {"after", 19, true, 2},
                                   {"delta", 10, true, 1}};
    Table table("buffers", columns, context.theme, 0, 20);
    if (!table.isVisible())
      return;
    table.forVisibleRows(rows_.size(), [&](size_t i) {
      drawBuffer(table, view.buffers[rows_[i]], rows_[i], context);
    });
  }

  static std::string nameOf(const CompareBuffer &buffer) {
    bool isRenamed = llvm::is_contained(buffer.changes, BufferChange::Renamed);
    return isRenamed ? buffer.before->name + " -> " + buffer.name : buffer.name;
  }

  static bool isSame(const BufferKey &key, const std::optional<BufferKey> &other) {
    return other && nameInFunction(key) == nameInFunction(*other);
  }

  static void drawBuffer(Table &table, const CompareBuffer &buffer, size_t id,
                         PanelContext &context) {
    const Theme &theme = context.theme;
    Selection &selection = context.selection;
    Table::Pointer pointer =
        table.row(id, {.isPinned = isSame(buffer.key, selection.pinned.buffer),
                       .isEmphasised = isSame(buffer.key, selection.preview().buffer)});
    context.places.note("compared buffer " + buffer.name);
    if (pointer.isHovered)
      selection.hovered = Pick::ofBuffer(buffer.key);
    if (pointer.isClicked)
      selection.pin(Pick::ofBuffer(buffer.key));
    table.cell(nameOf(buffer), theme.bufferLine(buffer.hueDegrees));
    bool isSameBuffer = buffer.changes.empty();
    table.cell(toText(buffer.changes),
               theme.color(isSameBuffer ? Meaning::Quiet : Meaning::Notice));
    table.cell(placeText(buffer.before), theme.color(Meaning::Quiet));
    table.cell(placeText(buffer.after));
    table.cell(deltaText(buffer.deltaBytes), theme.color(Meaning::Notice));
    if (pointer.isHovered)
      showTooltip(buffer.name + ": " + toText(buffer.changes) + "\n" + typesText(buffer) +
                  "\nbefore " + placeText(buffer.before) + "\nafter  " + placeText(buffer.after) +
                  "\nsize " + signedNumber(buffer.deltaBytes) + " bytes");
  }

  void drawPasses(const CompareView &view, PanelContext &context) {
    rows_.clear();
    for (size_t i = 0; i < view.passes.size(); ++i) {
      const ComparePass &pass = view.passes[i];
      if (!changesOnly_ || pass.deltaBytes != 0 || !pass.before || !pass.after)
        rows_.push_back(i);
    }
    drawText(context.theme, firstDifferenceText(view), Meaning::Quiet);
    constexpr TableColumn Columns[] = {{"pass"},
                                       {"", 12, false, 1},
                                       {"before", 9, true, 3},
                                       {"after", 9, true, 2},
                                       {"delta", 10, true}};
    Table table("passes", Columns, context.theme);
    if (!table.isVisible())
      return;
    table.forVisibleRows(
        rows_.size(), [&](size_t i) { drawPass(table, view.passes[rows_[i]], rows_[i], context); });
  }

  static void drawPass(Table &table, const ComparePass &pass, size_t id, PanelContext &context) {
    const Theme &theme = context.theme;
    Table::Pointer pointer =
        table.row(id, {.isPinned = pass.after && *pass.after == context.selection.pass});
    if (pointer.isClicked && pass.after)
      context.selection.selectPass(*pass.after);
    table.cell(std::string(2 * static_cast<size_t>(std::clamp(pass.depth, 0, 20)), ' ') + pass.name,
               theme.color(pass.after ? Meaning::Text : Meaning::Quiet));
    table.cell(!pass.before  ? "only after"
               : !pass.after ? "only before"
                             : "",
               theme.color(Meaning::Notice));
    table.cell(kibText(pass.bytesBefore), theme.color(Meaning::Quiet));
    table.cell(kibText(pass.bytesAfter), theme.color(Meaning::Quiet));
    table.cell(deltaText(pass.deltaBytes), theme.color(Meaning::Notice));
  }

  CachedView<CompareView, uint64_t> view_;
  bool showsPasses_ = false;
  bool changesOnly_ = true;
  std::vector<size_t> rows_;
};

} // namespace

std::unique_ptr<Panel> makeComparePanel() { return std::make_unique<ComparePanel>(); }

} // namespace tilescope
