// Two texts side by side or as one, for a pane; lines that did not change may stand as one.
#pragma once

#include "core/views/ir_model.h"
#include "viewer/panels/widgets/text_pane.h"

namespace tilescope {

// Rows of an alignment that stand as one, because nothing changed in them; or a single row.
struct FoldedRow {
  size_t first = 0; // of the alignment
  size_t count = 1;
  std::string text; // of a fold
};

// Some lines around each change stay; fewer lines than a few are no fold.
std::vector<FoldedRow> foldRows(const std::vector<AlignedRow> &rows, bool hasFolds);

// All that it is given outlives it.
class AlignedRows : public TextRows {
public:
  AlignedRows(const std::vector<IrLine> &before, const std::vector<IrLine> &after,
              const std::vector<AlignedRow> &rows, const std::vector<FoldedRow> &shown,
              bool isSideBySide, CodeLanguage language)
      : before_(before), after_(after), rows_(rows), shown_(shown), isSideBySide_(isSideBySide),
        language_(language) {}

  size_t count() const override { return shown_.size(); }
  size_t columnCount() const override { return isSideBySide_ ? 2 : 1; }
  std::optional<TextLine> at(size_t row, size_t column) const override;

private:
  const std::vector<IrLine> &before_;
  const std::vector<IrLine> &after_;
  const std::vector<AlignedRow> &rows_;
  const std::vector<FoldedRow> &shown_;
  bool isSideBySide_;
  CodeLanguage language_;
};

} // namespace tilescope
