// Where a text pane is scrolled to, and what its overview ruler shows.
#include "viewer/panels/widgets/text_pane.h"

#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

namespace tilescope {

namespace {

// The line of a row that counts: the last column is the state that is shown.
std::optional<TextLine> lineOf(const TextRows &rows, size_t row) {
  for (size_t column = rows.columnCount(); column-- != 0;)
    if (std::optional<TextLine> line = rows.at(row, column))
      return line;
  return std::nullopt;
}

} // namespace

std::optional<float> TextPane::wantedScroll(const Content &content, const TextStyle &style,
                                            const Selection &selection) {
  if (std::optional<float> requested = std::exchange(scrollRequest_, std::nullopt))
    return requested;
  std::optional<float> scroll;
  if (isNew_)
    scroll = scrollOfAnchors(content, style);
  if (scroll)
    geometry_.scroll.y = *scroll;
  bool isOther = !(selection.pinned == seenPin_);
  seenPin_ = selection.pinned;
  if (!isOther)
    return scroll;
  std::optional<float> toPinned = scrollToPinned(content, style);
  return toPinned ? toPinned : scroll;
}

// Keeps a statement where it was: the pinned one if it is visible, else one that is near the eye.
std::optional<float> TextPane::scrollOfAnchors(const Content &content,
                                               const TextStyle &style) const {
  bool hasPinned = llvm::any_of(anchors_, [](const Anchor &anchor) { return anchor.isPinned; });
  // The beginning of a text stays the beginning.
  if (anchors_.empty() || (geometry_.scroll.y == 0 && !hasPinned))
    return std::nullopt;
  std::unordered_map<StmtId, size_t> rowOfStmt;
  std::unordered_map<std::string, size_t> rowOfText;
  for (size_t row = 0; row != content.rows.count(); ++row) {
    std::optional<TextLine> line = lineOf(content.rows, row);
    if (line && line->stmt.isValid())
      rowOfStmt.try_emplace(line->stmt, row);
    else if (line && !line->text.empty())
      rowOfText.try_emplace(line->text.str(), row);
  }
  float eye = (geometry_.bottomRight.y - geometry_.topLeft.y) / 3;
  std::vector<Anchor> anchors = anchors_;
  llvm::stable_sort(anchors, [&](const Anchor &a, const Anchor &b) {
    if (a.isPinned != b.isPinned)
      return a.isPinned;
    return std::abs(a.y - eye) < std::abs(b.y - eye);
  });
  auto scrollTo = [&](size_t row, const Anchor &anchor) {
    return static_cast<float>(row) * style.lineHeight - anchor.y;
  };
  for (const Anchor &anchor : anchors) {
    if (auto found = rowOfStmt.find(anchor.stmt); found != rowOfStmt.end())
      return scrollTo(found->second, anchor);
    if (anchor.stmt.isValid())
      continue;
    // A text that stands several times stands first of all where it was.
    if (anchor.row < content.rows.count())
      if (std::optional<TextLine> line = lineOf(content.rows, anchor.row);
          line && line->text == anchor.text)
        return scrollTo(anchor.row, anchor);
    if (auto found = rowOfText.find(anchor.text); found != rowOfText.end())
      return scrollTo(found->second, anchor);
  }
  return std::nullopt;
}

// nullopt: it is visible, or nowhere.
std::optional<float> TextPane::scrollToPinned(const Content &content,
                                              const TextStyle &style) const {
  float height = geometry_.bottomRight.y - geometry_.topLeft.y;
  std::optional<size_t> at, near, named;
  for (size_t row = 0; row != content.rows.count(); ++row) {
    std::optional<TextLine> line = lineOf(content.rows, row);
    if (!line)
      continue;
    bool isAt = style.pinned.isAt(*line), isNear = style.pinned.isNear(*line);
    bool isNamed = style.pinned.names(*line) && !isComment(line->text);
    float y = static_cast<float>(row) * style.lineHeight - geometry_.scroll.y;
    bool isVisible = y >= 0 && y + style.lineHeight <= height;
    if (isVisible && (isAt || isNamed))
      return std::nullopt;
    if (isAt && !at)
      at = row;
    if (isNear && !near)
      near = row;
    if (isNamed && !named)
      named = row;
  }
  std::optional<size_t> row = at ? at : near ? near : named;
  if (!row)
    return std::nullopt;
  return static_cast<float>(*row) * style.lineHeight - height / 3;
}

void TextPane::keepAnchors(const Content &content, const TextStyle &style) {
  anchors_.clear();
  for (size_t row = geometry_.first; row != geometry_.last; ++row) {
    std::optional<TextLine> line = lineOf(content.rows, row);
    if (!line)
      continue;
    float y = geometry_.yOfRow(row, style.lineHeight) - geometry_.topLeft.y;
    anchors_.push_back({line->stmt, line->stmt.isValid() ? "" : line->text.str(), row, y,
                        style.pinned.isAt(*line)});
  }
}

void TextPane::findMarks(const Content &content, const TextStyle &style) {
  bool isChosenNew =
      !hasMarks_ || !(markedPinned_ == style.pinned) || !(markedHovered_ == style.hovered);
  if (!isChosenNew)
    return;
  markedPinned_ = style.pinned;
  markedHovered_ = style.hovered;
  chosen_.clear();
  if (!hasMarks_) {
    changes_.clear();
    hits_.clear();
  }
  static constexpr Meaning Kinds[] = {Meaning::Quiet, Meaning::Bad, Meaning::Good, Meaning::Notice};
  for (size_t row = 0; row != content.rows.count(); ++row)
    for (size_t column = content.rows.columnCount(); column-- != 0;) {
      std::optional<TextLine> line = content.rows.at(row, column);
      if (!line)
        continue;
      if (!hasMarks_ && line->kind != RowKind::Same)
        addMark(changes_, row, Kinds[static_cast<size_t>(line->kind)]);
      if (!hasMarks_ && style.query && style.query->count(line->text) != 0)
        addMark(hits_, row, Meaning::Notice);
      if (style.pinned.isAt(*line) || style.pinned.names(*line))
        addMark(chosen_, row, Meaning::Accent);
      else if (style.hovered.names(*line))
        addMark(chosen_, row, Meaning::Quiet);
    }
  hasMarks_ = true;
}

void TextPane::drawRuler(const TextStyle &style, const Content &content, ImVec2 topLeft,
                         ImVec2 size) {
  OverviewRuler ruler{style.theme, topLeft, size, content.rows.count()};
  float height = geometry_.bottomRight.y - geometry_.topLeft.y;
  ruler.firstRow = geometry_.scroll.y / style.lineHeight;
  ruler.lastRow = (geometry_.scroll.y + height) / style.lineHeight;
  ImDrawList &list = *ImGui::GetWindowDrawList();
  std::optional<float> row = ruler.drawFrame(list);
  ruler.drawMarks(list, changes_, 0, 3);
  ruler.drawMarks(list, hits_, 1, 3);
  ruler.drawMarks(list, chosen_, 2, 3);
  if (row)
    scrollRequest_ = *row * style.lineHeight - height / 2;
}

} // namespace tilescope
