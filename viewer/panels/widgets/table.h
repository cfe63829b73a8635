// A table of rows that can be hovered and clicked: what the panels of lists have in common.
//
//   Table table("passes", columns, theme);
//   if (table.isVisible())
//     table.forVisibleRows(names.size(), [&](size_t i) {
//       if (table.row(i, {}).isClicked) ...
//       table.cell(names[i]);
//     });
#pragma once

#include "core/support/number_text.h"
#include "viewer/panels/theme.h"
#include "viewer/panels/widgets/cut_texts.h"
#include "viewer/panels/widgets/marks.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilescope {

struct TableColumn {
  const char *title;
  // Width in digits, of all that stands there; 0: an equal part of what is left, where longer text
  // is cut.
  float digits = 0;
  bool isNumber = false; // to the right
  // Where there is no room columns are left out, the highest rank first; 0: never.
  int dropRank = 0;
  const char *hint = nullptr; // what the heading means, while it is hovered; nullptr: it says it
};

struct TableRow {
  bool isPinned = false;     // drawn as such
  bool isEmphasised = false; // what is hovered elsewhere
};

class Table {
public:
  // In what is left of the window; `height` 0: all of it, with its own scroll bar.
  // `leastDigits` is the room that columns of no fixed width need, each.
  Table(const char *id, llvm::ArrayRef<TableColumn> columns, const Theme &theme, float height = 0,
        float leastDigits = 12);
  // As high as its rows: for tables among other things.
  static constexpr float AsHighAsRows = -1;
  ~Table();
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;

  // Nothing may be drawn if not.
  bool isVisible() const { return isVisible_; }

  // "KiB, lines": the titles of columns that found no room; the heading tells them.
  std::string leftOut() const;

  // To be called before the rows: each is as high as its texts need. In a table of many rows, which
  // are all of one height, they are cut as elsewhere. Not together with `reveal`.
  void wrapTexts() { wraps_ = true; }

  // Calls `draw` for the rows that are on screen.
  void forVisibleRows(size_t count, llvm::function_ref<void(size_t)> draw);
  // Scrolls so that the row is on screen; does nothing where it is.
  void reveal(size_t row);

  struct Pointer {
    bool isHovered = false;
    bool isClicked = false;
  };
  // Begins a row; its cells follow from the first column on.
  Pointer row(size_t id, TableRow row);
  // The next cell; nothing is drawn into a column that was left out. Text that does not fit shows
  // in full as a tooltip.
  void cell(llvm::StringRef text, ImU32 color);
  void cell(llvm::StringRef text) { cell(text, theme_.color(Meaning::Text)); }
  // The next cell, to be drawn by the caller if true.
  bool nextCell();

private:
  void chooseColumns(float leastDigits);
  void drawHeadings();
  static float rowHeight();
  void endRow();
  void wrappedCell(llvm::StringRef text, ImU32 color);

  llvm::ArrayRef<TableColumn> columns_;
  const Theme &theme_;
  llvm::SmallVector<bool, 8> isShown_; // by column
  bool isVisible_ = false;
  bool wraps_ = false;
  ImGuiID rowId_ = 0; // where the height of the current row is kept; 0: none
  int rowLines_ = 1;
  size_t next_ = 0; // the next column
  int shown_ = -1;  // the current one, of those that are shown
};

// A heading between tables.
void drawHeading(const Theme &theme, llvm::StringRef text);

// One line of text in a colour; what does not fit `width` pixels gives way to an ellipsis. True if
// it did not fit.
bool drawClipped(llvm::StringRef text, ImU32 color, float width, TextKind kind = TextKind::Label);

// With a border, so that it is seen when it is off.
bool drawCheckbox(const char *label, bool &isOn);
// Of a checkbox or a radio button: the next one stands beside the last where it has room.
void stayInLine(const char *label);

// While it is hovered: text of several lines, wrapped.
void showTooltip(llvm::StringRef text);

} // namespace tilescope
