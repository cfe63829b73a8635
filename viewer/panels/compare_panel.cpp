// Panel `compare`: what differs from the other trace: the peak, the two arenas, buffers by what
// became of them, passes side by side. A click pins the buffer or goes to the pass.
#include "core/views/compare_cuda_model.h"
#include "core/views/compare_ir_model.h"
#include "core/views/compare_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/arena_pair.h"
#include "viewer/panels/widgets/compared_pane.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

constexpr float TallLines = 30; // higher panels show the arenas over the list of buffers
constexpr const char *Titles[] = {"arenas", "buffers", "passes", "IR", "CUDA"};

class ComparePanel : public Panel {
public:
  void draw(PanelContext &context) override {
    if (!context.document.other)
      return drawNoOther(context);
    uint64_t revision = context.document.revision;
    const CompareView &view = view_.get(revision, [&] {
      return buildCompare(*context.document.trace, *context.document.other, context.selection);
    });
    drawHeadline(view, context);
    drawTabs(context);
    if (shown_ == Shown::Ir || shown_ == Shown::Cuda)
      return (shown_ == Shown::Ir ? ir_ : cuda_).draw(context);
    if (shown_ == Shown::Passes)
      return drawPasses(view, context);
    if (!view.missing.empty())
      return drawEmpty(context, view.missing, "");
    if (shown_ == Shown::Arenas) {
      const CompareArenas &arenas = arenas_.get(revision, [&] {
        return buildCompareArenas(*context.document.trace, *context.document.other);
      });
      float room = ImGui::GetContentRegionAvail().y;
      bool isTall = room > TallLines * ImGui::GetTextLineHeight();
      if (pair_.draw(context, view, arenas, isTall ? room * 0.6F : room); !isTall)
        return;
      ImGui::Dummy(ImVec2(0, 4 * context.theme.scale));
    }
    drawBuffers(view, context);
  }

  void visitToggles(VisitToggle visit) override { visit("changes-only", changesOnly_); }

private:
  enum class Shown : uint8_t { Arenas, Buffers, Passes, Ir, Cuda };

  static void drawText(const Theme &theme, const std::string &text, Meaning meaning,
                       const std::string &detail = "") {
    drawWrapped(text, theme.color(meaning));
    if (!detail.empty() && ImGui::IsItemHovered())
      showTooltip(detail);
  }
  static void drawHeadline(const CompareView &view, const PanelContext &context) {
    const Theme &theme = context.theme;
    int64_t delta = view.peakAfter - view.peakBefore;
    ImGui::PushFont(theme.strong);
    drawText(theme,
             delta == 0 ? "peak " + kibText(view.peakAfter) + ", the same"
                        : llvm::formatv("peak {0} -> {1}, {2} KiB", kibText(view.peakBefore),
                                        kibText(view.peakAfter), kibDelta(delta))
                              .str(),
             delta == 0 ? Meaning::Text : Meaning::Notice);
    ImGui::PopFont();
    if (ImGui::IsItemHovered())
      showTooltip(groupedNumber(view.peakBefore) + " -> " + groupedNumber(view.peakAfter) +
                  " bytes, " + signedNumber(delta));
    drawText(theme, "before  " + sideText(context.document.otherFile, view.kernelBefore),
             Meaning::Quiet, view.kernelBefore + "\n" + view.argumentsBefore);
    drawText(theme, "after   " + sideText(context.document.file, view.kernelAfter), Meaning::Text,
             view.kernelAfter + "\n" + view.argumentsAfter);
    std::string settings;
    for (const SettingDiff &setting : view.settings)
      settings += (settings.empty() ? "" : "   ") + setting.name + ": " + setting.before + " -> " +
                  setting.after;
    if (!settings.empty())
      drawText(theme, settings, Meaning::Notice);
    for (const CompareKernel &kernel : view.kernels)
      drawText(theme, kernelText(kernel), Meaning::Quiet);
  }

  // "two.trace: gemm.py:matmul for sm_80"
  static std::string sideText(const std::string &file, const std::string &kernel) {
    std::string text = llvm::sys::path::filename(file).str();
    return text + (text.empty() ? "" : ": ") + llvm::sys::path::filename(kernel).str();
  }

  static std::string kernelText(const CompareKernel &kernel) {
    auto bytes = [](const std::optional<int64_t> &value) {
      return value ? kibText(*value) : "none";
    };
    std::string text = kernel.function + ": " + bytes(kernel.bytesBefore) + " -> " +
                       bytes(kernel.bytesAfter) + (kernel.isPreview ? " (preview)" : "");
    for (const std::string &part : {blocksText(kernel), registersText(kernel)})
      text += part.empty() ? "" : "; " + part;
    return text;
  }

  void drawTabs(PanelContext &context) {
    size_t next = context.hasFocus && context.commands.has(Command::NextCompared) ? 1 : 0;
    shown_ = static_cast<Shown>((static_cast<size_t>(shown_) + next) % std::size(Titles));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    for (size_t i = 0; i != std::size(Titles); ++i) {
      if (i != 0)
        stayInLine(Titles[i]);
      if (ImGui::RadioButton(Titles[i], shown_ == static_cast<Shown>(i)))
        shown_ = static_cast<Shown>(i);
      context.places.note(std::string("compare ") + Titles[i]);
    }
    ImGui::PopStyleVar();
    stayInLine("changes only");
    drawCheckbox("changes only", changesOnly_);
    ImGui::Dummy(ImVec2(0, context.theme.scale));
  }

  void drawBuffers(const CompareView &view, PanelContext &context) {
    rows_.clear();
    float nameDigits = 6, beforeDigits = 6, afterDigits = 5;
    auto widen = [](float &digits, const std::string &text) {
      digits = std::max(digits, static_cast<float>(text.size()));
    };
    for (size_t i = 0; i < view.buffers.size(); ++i) {
      if (changesOnly_ && view.buffers[i].changes.empty())
        continue;
      rows_.push_back(i);
      widen(nameDigits, nameOf(view.buffers[i]));
      widen(beforeDigits, kibRange(view.buffers[i].before));
      widen(afterDigits, kibRange(view.buffers[i].after));
    }
    nameDigits = std::min(nameDigits, 24.0F);
    if (rows_.empty())
      return drawEmpty(context, "All buffers are the same.", "");
    const TableColumn columns[] = {
        {"buffer", nameDigits},
        {"what changed"},
        {"before", beforeDigits, true, 3, "where it lies, in KiB from the start of the arena"},
        {"after", afterDigits, true, 2, "where it lies, in KiB from the start of the arena"},
        {"KiB", 6, true, 1, "KiB that it takes more than before"}};
    Table table("buffers", columns, context.theme, 0, 20);
    if (!table.isVisible())
      return;
    table.forVisibleRows(rows_.size(), [&](size_t i) {
      drawBuffer(table, view.buffers[rows_[i]], rows_[i], context);
    });
  }

  // "[0, 32)": placeText in KiB.
  static std::string kibRange(const std::optional<CompareSide> &side) {
    if (!side || !side->sizeBytes || !side->offsetBytes)
      return side && side->sizeBytes ? kibNumber(*side->sizeBytes) : placeText(side);
    return "[" + kibNumber(*side->offsetBytes) + ", " +
           kibNumber(*side->offsetBytes + *side->sizeBytes) + ")";
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
    table.cell(changesText(buffer), theme.color(isSameBuffer ? Meaning::Quiet : Meaning::Notice));
    table.cell(kibRange(buffer.before), theme.color(Meaning::Quiet));
    table.cell(kibRange(buffer.after));
    table.cell(kibDelta(buffer.deltaBytes), theme.color(Meaning::Notice));
    auto tooltipOf = [](const std::optional<CompareSide> &side) {
      return side ? side->type + " at " + placeText(side) : "not there";
    };
    if (pointer.isHovered)
      showTooltip(nameOf(buffer) + ": " + changesText(buffer) + "\nbefore " +
                  tooltipOf(buffer.before) + "\nafter  " + tooltipOf(buffer.after) + "\nsize " +
                  signedNumber(buffer.deltaBytes) + " bytes");
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
                                       {"before", 6, true, 3, "KiB of shared memory"},
                                       {"after", 6, true, 2, "KiB of shared memory"},
                                       {"delta", 6, true, 0, "KiB of shared memory"}};
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
    table.cell(kibNumber(pass.bytesBefore), theme.color(Meaning::Quiet));
    table.cell(kibNumber(pass.bytesAfter), theme.color(Meaning::Quiet));
    table.cell(kibDelta(pass.deltaBytes), theme.color(Meaning::Notice));
  }

  CachedView<CompareView, uint64_t> view_;
  CachedView<CompareArenas, uint64_t> arenas_;
  ArenaPair pair_;
  ComparedPane ir_{buildCompareIr, CodeLanguage::Python, "compared IR"};
  ComparedPane cuda_{buildCompareCuda, CodeLanguage::Cuda, "compared CUDA"};
  Shown shown_ = Shown::Arenas;
  bool changesOnly_ = true;
  std::vector<size_t> rows_;
};

} // namespace

std::unique_ptr<Panel> makeComparePanel() { return std::make_unique<ComparePanel>(); }

} // namespace tilescope
