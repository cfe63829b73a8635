// Panel `ir`: the IR before and after a pass, side by side or as one text, and which shared buffers
// are live beside it.
#include "core/views/ir_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/liveness_margin.h"
#include "viewer/panels/widgets/text_pane.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Below this many characters side by side is not what one wants.
constexpr float SideBySideChars = 150;

class IrRows : public TextRows {
public:
  IrRows(const IrView &view, bool isSideBySide) : view_(view), isSideBySide_(isSideBySide) {}

  size_t count() const override { return view_.rows.size(); }
  size_t columnCount() const override { return isSideBySide_ ? 2 : 1; }

  std::optional<TextLine> at(size_t row, size_t column) const override {
    const AlignedRow &aligned = view_.rows[row];
    bool isBefore = isSideBySide_ ? column == 0 : aligned.after < 0;
    int32_t index = isBefore ? aligned.before : aligned.after;
    if (index < 0)
      return std::nullopt;
    const IrLine &line = isBefore ? view_.before[index] : view_.lines[index];
    TextLine result;
    result.text = line.text;
    result.number = static_cast<uint32_t>(index) + 1;
    result.stmt = line.stmt;
    result.sourceLine = line.sourceLine;
    result.kind = aligned.kind;
    result.names = line.names;
    result.changedWords = isBefore ? aligned.words.before : aligned.words.after;
    if (aligned.kind == RowKind::Modified && !isSideBySide_)
      result.before = view_.before[aligned.before].text;
    return result;
  }

private:
  const IrView &view_;
  bool isSideBySide_;
};

struct IrContent {
  IrView view;
  std::vector<uint32_t> rowOfLine; // of the lines after
  std::vector<uint32_t> lineOfRow; // the last at or above
  size_t added = 0, removed = 0, modified = 0;
};

IrContent buildContent(const PanelContext &context) {
  IrContent content;
  content.view = buildIr(*context.state());
  uint32_t line = 0;
  for (const AlignedRow &row : content.view.rows) {
    if (row.after >= 0) {
      line = static_cast<uint32_t>(row.after);
      content.rowOfLine.push_back(static_cast<uint32_t>(content.lineOfRow.size()));
    }
    content.lineOfRow.push_back(line);
    content.added += row.kind == RowKind::Added;
    content.removed += row.kind == RowKind::Removed;
    content.modified += row.kind == RowKind::Modified;
  }
  return content;
}

class IrPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    PassKey key = PassKey::of(context);
    if (!(key == shown_)) {
      shown_ = key;
      ++version_;
    }
    const IrContent &content = content_.get(key, [&] { return buildContent(context); });
    if (content.view.lines.empty()) {
      drawEmpty(
          context, "There is no IR after this pass.",
          "The compile stopped before the kernel was evaluated; an earlier pass may have some.");
      return;
    }
    bool hasBefore = !content.view.passBefore.empty();
    if (context.commands.has(Command::ToggleSideBySide)) {
      isSideBySide_ = !isSideBySide(context);
      ++version_;
    }
    drawHeading(context, content);
    bool sideBySide = hasBefore && isSideBySide(context);
    if (sideBySide != wasSideBySide_)
      ++version_;
    wasSideBySide_ = sideBySide;
    IrRows rows(content.view, sideBySide);
    LivenessMargin margin(content.view, content.rowOfLine, content.lineOfRow);
    pane_.draw(context, {rows, content.view.buffers, version_, &margin, true, "ir text"});
  }

private:
  bool isSideBySide(const PanelContext & /*context*/) const {
    return isSideBySide_.value_or(ImGui::GetContentRegionAvail().x >
                                  SideBySideChars * ImGui::CalcTextSize("0").x);
  }

  void drawHeading(const PanelContext &context, const IrContent &content) const {
    auto text = [&](Meaning meaning, const std::string &words) {
      ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(meaning));
      ImGui::TextUnformatted(words.c_str());
      ImGui::PopStyleColor();
      ImGui::SameLine(0, ImGui::CalcTextSize(" ").x);
    };
    const IrView &view = content.view;
    if (view.passBefore.empty()) {
      text(Meaning::Text, view.pass);
    } else {
      text(Meaning::Quiet, view.passBefore + " \u2192");
      text(Meaning::Text, view.pass);
      if (content.added + content.removed + content.modified == 0)
        text(Meaning::Quiet, " no line changed");
    }
    if (content.added)
      text(Meaning::Good, llvm::formatv(" +{0}", content.added));
    if (content.removed)
      text(Meaning::Bad, llvm::formatv(" -{0}", content.removed));
    if (content.modified)
      text(Meaning::Notice, llvm::formatv(" ~{0}", content.modified));
    size_t hidden = 0;
    for (const IrGutter &gutter : view.gutters)
      hidden += gutter.hiddenBuffers;
    if (hidden)
      text(Meaning::Quiet, llvm::formatv(" {0} buffers have no bar", hidden));
    ImGui::NewLine();
  }

  CachedView<IrContent, PassKey> content_;
  PassKey shown_{~uint64_t(0), 0};
  uint64_t version_ = 0;             // of the rows
  std::optional<bool> isSideBySide_; // nullopt: as the width allows
  bool wasSideBySide_ = false;
  TextPane pane_;
};

} // namespace

std::unique_ptr<Panel> makeIrPanel() { return std::make_unique<IrPanel>(); }

} // namespace tilescope
