// How a text pane wraps long lines.
#include "viewer/panels/widgets/text_pane.h"

#include <algorithm>

namespace tilescope {

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
