#include "viewer/panels/widgets/compared_pane.h"

#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// In fewer characters two columns of code are of no use.
constexpr float SideBySideColumns = 90;

} // namespace

void drawNoOther(const PanelContext &context) {
  const std::string &comparing = context.document.comparing;
  if (comparing.empty())
    return drawEmpty(context, "Nothing is compared with this trace.",
                     "Open a second trace: Compare with ... in the File menu (Ctrl+Shift+O).");
  drawEmpty(context, "Compiling " + comparing + " ...",
            "It is compared with this trace when that ends.");
}

void ComparedPane::draw(PanelContext &context) {
  bool isWide = ImGui::GetContentRegionAvail().x > SideBySideColumns * ImGui::CalcTextSize("0").x;
  Key key{PassKey::of(context), isWide, hasFolds_ != context.commands.has(Command::ToggleFolds)};
  hasFolds_ = key.hasFolds;
  const Content &content = content_.get(key, [&] {
    Content made;
    const Document &document = context.document;
    made.text = build_(*document.trace, *document.other, context.selection);
    made.shown = foldRows(made.text.rows, hasFolds_);
    return made;
  });
  if (!content.text.missing.empty())
    return drawEmpty(context, content.text.missing, "");
  bool isStep = key.pass.pass != shown_.pass.pass;
  if (!(key == shown_)) {
    shown_ = key;
    ++version_;
  }
  drawCounts(context, content.text);
  AlignedRows rows(content.text.before, content.text.after, content.text.rows, content.shown,
                   isWide, language_);
  pane_.draw(context, {.rows = rows,
                       .buffers = content.text.buffers,
                       .version = version_,
                       .place = place_,
                       .isStep = isStep});
}

void ComparedPane::drawCounts(const PanelContext &context, const ComparedText &text) const {
  const ChangeCounts &counts = text.counts;
  std::string words = text.placeAfter == text.placeBefore
                          ? text.placeAfter
                          : text.placeBefore + " -> " + text.placeAfter;
  words +=
      counts.isEmpty()
          ? ": the same text"
          : llvm::formatv(": +{0} -{1} ~{2}", counts.added, counts.removed, counts.modified).str();
  if (std::string change = pane_.changeText(); !change.empty())
    words += "  " + change;
  drawWrapped(words, context.theme.color(Meaning::Quiet));
  context.places.note(std::string(place_) + words.substr(words.rfind(": ")));
}

} // namespace tilescope
