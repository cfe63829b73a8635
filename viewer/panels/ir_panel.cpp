// Panel `ir`: the IR before and after a pass, side by side or as one text, and which shared buffers
// are live beside it.
#include "core/views/ir_model.h"
#include "core/views/ir_words.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/costs_margin.h"
#include "viewer/panels/widgets/liveness_margin.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Below this many characters side by side is not what one wants.
constexpr float SideBySideChars = 150;

// Rows of the view that stand as one, because nothing changed in them; or a single row.
struct ShownRow {
  size_t first = 0; // of IrView::rows
  size_t count = 1;
  std::string text; // of a fold
};

class IrRows : public TextRows {
public:
  IrRows(const IrView &view, const std::vector<ShownRow> &shown, bool isSideBySide)
      : view_(view), shown_(shown), isSideBySide_(isSideBySide) {}

  size_t count() const override { return shown_.size(); }
  size_t columnCount() const override { return isSideBySide_ ? 2 : 1; }

  std::optional<TextLine> at(size_t row, size_t column) const override {
    if (shown_[row].count > 1)
      return fold(shown_[row]);
    const AlignedRow &aligned = view_.rows[shown_[row].first];
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
    result.language = CodeLanguage::Python;
    result.isQuiet = result.text.starts_with("@");
    result.changedWords = isBefore ? aligned.words.before : aligned.words.after;
    if (aligned.kind == RowKind::Modified && !isSideBySide_)
      result.before = view_.before[aligned.before].text;
    return result;
  }

private:
  static TextLine fold(const ShownRow &row) {
    TextLine line;
    line.text = row.text;
    return line;
  }

  const IrView &view_;
  const std::vector<ShownRow> &shown_;
  bool isSideBySide_;
};

// Some lines around each change stay; fewer lines than a few are no fold.
std::vector<ShownRow> shownRows(const std::vector<AlignedRow> &rows, bool hasFolds) {
  constexpr size_t Around = 3, LeastFolded = 4;
  std::vector<bool> stays(rows.size(), !hasFolds);
  for (size_t row = 0; row != rows.size(); ++row)
    if (rows[row].isChange())
      for (size_t near = row < Around ? 0 : row - Around;
           near != std::min(row + Around + 1, rows.size()); ++near)
        stays[near] = true;
  std::vector<ShownRow> shown;
  for (size_t row = 0, end = 0; row != rows.size(); row = end) {
    end = row;
    while (end != rows.size() && !stays[end])
      ++end;
    if (end - row >= LeastFolded) {
      shown.push_back({row, end - row,
                       llvm::formatv("... {0} lines that did not change; z shows "
                                     "them",
                                     end - row)});
      continue;
    }
    end = std::max(end, row + 1);
    for (size_t single = row; single != end; ++single)
      shown.push_back({single});
  }
  return shown;
}

struct IrContent {
  IrView view;
  std::vector<ShownRow> shown;
  std::vector<uint32_t> rowOfLine; // of the lines after, in `shown`
  std::vector<uint32_t> lineOfRow; // of `shown`: the last at or above
  size_t added = 0, removed = 0, modified = 0;
};

IrContent buildContent(const PanelContext &context, bool hasFolds) {
  IrContent content;
  content.view = buildIr(*context.state());
  content.shown = shownRows(content.view.rows, hasFolds && !content.view.passBefore.empty());
  uint32_t line = 0;
  for (const ShownRow &shown : content.shown) {
    for (size_t row = shown.first; row != shown.first + shown.count; ++row)
      if (content.view.rows[row].after >= 0) {
        line = static_cast<uint32_t>(content.view.rows[row].after);
        content.rowOfLine.push_back(static_cast<uint32_t>(content.lineOfRow.size()));
      }
    content.lineOfRow.push_back(line);
  }
  for (const AlignedRow &row : content.view.rows) {
    content.added += row.kind == RowKind::Added;
    content.removed += row.kind == RowKind::Removed;
    content.modified += row.kind == RowKind::Modified;
  }
  return content;
}

class IrPanel : public Panel {
public:
  void visitToggles(VisitToggle visit) override {
    visit("folds", hasFolds_), visit("costs", showsCosts_);
  }

  void draw(PanelContext &context) override {
    PassKey key = PassKey::of(context);
    bool isStep = key.pass != shown_.pass;
    if (!(key == shown_)) {
      shown_ = key;
      ++version_;
    }
    if (context.commands.has(Command::ToggleFolds)) {
      hasFolds_ = !hasFolds_;
      ++version_;
    }
    const IrContent &content =
        content_.get({key, hasFolds_}, [&] { return buildContent(context, hasFolds_); });
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
    IrRows rows(content.view, content.shown, sideBySide);
    LivenessMargin margin(content.view, content.rowOfLine, content.lineOfRow);
    const CostsView *costs = costsOf(context);
    CostsMargin withCosts(
        [&](size_t row) {
          const ShownRow &shown = content.shown[row];
          int32_t line = shown.count > 1 ? -1 : content.view.rows[shown.first].after;
          return line < 0 ? nullptr : costOfLine(*costs, static_cast<uint32_t>(line) + 1);
        },
        &margin);
    if (costs)
      drawWrapped(CostsMargin::Meanings, context.theme.color(Meaning::Quiet));
    pane_.draw(context, {.rows = rows,
                         .buffers = content.view.buffers,
                         .version = version_,
                         .margin = costs ? static_cast<const TextMargin *>(&withCosts) : &margin,
                         .place = "ir text",
                         .meaningOf = meaningOfWord,
                         .isStep = isStep});
  }

private:
  // nullptr: they are not shown.
  const CostsView *costsOf(const PanelContext &context) {
    showsCosts_ ^= context.commands.has(Command::ToggleCosts);
    return showsCosts_
               ? &costs_.get(PassKey::of(context), [&] { return buildCosts(*context.state()); })
               : nullptr;
  }

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
    if (std::string change = pane_.changeText(); !change.empty())
      text(Meaning::Quiet, " " + change);
    size_t hidden = 0;
    for (const IrGutter &gutter : view.gutters)
      hidden += gutter.hiddenBuffers;
    if (hidden)
      text(Meaning::Quiet, llvm::formatv(" {0} buffers have no bar", hidden));
    ImGui::NewLine();
  }

  struct Key {
    PassKey pass;
    bool hasFolds = false;

    friend bool operator==(const Key &, const Key &) = default;
  };
  CachedView<IrContent, Key> content_;
  CachedView<CostsView, PassKey> costs_;
  bool showsCosts_ = false;
  bool hasFolds_ = false;
  PassKey shown_{~uint64_t(0), 0};
  uint64_t version_ = 0;             // of the rows
  std::optional<bool> isSideBySide_; // nullopt: as the width allows
  bool wasSideBySide_ = false;
  TextPane pane_;
};

} // namespace

std::unique_ptr<Panel> makeIrPanel() { return std::make_unique<IrPanel>(); }

} // namespace tilescope
