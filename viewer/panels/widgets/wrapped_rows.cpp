#include "viewer/panels/widgets/wrapped_rows.h"

#include <algorithm>

namespace tilescope {

void LineBreaks::update(const TextRows &rows, uint64_t version,
                        const std::vector<uint32_t> &widths) {
  if (brokenVersion_ == version && widths_ == widths)
    return;
  brokenVersion_ = version;
  widths_ = widths;
  ++changes_;
  rows_.clear();
  firstRows_.clear();
  for (size_t line = 0; line != rows.count(); ++line) {
    firstRows_.push_back(static_cast<uint32_t>(rows_.size()));
    size_t parts = 1;
    for (size_t column = 0; column != rows.columnCount(); ++column)
      if (std::optional<TextLine> text = rows.at(line, column))
        parts = std::max(parts, wrapLine(text->text, widths[column]).size());
    for (uint32_t part = 0; part != parts; ++part)
      rows_.push_back({static_cast<uint32_t>(line), part});
  }
  firstRows_.push_back(static_cast<uint32_t>(rows_.size()));
}

size_t LineBreaks::firstRowOf(size_t line) const {
  return firstRows_[std::min(line, firstRows_.size() - 1)];
}

std::optional<TextLine> WrappedRows::at(size_t row, size_t column) const {
  LineBreaks::Row shown = breaks_.rows()[row];
  std::optional<TextLine> line = rows_.at(shown.line, column);
  if (!line)
    return line;
  std::vector<WrappedPart> parts = wrapLine(line->text, widths_[column]);
  auto size = static_cast<uint32_t>(line->text.size());
  WrappedPart part = shown.part < parts.size() ? parts[shown.part] : WrappedPart{{size, size}, 0};
  line->part = part.span;
  line->indent = part.indent;
  line->isContinued = shown.part != 0;
  return line;
}

void WrappedMargin::draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
                         size_t last) const {
  for (size_t row = first; row < last;) {
    size_t line = breaks_.rows()[row].line, begin = breaks_.firstRowOf(line);
    TextStyle high = style;
    high.lineHeight = style.lineHeight * static_cast<float>(breaks_.rowCountOf(line));
    float above = static_cast<float>(row - first) - static_cast<float>(row - begin);
    margin_.draw(list, high, {topLeft.x, topLeft.y + above * style.lineHeight}, line, line + 1);
    row = breaks_.firstRowOf(line + 1);
  }
}

} // namespace tilescope
