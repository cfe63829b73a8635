// Panel `source`: the kernel file.
#include "core/views/source_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/text_pane.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

// More than these leave too little of the text.
constexpr size_t MaxDiagnostics = 4;

class SourceRows : public TextRows {
public:
  SourceRows(const SourceView &view, const std::vector<CodeState> &states)
      : view_(view), states_(states) {}

  size_t count() const override { return view_.lines.size(); }

  std::optional<TextLine> at(size_t row, size_t /*column*/) const override {
    const SourceLine &line = view_.lines[row];
    TextLine result;
    result.text = line.text;
    result.number = static_cast<uint32_t>(row) + 1;
    result.sourceLine = result.number;
    result.names = line.names;
    result.hasError = line.errorCount != 0;
    result.language = CodeLanguage::Python;
    result.state = states_[row];
    return result;
  }

private:
  const SourceView &view_;
  const std::vector<CodeState> &states_;
};

// How many IR statements a line has become.
class CountMargin : public TextMargin {
public:
  explicit CountMargin(const SourceView &view) : view_(view) {}

  float width(const TextStyle &style) const override { return 5 * style.charWidth; }

  void draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
            size_t last) const override {
    for (size_t row = first; row != last; ++row) {
      uint32_t count = view_.lines[row].statementCount;
      if (count == 0)
        continue;
      std::string text = count > 999 ? "999+" : std::to_string(count);
      list.AddText(
          {topLeft.x + style.charWidth * static_cast<float>(4 - text.size()),
           topLeft.y + static_cast<float>(row - first) * style.lineHeight + style.theme.scale},
          style.theme.color(Meaning::Accent, 0.8F), text.c_str());
    }
  }

  Pick pickAt(const TextStyle & /*style*/, size_t row, float /*x*/) const override {
    const SourceLine &line = view_.lines[row];
    if (line.statementCount == 0)
      return {};
    std::string text = llvm::formatv("{0} IR statements after {1} come from this line",
                                     line.statementCount, view_.pass);
    if (line.carriedCount)
      text += llvm::formatv("; of {0} it is a {1}", line.carriedCount, CarriedMeaning).str();
    showTooltip(text);
    return {};
  }

private:
  const SourceView &view_;
};

class SourcePanel : public Panel {
public:
  void draw(PanelContext &context) override {
    PassKey key = PassKey::of(context);
    const SourceView &view =
        view_.get(key, [&] { return buildSource(*context.document.trace, context.selection); });
    if (view.lines.empty()) {
      drawEmpty(context, "The trace holds no kernel file.",
                "A trace that 'tilescope compile' wrote holds its text.");
      return;
    }
    drawDiagnostics(context, view);
    drawWrapped("blue: how many statements of the IR after " + view.pass + " are of the line",
                context.theme.color(Meaning::Quiet));
    const std::vector<CodeState> &states = states_.get(
        context.document.revision, [&] { return codeStatesOf(view.lines, CodeLanguage::Python); });
    SourceRows rows(view, states);
    CountMargin margin(view);
    if (!(key == shown_)) {
      shown_ = key;
      ++version_;
    }
    pane_.draw(context, {rows, view.namedBuffers, version_, &margin, true, "source text"});
  }

private:
  static void drawDiagnostics(PanelContext &context, const SourceView &view) {
    size_t shown = std::min(view.diagnostics.size(), MaxDiagnostics);
    for (size_t i = 0; i != shown; ++i)
      drawDiagnostic(context, view.diagnostics[i]);
    if (shown != view.diagnostics.size())
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.color(Meaning::Quiet)),
                         "%zu more", view.diagnostics.size() - shown);
  }

  static void drawDiagnostic(PanelContext &context, const SourceDiagnostic &diagnostic) {
    bool isError = diagnostic.severity == "error";
    ImGui::PushStyleColor(ImGuiCol_Text,
                          context.theme.color(isError ? Meaning::Bad : Meaning::Notice));
    std::string where = lineText("line ", diagnostic.line, ": ");
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted((where + diagnostic.severity + ": " + diagnostic.text).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    if (!ImGui::IsItemHovered())
      return;
    std::string notes;
    for (const DiagnosticText &note : diagnostic.notes)
      notes += (notes.empty() ? "note: " : "\nnote: ") + note.text;
    if (!notes.empty())
      ImGui::SetTooltip("%s", notes.c_str());
    Pick pick;
    pick.sourceLine = diagnostic.line;
    if (pick.isEmpty())
      return;
    context.selection.hovered = pick;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      context.selection.pin(pick);
  }

  CachedView<SourceView, PassKey> view_;
  CachedView<std::vector<CodeState>, uint64_t> states_; // of its lines
  PassKey shown_{~uint64_t(0), 0};
  uint64_t version_ = 0; // of what is known of the lines
  TextPane pane_;
};

} // namespace

std::unique_ptr<Panel> makeSourcePanel() { return std::make_unique<SourcePanel>(); }

} // namespace tilescope
