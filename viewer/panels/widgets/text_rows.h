// What a text pane reads: its rows, and what stands beside them.
#pragma once

#include "viewer/panels/widgets/text_line.h"

#include <optional>

namespace tilescope {

// What a pane draws. It is read where it is visible, and once as a whole when it changes.
class TextRows {
public:
  virtual ~TextRows() = default;
  virtual size_t count() const = 0;
  virtual size_t columnCount() const { return 1; }
  // nullopt: the column has nothing in this row.
  virtual std::optional<TextLine> at(size_t row, size_t column) const = 0;
};

// The line of a row that counts: the last column is the state that is shown.
std::optional<TextLine> lineOf(const TextRows &rows, size_t row);

// Something between line numbers and the text of the last column.
class TextMargin {
public:
  virtual ~TextMargin() = default;
  virtual float width(const TextStyle &style) const = 0;
  // Rows [first, last) are visible; row `first` begins at topLeft.
  virtual void draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
                    size_t last) const = 0;
  // What is there, x pixels from its left.
  virtual Pick pickAt(const TextStyle &style, size_t row, float x) const = 0;
};

} // namespace tilescope
