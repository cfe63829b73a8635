// How a text pane wraps long lines, what it shows of changes, and what of it is copied.
#include "viewer/panels/widgets/text_pane.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

std::optional<float> TextPane::scrollToChange(const TextStyle &style, float scrollY) {
  bool isKept = llvm::any_of(anchors_, [](const Anchor &anchor) { return anchor.isPinned; });
  auto firstWhole = static_cast<size_t>(std::ceil(scrollY / style.lineHeight));
  auto isSeen = [&](size_t begin, size_t end) {
    size_t row = std::max(begin, firstWhole);
    return row < end && isInView(row, style, scrollY);
  };
  if (changeList_.showSeen(isSeen) || changeList_.isEmpty() || isKept)
    return std::nullopt;
  return scrollOfRow(changeList_.firstRow(), style);
}

// From what is seen: one that was scrolled out is the next again.
void TextPane::goToChange(const CommandSet &commands, const TextStyle &style) {
  int step = commands.has(Command::NextChange) - commands.has(Command::PreviousChange);
  if (step == 0 || changeList_.isEmpty())
    return;
  if (isInView(changeList_.row(), style, geometry_.scroll.y))
    changeList_.step(step);
  scrollRequest_ = scrollOfRow(changeList_.row(), style);
  wantsLineBeginnings_ = true;
}

std::optional<std::string> TextPane::pinnedText(const Content &content,
                                                const TextStyle &style) const {
  std::optional<std::string> text;
  for (size_t row = 0; row != content.rows.count(); ++row)
    if (std::optional<TextLine> line = lineOf(content.rows, row);
        line && !line->isContinued && style.pinned.isAt(*line))
      text = (text ? *text : "") + line->text.str() + "\n";
  return text;
}

// The first row of the change that is shown that is seen.
void TextPane::noteChange(PanelContext &context, const Content &content,
                          const TextStyle &style) const {
  if (changeList_.isEmpty())
    return;
  size_t row = changeList_.row();
  while (row != changeList_.endRow() && !isInView(row, style, geometry_.scroll.y))
    ++row;
  if (row == changeList_.endRow())
    return;
  float top = geometry_.yOfRow(row, style.lineHeight);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {geometry_.topLeft.x, top},
      {geometry_.topLeft.x + 3 * style.theme.scale, top + style.lineHeight},
      style.theme.color(Meaning::Notice));
  context.places.note(std::string(content.place) + " change",
                      ImVec4(geometry_.topLeft.x - geometry_.scroll.x, top, geometry_.bottomRight.x,
                             top + style.lineHeight));
}

// CalcTextSize rounds up, which adds up over a line.
float TextPane::advanceOfFont() {
  const ImFont *font = ImGui::GetFont();
  return font->GetCharAdvance('0') * ImGui::GetFontSize() / font->FontSize;
}

void TextPane::draw(PanelContext &context, const Content &content) {
  isWrapped_ = context.wrapsTexts;
  if (!isWrapped_)
    return drawContent(context, content);
  std::vector<uint32_t> widths = charactersOf(context, content);
  breaks_.update(content.rows, content.version, widths);
  WrappedRows rows(content.rows, breaks_, std::move(widths));
  std::optional<WrappedMargin> margin;
  if (content.margin)
    margin.emplace(*content.margin, breaks_);
  drawContent(context, {.rows = rows,
                        .buffers = content.buffers,
                        .version = breaks_.version(),
                        .margin = margin ? &*margin : nullptr,
                        .hasRuler = content.hasRuler,
                        .place = content.place,
                        .firstRow = breaks_.firstRowOf(content.firstRow),
                        .meaningOf = content.meaningOf,
                        .isStep = content.isStep});
}

// How many characters stand in a row of each column, beside a scroll bar.
std::vector<uint32_t> TextPane::charactersOf(const PanelContext &context, const Content &content) {
  float advance = advanceOfFont();
  float width = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize -
                (content.hasRuler ? OverviewRuler::width(context.theme) : 0);
  TextStyle style{.theme = context.theme,
                  .buffers = content.buffers,
                  .pinned = pinned_.inText,
                  .hovered = hovered_.inText,
                  .charWidth = advance,
                  .paneWidth = width};
  greatestNumber_ = static_cast<uint32_t>(content.rows.count());
  layOut(content, style, width);
  std::vector<uint32_t> characters;
  for (size_t column = 0; column != content.rows.columnCount(); ++column) {
    float room = geometry_.columnWidth - geometry_.textLeft[column];
    characters.push_back(static_cast<uint32_t>(std::max(room / advance - 1, 1.0F)));
  }
  return characters;
}

} // namespace tilescope
