// Panel `buffer`: the card of the pinned buffer.
#include "core/views/buffer_model.h"
#include "core/views/ir_words.h"
#include "core/views/placement_words.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/Support/FormatVariadic.h"

#include <imgui_stdlib.h>

namespace tilescope {

namespace {

class BufferPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const Pick &pinned = context.selection.pinned;
    if (!pinned.buffer)
      return drawEmpty(context, "No buffer is pinned.",
                       "Click a buffer in any panel: its card says where it came from, where it "
                       "lies and why, and who touches it.");
    const BufferView &view = view_.get({PassKey::of(context), pinned.buffer}, [&] {
      return buildBuffer(*context.state(), pinned.buffer);
    });
    if (!view.missing.empty())
      return drawEmpty(context, view.missing, "Pin another, or press Esc.");
    drawHead(view, context.theme);
    drawFacts(view, context.theme);
    drawOffset(view, context);
    drawHistory(view, context);
    drawShares(view, context);
    drawAccesses(view, context);
    drawCuda(view, context);
    drawRemarks(view, context);
  }

private:
  struct Key {
    PassKey pass;
    std::optional<BufferKey> buffer;

    friend bool operator==(const Key &, const Key &) = default;
  };

  static void drawHead(const BufferView &view, const Theme &theme) {
    float height = ImGui::GetTextLineHeight();
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + height, at.y + height),
                                              theme.bufferFill(view.hueDegrees));
    ImGui::GetWindowDrawList()->AddRect(at, ImVec2(at.x + height, at.y + height),
                                        theme.bufferLine(view.hueDegrees));
    ImGui::Dummy(ImVec2(height, height));
    ImGui::SameLine();
    ImGui::PushFont(theme.strong);
    drawClipped(view.name, theme.bufferLine(view.hueDegrees), ImGui::GetContentRegionAvail().x,
                TextKind::Listing);
    ImGui::PopFont();
    if (ImGui::IsItemHovered())
      showTooltip(tooltipOf(view.bufferKey));
    std::string after = "after " + view.pass + (view.note.empty() ? "" : ", " + view.note);
    drawWrapped(after, theme.color(view.note.empty() ? Meaning::Quiet : Meaning::Notice));
  }

  static void drawFacts(const BufferView &view, const Theme &theme) {
    fact(theme, "type", view.type + " in " + memoryText(view.scope));
    fact(theme, "layout", view.layout.empty() ? "not decided" : view.layout);
    if (ImGui::IsItemHovered() && !view.layout.empty())
      showTooltip(view.layout + "\n" + meaningOfWord(view.layout).str());
    fact(theme, "bytes", view.sizeBytes ? groupedNumber(*view.sizeBytes) : "known at launch");
    fact(theme, "place", view.place ? placeText(*view.place) : view.unplaced);
    if (view.peak)
      fact(theme, "peak", peakText(*view.peak));
    if (!view.origin.empty())
      fact(theme, "made for", view.origin);
    if (view.sourceLine)
      fact(theme, "declared", lineText("line ", view.sourceLine, ": ") + view.source);
  }

  // Another offset is an edit of the IR where the buffer is placed.
  void drawOffset(const BufferView &view, PanelContext &context) {
    if (!context.document.isLive || !view.offsetBytes)
      return;
    fact(context.theme, "offset", "");
    ImGui::SameLine();
    if (!isTyping_)
      offset_ = std::to_string(*view.offsetBytes);
    ImGui::SetNextItemWidth(14 * ImGui::CalcTextSize("0").x);
    bool isEntered =
        ImGui::InputText("##offset", &offset_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsDecimal |
                             ImGuiInputTextFlags_AutoSelectAll);
    isTyping_ = ImGui::IsItemActive();
    context.places.note("buffer offset");
    if (ImGui::IsItemHovered())
      showTooltip("Bytes from the start of the arena. Another one is an edit after the pass that "
                  "places buffers; all checks follow it.");
    int64_t bytes = 0;
    if (isEntered && !llvm::StringRef(offset_).getAsInteger(10, bytes) && bytes >= 0 &&
        bytes != view.offsetBytes)
      context.kernel.setOffset(view.buffer, bytes);
  }

  // Wrapped beside its name, or below it.
  static void fact(const Theme &theme, const char *name, const std::string &text) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Meaning::Quiet));
    ImGui::TextUnformatted(name);
    ImGui::PopStyleColor();
    float digit = ImGui::CalcTextSize("0").x;
    bool isNarrow = ImGui::GetContentRegionAvail().x < 30 * digit;
    if (isNarrow)
      ImGui::Indent(2 * digit);
    else
      ImGui::SameLine(9 * digit + ImGui::GetStyle().WindowPadding.x);
    drawWrapped(text, theme.color(Meaning::Text));
    if (isNarrow)
      ImGui::Unindent(2 * digit);
  }

  static void drawHistory(const BufferView &view, PanelContext &context) {
    drawHeading(context.theme, "Through the passes");
    constexpr TableColumn Columns[] = {{"pass", 19, false, 1}, {"change"}};
    drawRows("history", Columns, context.theme, view.history.size(), [&](Table &table, size_t i) {
      const BufferEvent &event = view.history[i];
      Table::Pointer pointer = table.row(i, {.isPinned = event.pass == context.selection.pass});
      context.places.note("buffer event " + std::to_string(i));
      if (pointer.isClicked)
        context.selection.selectPass(event.pass);
      table.cell(passText(event), context.theme.color(Meaning::Quiet));
      bool isPlain =
          event.kind == BufferEventKind::Created || event.kind == BufferEventKind::Removed;
      table.cell(isPlain ? std::string(nameOf(event.kind)) + ": " + event.text : event.text);
    });
  }

  static void drawShares(const BufferView &view, PanelContext &context) {
    if (!view.place || view.place->sharesWith.empty())
      return;
    drawHeading(context.theme, "Who uses its bytes at other times");
    constexpr TableColumn Columns[] = {{"buffer", 19}, {"bytes"}};
    const std::vector<WhyShare> &shares = view.place->sharesWith;
    drawRows("shares", Columns, context.theme, shares.size(), [&](Table &table, size_t i) {
      table.row(i, {});
      table.cell(shares[i].buffer);
      table.cell(byteRange(shares[i].beginBytes, shares[i].endBytes) + ", live at points " +
                     toText(shares[i].live),
                 context.theme.color(Meaning::Quiet));
    });
  }

  static void drawAccesses(const BufferView &view, PanelContext &context) {
    if (view.accesses.empty())
      return;
    drawHeading(context.theme, "Definitions and uses");
    size_t digits = 6, slotDigits = 4;
    for (const BufferAccessRow &row : view.accesses) {
      digits = std::max(digits, kindText(row).size());
      slotDigits = std::max(slotDigits, slotOf(row).size());
    }
    const TableColumn columns[] = {{"line", 4, true, 2},
                                   {"access", static_cast<float>(digits)},
                                   {"slot", static_cast<float>(slotDigits), false, 1},
                                   {"statement"}};
    drawRows("accesses", columns, context.theme, view.accesses.size(), [&](Table &table, size_t i) {
      const BufferAccessRow &row = view.accesses[i];
      bool isHovered = link(table, i, row.stmt, row.at.sourceLine, context);
      table.cell(lineText(row.at.sourceLine), context.theme.color(Meaning::Quiet));
      table.cell(kindText(row), context.theme.color(row.isWrite ? Meaning::Notice : Meaning::Text));
      table.cell(slotOf(row), context.theme.color(Meaning::Quiet));
      table.cell(row.at.source.empty() ? row.at.statement : row.at.source);
      if (isHovered)
        showTooltip(toText(row.at) + "\n" + accessText(row) +
                    (row.at.sourceLine.isCarried ? std::string("\n") + CarriedMeaning : ""));
    });
  }

  static void drawCuda(const BufferView &view, PanelContext &context) {
    if (view.cuda.empty())
      return;
    drawHeading(context.theme, "In the CUDA");
    constexpr TableColumn Columns[] = {{"line", 4, true, 1}, {"text"}};
    drawRows("cuda", Columns, context.theme, view.cuda.size(), [&](Table &table, size_t i) {
      const BufferCudaRow &row = view.cuda[i];
      link(table, i, row.stmt, 0, context);
      table.cell(std::to_string(row.line), context.theme.color(Meaning::Quiet));
      table.cell(row.text);
    });
  }

  static void drawRemarks(const BufferView &view, PanelContext &context) {
    if (view.remarks.empty())
      return;
    drawHeading(context.theme, "Remarks");
    constexpr TableColumn Columns[] = {{"pass", 19, false, 1}, {"remark"}};
    drawRows("remarks", Columns, context.theme, view.remarks.size(), [&](Table &table, size_t i) {
      const BufferRemarkRow &row = view.remarks[i];
      if (table.row(i, {.isPinned = row.pass == context.selection.pass}).isClicked)
        context.selection.selectPass(row.pass);
      table.cell(row.passName, context.theme.color(Meaning::Quiet));
      table.cell(row.text);
    });
  }

  // A row that stands for a statement of this buffer: hovering previews it, a click pins it.
  // Whether it is hovered.
  static bool link(Table &table, size_t id, StmtId stmt, KernelLine sourceLine,
                   PanelContext &context) {
    Selection &selection = context.selection;
    bool isKnown = stmt.isValid();
    Table::Pointer pointer =
        table.row(id, {.isPinned = isKnown && selection.pinned.stmt == stmt,
                       .isEmphasised = isKnown && selection.preview().stmt == stmt});
    Pick pick = selection.pinned;
    pick.stmt = stmt;
    pick.sourceLine = sourceLine;
    if (pointer.isHovered)
      selection.hovered = pick;
    if (pointer.isClicked)
      selection.pin(pick);
    return pointer.isHovered;
  }

  // "1", "k mod 2".
  static llvm::StringRef slotOf(const BufferAccessRow &row) {
    llvm::StringRef slot = row.slot;
    slot.consume_front("slot ");
    return slot;
  }

  static void drawRows(const char *id, llvm::ArrayRef<TableColumn> columns, const Theme &theme,
                       size_t count, llvm::function_ref<void(Table &, size_t)> draw) {
    Table table(id, columns, theme, Table::AsHighAsRows);
    if (!table.isVisible())
      return;
    table.wrapTexts();
    table.forVisibleRows(count, [&](size_t i) { draw(table, i); });
  }

  CachedView<BufferView, Key> view_;
  std::string offset_; // as it is typed
  bool isTyping_ = false;
};

} // namespace

std::unique_ptr<Panel> makeBufferPanel() { return std::make_unique<BufferPanel>(); }

} // namespace tilescope
