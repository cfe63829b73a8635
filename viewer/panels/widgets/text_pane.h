// A scrolled text in one or two columns: line numbers, marks, what is selected, an overview ruler.
// Draws what is visible and reads the rows that are visible; pointing at a line or at a name of a
// buffer sets the selection.
#pragma once

#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/change_list.h"
#include "viewer/panels/widgets/overview_ruler.h"
#include "viewer/panels/widgets/wrapped_rows.h"
#include "viewer/panels/widgets/zoom_view.h"

#include <optional>

namespace tilescope {

class TextPane {
public:
  struct Content {
    const TextRows &rows;
    const std::vector<NamedBuffer> &buffers; // by id
    uint64_t version = 0;                    // changes with the rows
    const TextMargin *margin = nullptr;
    bool hasRuler = true;
    const char *place = "text";                                   // see Places
    size_t firstRow = 0;                                          // at the top at first
    llvm::StringRef (*meaningOf)(llvm::StringRef word) = nullptr; // for a tooltip; "": none
    bool isStep = false; // the rows are of another pass: what it changed is to be seen
  };
  // Into what is left of the current window. NextChange and PreviousChange go to a change.
  void draw(PanelContext &context, const Content &content);
  // "change 2 of 4"; "": there is none.
  std::string changeText() const { return changeList_.text(); }
  std::string shortChangeText() const { return changeList_.shortText(); }

private:
  // A line that is visible, to be found again in the text of another pass.
  struct Anchor {
    StmtId stmt;
    std::string text; // of a line without a statement
    size_t row = 0;
    float y = 0; // pixels below the top of the pane
    bool isPinned = false;
  };
  // Pixels. Line numbers, marks and the margin stay in place when the text scrolls aside.
  struct Geometry {
    ImVec2 topLeft, bottomRight; // of the visible part
    ImVec2 scroll;
    float columnWidth = 0;
    float markLeft = 0;         // from the left of a column
    float textLeft[2] = {};     // of each column
    size_t first = 0, last = 0; // visible rows

    float yOfRow(size_t row, float lineHeight) const {
      return topLeft.y - scroll.y + static_cast<float>(row) * lineHeight;
    }
  };
  struct RememberedPick {
    Pick pick;
    TextPick inText;
    uint64_t version = ~uint64_t(0);

    const TextPick &update(const Pick &now, const Content &content);
  };

  static float advanceOfFont(); // of a character, in pixels
  std::vector<uint32_t> charactersOf(const PanelContext &context, const Content &content);
  void drawContent(PanelContext &context, const Content &content); // whose rows are those drawn
  void readRows(const Content &content, const Selection &selection);
  void goToChange(const CommandSet &commands, const TextStyle &style);
  // The first change, where none is seen at this scroll position.
  std::optional<float> scrollToChange(const TextStyle &style, float scrollY);
  float scrollOfRow(size_t row, const TextStyle &style) const; // pixels, with what stands above it
  bool isInView(size_t row, const TextStyle &style, float scrollY) const;
  void findMarks(const Content &content, const TextStyle &style);
  void layOut(const Content &content, const TextStyle &style, float width);
  float contentWidth(const TextStyle &style, size_t columnCount, float width) const;
  std::optional<float> wantedScroll(const Content &content, const TextStyle &style,
                                    const Selection &selection);
  // So that what is searched for or pinned is not left beyond the edge. A step to another pass
  // begins at the beginnings of lines.
  std::optional<float> wantedScrollX(const Content &content, const TextStyle &style, float scrollY);
  std::vector<Stretch> wordsToShow(const Content &content, const TextStyle &style,
                                   float scrollY) const;
  std::optional<float> scrollOfAnchors(const Content &content, const TextStyle &style) const;
  std::optional<float> scrollToPinned(const Content &content, const TextStyle &style) const;
  // Over the text, while one version of a buffer is pinned: how many lines use it. The command goes
  // to the next.
  void drawVersionUses(PanelContext &context, const Content &content, const TextStyle &style);
  void findVersionUses(const Content &content, const TextStyle &style);
  void point(PanelContext &context, const Content &content, const TextStyle &style);
  void drawRows(const Content &content, const TextStyle &style) const;
  void drawCell(const TextStyle &style, const TextLine &line, size_t row, size_t column) const;
  void noteChange(PanelContext &context, const Content &content, const TextStyle &style) const;
  void drawNothing(const TextStyle &style, size_t row, size_t column) const;
  void drawRuler(const TextStyle &style, const Content &content, ImVec2 topLeft, ImVec2 size);
  // The lines of what is pinned; nullopt: there are none here.
  std::optional<std::string> pinnedText(const Content &content, const TextStyle &style) const;
  void keepAnchors(const Content &content, const TextStyle &style);

  Geometry geometry_;
  LineBreaks breaks_; // where lines are wrapped
  bool isWrapped_ = false;
  std::optional<uint64_t> version_; // of the rows that were read
  size_t widest_ = 0;               // bytes of the longest line
  uint32_t greatestNumber_ = 0;
  bool isNew_ = false;           // the rows are those of another pass than in the frame before
  bool isFirst_ = false;         // there were none before
  bool isQueryNew_ = false;      // another text is searched for than in the frame before
  bool isPinNew_ = false;        // something else is pinned than in the frame before, elsewhere
  bool isScrolledAside_ = false; // not by the user
  std::vector<Anchor> anchors_;
  RememberedPick pinned_, hovered_;
  Pick seenPin_; // the text was scrolled to it, or it was made here
  std::optional<float> scrollRequest_;
  bool wantsLineBeginnings_ = false;
  std::string queryText_;
  std::optional<TextQuery> query_;
  std::vector<RulerMark> changes_, hits_, chosen_;
  ChangeList changeList_;
  bool hasMarks_ = false;
  TextPick markedPinned_, markedHovered_;
  struct VersionUses {
    TextPick pick; // of which these are
    uint64_t version = ~uint64_t(0);
    std::vector<size_t> rows; // that use it, or may
    std::string words;
    size_t next = 0; // of `rows`
  };
  VersionUses uses_;
};

} // namespace tilescope
