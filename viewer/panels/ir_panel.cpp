// Panel `ir`: the IR before and after a pass, side by side or as one text, and which shared buffers
// are live beside it.
#include "core/views/ir_model.h"
#include "core/views/ir_words.h"
#include "viewer/panels/facet_view.h"
#include "viewer/panels/widgets/aligned_rows.h"
#include "viewer/panels/widgets/costs_margin.h"
#include "viewer/panels/widgets/heading_line.h"
#include "viewer/panels/widgets/liveness_margin.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Below this many characters side by side is not what one wants.
constexpr float SideBySideChars = 150;

struct IrContent {
  std::vector<FoldedRow> shown;
  std::vector<uint32_t> rowOfLine; // of the lines after, in `shown`
  std::vector<uint32_t> lineOfRow; // of `shown`: the last at or above
  size_t added = 0, removed = 0, modified = 0;
};

IrContent buildContent(const IrView &view, bool hasFolds) {
  IrContent content;
  content.shown = foldRows(view.rows, hasFolds && !view.passBefore.empty());
  uint32_t line = 0;
  for (const FoldedRow &shown : content.shown) {
    for (size_t row = shown.first; row != shown.first + shown.count; ++row)
      if (view.rows[row].after >= 0) {
        line = static_cast<uint32_t>(view.rows[row].after);
        content.rowOfLine.push_back(static_cast<uint32_t>(content.lineOfRow.size()));
      }
    content.lineOfRow.push_back(line);
  }
  for (const AlignedRow &row : view.rows) {
    content.added += row.kind == RowKind::Added;
    content.removed += row.kind == RowKind::Removed;
    content.modified += row.kind == RowKind::Modified;
  }
  return content;
}

// All is said of the facets.
void leaveNames(std::shared_ptr<IrNames> & /*names*/, const PassState & /*state*/) {}

class IrPanel : public Panel {
public:
  void visitToggles(VisitToggle visit) override {
    visit("folds", hasFolds_), visit("costs", showsCosts_);
  }

  bool isReady(uint64_t revision, const TraceSnapshot &facets) const override {
    return names_.isReady(revision, facets);
  }

  void draw(PanelContext &context) override {
    PassKey key = PassKey::of(context);
    bool isStep = key.pass != shown_.pass;
    const std::shared_ptr<IrNames> &names = names_.get(context, irNamesOf, leaveNames);
    if (!(key == shown_)) {
      shown_ = key;
      view_ = &views_.show(*context.state(), *names);
      ++version_;
    }
    if (context.commands.has(Command::ToggleFolds)) {
      hasFolds_ = !hasFolds_;
      ++version_;
    }
    const IrView &view = *view_;
    const IrContent &content =
        content_.get({key, hasFolds_}, [&] { return buildContent(view, hasFolds_); });
    if (view.lines.empty()) {
      drawEmpty(
          context, "There is no IR after this pass.",
          "The compile stopped before the kernel was evaluated; an earlier pass may have some.");
      return;
    }
    bool hasBefore = !view.passBefore.empty();
    if (context.commands.has(Command::ToggleSideBySide)) {
      isSideBySide_ = !isSideBySide(context);
      ++version_;
    }
    drawHeading(context, view, content);
    bool sideBySide = hasBefore && isSideBySide(context);
    if (sideBySide != wasSideBySide_)
      ++version_;
    wasSideBySide_ = sideBySide;
    AlignedRows rows(view.before, view.lines, view.rows, content.shown, sideBySide,
                     CodeLanguage::Python);
    LivenessMargin margin(view, content.rowOfLine, content.lineOfRow);
    const CostsView *costs = costsOf(context);
    CostsMargin withCosts(
        [&](size_t row) {
          const FoldedRow &shown = content.shown[row];
          int32_t line = shown.count > 1 ? -1 : view.rows[shown.first].after;
          return line < 0 ? nullptr : costOfLine(*costs, static_cast<uint32_t>(line) + 1);
        },
        &margin);
    if (costs)
      drawWrapped(CostsMargin::Meanings, context.theme.color(Meaning::Quiet));
    pane_.draw(context, {.rows = rows,
                         .buffers = *view.buffers,
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

  void drawHeading(const PanelContext &context, const IrView &view,
                   const IrContent &content) const {
    std::vector<HeadingPart> parts;
    if (!view.passBefore.empty())
      parts.push_back({Meaning::Quiet, view.passBefore + " \u2192", 2});
    parts.push_back({Meaning::Text, view.pass});
    if (!view.passBefore.empty() && content.added + content.removed + content.modified == 0)
      parts.push_back({Meaning::Quiet, " no line changed"});
    if (content.added)
      parts.push_back({Meaning::Good, llvm::formatv(" +{0}", content.added)});
    if (content.removed)
      parts.push_back({Meaning::Bad, llvm::formatv(" -{0}", content.removed)});
    if (content.modified)
      parts.push_back({Meaning::Notice, llvm::formatv(" ~{0}", content.modified)});
    if (std::string change = pane_.changeText(); !change.empty())
      parts.push_back({Meaning::Quiet, " " + change, 1, " " + pane_.shortChangeText()});
    size_t hidden = 0;
    for (const IrGutter &gutter : view.gutters)
      hidden += gutter.hiddenBuffers;
    if (hidden)
      parts.push_back({Meaning::Quiet, llvm::formatv(" {0} buffers have no bar", hidden), 3});
    drawHeadingLine(context.theme, std::move(parts));
  }

  struct Key {
    PassKey pass;
    bool hasFolds = false;

    friend bool operator==(const Key &, const Key &) = default;
  };
  FacetView<std::shared_ptr<IrNames>> names_;
  IrViews views_;
  const IrView *view_ = nullptr; // of `shown_`
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
