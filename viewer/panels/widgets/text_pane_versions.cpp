// What a text pane says of the version of a buffer that is pinned.
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/text_pane.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

// Lines that use a version, by what they do with it.
struct UseCounts {
  size_t reads = 0;
  size_t writes = 0;
  size_t others = 0; // it is not known

  void count(const TextLine &line, const TextPick &pick) {
    bool isRead = false, isWritten = false;
    for (const BufferSpan &span : line.names)
      if (pick.names(span)) {
        isRead |= span.isRead;
        isWritten |= span.isWritten;
      }
    reads += isRead;
    writes += isWritten;
    others += !isRead && !isWritten;
  }
  // "read by 1 line, written by 2"; "": by none.
  std::string words() const {
    std::string text;
    auto add = [&](llvm::StringRef verb, size_t count) {
      if (count == 0)
        return;
      llvm::StringRef noun = !text.empty() ? "" : count == 1 ? " line" : " lines";
      text += llvm::formatv("{0}{1} by {2}{3}", text.empty() ? "" : ", ", verb, count, noun).str();
    };
    add("read", reads);
    add("written", writes);
    add("used", others);
    return text;
  }
};

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
  UseCounts sure, computed;
  std::set<int64_t> versions{style.pinned.version()};
  for (size_t row = 0; row != content.rows.count(); ++row) {
    std::optional<TextLine> line = content.rows.at(row, content.rows.columnCount() - 1);
    if (!line || line->isContinued)
      continue;
    for (const BufferSpan &span : line->names)
      if (span.version && style.pinned.isOfBuffer(span))
        versions.insert(*span.version);
    TextPick::Use use = style.pinned.useIn(*line);
    if (use == TextPick::Use::No)
      continue;
    uses_.rows.push_back(row);
    (use == TextPick::Use::Yes ? sure : computed).count(*line, style.pinned);
  }
  if (uses_.rows.empty())
    return;
  std::string one = sure.words(), any = computed.words();
  uses_.words = llvm::formatv("version {0}: {1}", style.pinned.version(),
                              one.empty() ? "used by no line" : one)
                    .str();
  if (!any.empty())
    uses_.words += llvm::formatv("; computed, one of {0}: {1}", numbersText(versions), any).str();
}

void TextPane::drawVersionUses(PanelContext &context, const Content &content,
                               const TextStyle &style) {
  findVersionUses(content, style);
  if (uses_.words.empty())
    return;
  drawLines(linesOfHeadline(uses_.words + "; v: the next", style.paneWidth),
            style.theme.color(Meaning::Accent));
  context.places.note(std::string(content.place) + " versions");
  if (ImGui::IsItemHovered())
    showTooltip(uses_.words + ". Computed: the slot depends on the iteration. A click or v goes to "
                              "the next.");
  if (!ImGui::IsItemClicked() && !context.commands.has(Command::NextVersionUse))
    return;
  size_t row = uses_.rows[uses_.next++ % uses_.rows.size()];
  float height = geometry_.bottomRight.y - geometry_.topLeft.y;
  scrollRequest_ = std::max(0.0F, static_cast<float>(row) * style.lineHeight - height / 3);
}

} // namespace tilescope
