// A text whose long lines take several rows, for a pane that does not scroll sideways.
#pragma once

#include "core/views/line_wrap.h"
#include "viewer/panels/widgets/text_rows.h"

namespace tilescope {

// Where the lines of a text are broken.
class LineBreaks {
public:
  // `widths` are those of the columns, in characters. The same again changes nothing.
  void update(const TextRows &rows, uint64_t version, const std::vector<uint32_t> &widths);
  // Changes with what is broken where; none of a text that is not wrapped.
  uint64_t version() const { return (uint64_t(1) << 63) + changes_; }

  struct Row {
    uint32_t line = 0; // a row of the text
    uint32_t part = 0; // of it
  };
  const std::vector<Row> &rows() const { return rows_; }
  bool isAnyBroken() const { return !rows_.empty() && rows_.size() + 1 > firstRows_.size(); }
  size_t firstRowOf(size_t line) const;
  size_t rowCountOf(size_t line) const { return firstRowOf(line + 1) - firstRowOf(line); }

private:
  std::vector<Row> rows_;
  std::vector<uint32_t> firstRows_; // by line, and the end
  std::vector<uint32_t> widths_;
  std::optional<uint64_t> brokenVersion_;
  uint64_t changes_ = 0;
};

// All that it is given outlives it.
class WrappedRows : public TextRows {
public:
  WrappedRows(const TextRows &rows, const LineBreaks &breaks, std::vector<uint32_t> widths)
      : rows_(rows), breaks_(breaks), widths_(std::move(widths)) {}

  size_t count() const override { return breaks_.rows().size(); }
  size_t columnCount() const override { return rows_.columnCount(); }
  std::optional<TextLine> at(size_t row, size_t column) const override;

private:
  const TextRows &rows_;
  const LineBreaks &breaks_;
  std::vector<uint32_t> widths_;
};

// What stands beside a line is as high as its rows.
class WrappedMargin : public TextMargin {
public:
  WrappedMargin(const TextMargin &margin, const LineBreaks &breaks)
      : margin_(margin), breaks_(breaks) {}

  float width(const TextStyle &style) const override { return margin_.width(style); }
  void draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
            size_t last) const override;
  Pick pickAt(const TextStyle &style, size_t row, float x) const override {
    return margin_.pickAt(style, breaks_.rows()[row].line, x);
  }

private:
  const TextMargin &margin_;
  const LineBreaks &breaks_;
};

} // namespace tilescope
