// Panel `findings`: what the verifier and the checkers say, with source lines.
#include "core/views/findings_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

class FindingsPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const FindingsView &view = view_.get(context.document.revision, [&] {
      return buildFindings(*context.document.trace, context.selection);
    });
    drawVerdicts(view, context.theme);
    if (!view.lost.empty())
      drawWrapped("not read: " + view.lost, context.theme.color(Meaning::Notice));
    if (view.findings.empty())
      drawWrapped("Nothing was found.", context.theme.color(Meaning::Quiet));
    for (size_t i = 0; i < view.findings.size(); ++i)
      drawFinding(view.findings[i], i, context);
  }

private:
  static void drawVerdicts(const FindingsView &view, const Theme &theme) {
    drawWrapped("after " + view.lastPass + (view.isRecorded ? ", as recorded" : ""),
                theme.color(Meaning::Quiet));
    float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    bool isFirst = true;
    for (const auto &[question, verdict, why, sourceLine] : answersOf(view)) {
      std::string answer = textOf(verdict);
      float digit = ImGui::CalcTextSize("0").x;
      std::string text =
          why.empty() ? question : llvm::formatv("{0}: {1} ({2})", question, answer, why).str();
      float width = ImGui::CalcTextSize(text.c_str()).x + 4 * digit;
      if (!isFirst && ImGui::GetItemRectMax().x + 3 * digit + width < right)
        ImGui::SameLine(0, 3 * digit);
      isFirst = false;
      ImGui::BeginGroup();
      bool isYes = verdict == Verdict::Yes, isNo = verdict == Verdict::No;
      Meaning meaning = isYes ? Meaning::Good : isNo ? Meaning::Bad : Meaning::Quiet;
      drawMark(isYes ? Mark::Check : isNo ? Mark::Cross : Mark::Hollow, theme.color(meaning));
      ImGui::SameLine(0, digit);
      drawWrapped(text, theme.color(why.empty() ? Meaning::Text : Meaning::Quiet));
      ImGui::EndGroup();
      if (ImGui::IsItemHovered())
        showTooltip(
            llvm::formatv("{0}: {1}{2}{3}", question, answer, why.empty() ? "" : ", since ", why)
                .str());
    }
    ImGui::Dummy(ImVec2(0, 3 * theme.scale));
  }

  static void drawFinding(const FindingRow &row, size_t id, PanelContext &context) {
    const Theme &theme = context.theme;
    ImGui::PushID(static_cast<int>(id));
    ImGui::BeginGroup();
    Meaning meaning = row.severity == "error" ? Meaning::Bad : Meaning::Notice;
    drawMark(row.severity == "error" ? Mark::Cross : Mark::Diamond, theme.color(meaning));
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    drawWrapped(headOf(row.severity, row.place.line) + row.text, theme.color(meaning));
    drawPlace(row.place, context);
    for (const FindingNote &note : row.notes) {
      drawWrapped(headOf("note", note.place.line) + note.text, theme.color(Meaning::Text));
      drawPlace(note.place, context);
    }
    ImGui::EndGroup();
    if (ImGui::IsItemHovered())
      showTooltip("[" + row.id + "]");
    ImGui::Dummy(ImVec2(0, 3 * theme.scale));
    ImGui::PopID();
  }

  static std::string headOf(const std::string &severity, const KernelLine &line) {
    return severity + lineText(", line ", line) + ": ";
  }

  // The line and its caret; a click goes there.
  static void drawPlace(const FindingPlace &place, PanelContext &context) {
    if (place.source.empty())
      return;
    const Theme &theme = context.theme;
    float digit = ImGui::CalcTextSize("0").x;
    ImGui::Indent(4 * digit);
    ImGui::BeginGroup();
    float room = ImGui::GetContentRegionAvail().x;
    bool isCut = drawClipped(place.source, theme.color(Meaning::Text), room, TextKind::Listing);
    if (!place.caret.empty())
      drawClipped(place.caret, theme.color(Meaning::Notice), room, TextKind::Listing);
    ImGui::EndGroup();
    if (isCut && ImGui::IsItemHovered())
      showTooltip(place.source);
    if (ImGui::IsItemHovered())
      context.selection.hovered.sourceLine = place.line;
    if (ImGui::IsItemClicked()) {
      Pick pick;
      pick.sourceLine = place.line;
      context.selection.pin(pick);
    }
    ImGui::Unindent(4 * digit);
  }

  CachedView<FindingsView, uint64_t> view_;
};

} // namespace

std::unique_ptr<Panel> makeFindingsPanel() { return std::make_unique<FindingsPanel>(); }

} // namespace tilescope
