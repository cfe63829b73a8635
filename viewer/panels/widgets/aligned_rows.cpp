#include "viewer/panels/widgets/aligned_rows.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

TextLine foldLine(const FoldedRow &row) {
  TextLine line;
  line.text = row.text;
  return line;
}

} // namespace

std::vector<FoldedRow> foldRows(const std::vector<AlignedRow> &rows, bool hasFolds) {
  constexpr size_t Around = 3, LeastFolded = 4;
  std::vector<bool> stays(rows.size(), !hasFolds);
  for (size_t row = 0; row != rows.size(); ++row)
    if (rows[row].isChange())
      for (size_t near = row < Around ? 0 : row - Around;
           near != std::min(row + Around + 1, rows.size()); ++near)
        stays[near] = true;
  std::vector<FoldedRow> shown;
  for (size_t row = 0, end = 0; row != rows.size(); row = end) {
    end = row;
    while (end != rows.size() && !stays[end])
      ++end;
    if (end - row >= LeastFolded) {
      shown.push_back({row, end - row,
                       llvm::formatv("... {0} lines that did not change; z shows "
                                     "them",
                                     end - row)});
      continue;
    }
    end = std::max(end, row + 1);
    for (size_t single = row; single != end; ++single)
      shown.push_back({single});
  }
  return shown;
}

std::optional<TextLine> AlignedRows::at(size_t row, size_t column) const {
  if (shown_[row].count > 1)
    return foldLine(shown_[row]);
  const AlignedRow &aligned = rows_[shown_[row].first];
  bool isBefore = isSideBySide_ ? column == 0 : aligned.after < 0;
  int32_t index = isBefore ? aligned.before : aligned.after;
  if (index < 0)
    return std::nullopt;
  const IrLine &line = isBefore ? before_[index] : after_[index];
  TextLine result;
  result.text = line.text;
  result.number = static_cast<uint32_t>(index) + 1;
  result.stmt = line.stmt;
  result.sourceLine = line.sourceLine;
  result.kind = aligned.kind;
  result.names = line.names;
  result.language = language_;
  result.isQuiet = isMetadata(result.text);
  result.changedWords = isBefore ? aligned.words.before : aligned.words.after;
  if (aligned.kind == RowKind::Modified && !isSideBySide_)
    result.before = before_[aligned.before].text;
  return result;
}

} // namespace tilescope
