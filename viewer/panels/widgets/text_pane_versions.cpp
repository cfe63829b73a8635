// What a text pane says of the version of a buffer that is pinned.
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/text_pane.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

std::string lineCount(size_t count) {
  return std::to_string(count) + (count == 1 ? " line" : " lines");
}

// "0, 1"
std::string numbersText(const std::set<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

} // namespace

void TextPane::findVersionUses(const Content &content, const TextStyle &style) {
  if (uses_.version == content.version && uses_.pick == style.pinned)
    return;
  uses_ = {style.pinned, content.version, {}, "", 0};
  if (!style.pinned.hasVersion())
    return;
  size_t sure = 0;
  std::set<int64_t> versions{style.pinned.version()};
  for (size_t row = 0; row != content.rows.count(); ++row) {
    std::optional<TextLine> line = content.rows.at(row, content.rows.columnCount() - 1);
    if (!line)
      continue;
    for (const BufferSpan &span : line->names)
      if (span.version && style.pinned.isOfBuffer(span))
        versions.insert(*span.version);
    TextPick::Use use = style.pinned.useIn(*line);
    if (use == TextPick::Use::No)
      continue;
    uses_.rows.push_back(row);
    sure += use == TextPick::Use::Yes;
  }
  if (uses_.rows.empty())
    return;
  uses_.words =
      llvm::formatv("version {0}: used by {1}", style.pinned.version(), lineCount(sure)).str();
  if (size_t computed = uses_.rows.size() - sure)
    uses_.words += llvm::formatv(", and by {0} whose version is computed, one of {1}",
                                 lineCount(computed), numbersText(versions))
                       .str();
}

void TextPane::drawVersionUses(PanelContext &context, const Content &content,
                               const TextStyle &style) {
  findVersionUses(content, style);
  if (uses_.words.empty())
    return;
  drawClipped(uses_.words + "; v: the next", style.theme.color(Meaning::Accent), style.paneWidth);
  if (ImGui::IsItemHovered())
    showTooltip(uses_.words + ". A click or v goes to the next.");
  if (!ImGui::IsItemClicked() && !context.commands.has(Command::NextVersionUse))
    return;
  size_t row = uses_.rows[uses_.next++ % uses_.rows.size()];
  float height = geometry_.bottomRight.y - geometry_.topLeft.y;
  scrollRequest_ = std::max(0.0F, static_cast<float>(row) * style.lineHeight - height / 3);
}

} // namespace tilescope
