// Where a text pane is scrolled to, and what its overview ruler shows.
#include "viewer/panels/widgets/text_pane.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <unordered_map>

namespace tilescope {

std::optional<TextLine> lineOf(const TextRows &rows, size_t row) {
  for (size_t column = rows.columnCount(); column-- != 0;)
    if (std::optional<TextLine> line = rows.at(row, column))
      return line;
  return std::nullopt;
}

std::optional<float> TextPane::wantedScroll(const Content &content, const TextStyle &style,
                                            const Selection &selection) {
  isPinNew_ = false;
  if (std::optional<float> requested = std::exchange(scrollRequest_, std::nullopt))
    return requested;
  std::optional<float> scroll;
  if (isNew_)
    scroll = scrollOfAnchors(content, style);
  if (scroll)
    geometry_.scroll.y = *scroll;
  if (isFirst_ && !scroll)
    scroll = static_cast<float>(content.firstRow) * style.lineHeight;
  else if (isNew_ && content.isStep)
    if (std::optional<float> toChange = scrollToChange(style, scroll.value_or(geometry_.scroll.y)))
      scroll = geometry_.scroll.y = *toChange;
  isPinNew_ = !(selection.pinned == seenPin_);
  seenPin_ = selection.pinned;
  if (!isPinNew_)
    return scroll;
  std::optional<float> toPinned = scrollToPinned(content, style);
  return toPinned ? toPinned : scroll;
}

// Pixels from the beginning of the text, of what is searched for and of the pinned buffer where
// those are new. In the rows that are visible at `scrollY`.
std::vector<Stretch> TextPane::wordsToShow(const Content &content, const TextStyle &style,
                                           float scrollY) const {
  std::vector<Stretch> chosen;
  float height = geometry_.bottomRight.y - geometry_.topLeft.y;
  auto first = static_cast<size_t>(std::ceil(scrollY / style.lineHeight));
  auto last =
      std::min(content.rows.count(), first + static_cast<size_t>(height / style.lineHeight));
  for (size_t row = first; row < last; ++row) {
    std::optional<TextLine> line = lineOf(content.rows, row);
    if (!line)
      continue;
    auto add = [&](std::vector<Stretch> &words, TextSpan span) {
      words.push_back({xOfByte(style, *line, span.begin), xOfByte(style, *line, span.end)});
    };
    bool isPinned = isPinNew_ && style.pinned.isAt(*line);
    if (style.query && (isQueryNew_ || isPinned))
      for (TextSpan span : style.query->find(line->text))
        add(chosen, span);
    if (isPinNew_)
      for (const BufferSpan &name : line->names)
        if (style.pinned.names(name))
          add(chosen, {name.begin, name.end});
  }
  return chosen;
}

std::optional<float> TextPane::wantedScrollX(const Content &content, const TextStyle &style,
                                             float scrollY) {
  if (isWrapped_)
    return std::nullopt;
  if (!isNew_ && !isQueryNew_ && !isPinNew_)
    return std::exchange(wantsLineBeginnings_, false) ? std::optional(0.0F) : std::nullopt;
  size_t column = content.rows.columnCount() - 1;
  double width = geometry_.columnWidth - geometry_.textLeft[column];
  std::vector<Stretch> words = wordsToShow(content, style, scrollY);
  auto showsOne = [&](double scroll) {
    return words.empty() || llvm::any_of(words, [&](const Stretch &word) {
             return word.begin >= scroll &&
                    std::min(word.end, word.begin + width) <= scroll + width;
           });
  };
  if (!isScrolledAside_ && !isNew_ && showsOne(geometry_.scroll.x))
    return std::nullopt;
  isScrolledAside_ = !showsOne(0);
  return isScrolledAside_ ? static_cast<float>(std::max(0.0, words.front().begin - width / 3)) : 0;
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
    return std::max(0.0F, static_cast<float>(row) * style.lineHeight - anchor.y);
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
  // How well a row answers to what is pinned; of the best, one that is visible, else the first.
  enum Rank : uint8_t { None, Named, Near, At, Statement };
  auto rankOf = [&](const TextLine &line) {
    return style.pinned.isOfStatement(line)                    ? Statement
           : style.pinned.isAt(line)                           ? At
           : style.pinned.isNear(line)                         ? Near
           : style.pinned.names(line) && !isComment(line.text) ? Named
                                                               : None;
  };
  Rank best = None;
  size_t bestRow = 0;
  bool isVisible = false;
  for (size_t row = 0; row != content.rows.count(); ++row) {
    std::optional<TextLine> line = lineOf(content.rows, row);
    Rank rank = line ? rankOf(*line) : None;
    if (rank == None || rank < best)
      continue;
    if (rank > best) {
      best = rank;
      bestRow = row;
      isVisible = false;
    }
    isVisible |= isInView(row, style, geometry_.scroll.y);
  }
  if (best == None || isVisible)
    return std::nullopt;
  return scrollOfRow(bestRow, style);
}

float TextPane::scrollOfRow(size_t row, const TextStyle &style) const {
  float height = geometry_.bottomRight.y - geometry_.topLeft.y;
  return std::max(0.0F, static_cast<float>(row) * style.lineHeight - height / 3);
}

bool TextPane::isInView(size_t row, const TextStyle &style, float scrollY) const {
  float y = static_cast<float>(row) * style.lineHeight - scrollY;
  return y >= 0 && y + style.lineHeight <= geometry_.bottomRight.y - geometry_.topLeft.y;
}

void TextPane::keepAnchors(const Content &content, const TextStyle &style) {
  anchors_.clear();
  for (size_t row = geometry_.first; row != geometry_.last; ++row) {
    std::optional<TextLine> line = lineOf(content.rows, row);
    if (!line || line->isContinued)
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
