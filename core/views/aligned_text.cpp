#include "core/views/aligned_text.h"

#include "core/views/ink.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr size_t ContextLines = 3;

class WordPrinter {
public:
  WordPrinter(llvm::StringRef before, llvm::StringRef after, llvm::raw_ostream &out)
      : before_(before), after_(after), out_(out) {}

  // Both sides of a modified line at once: what is kept is printed from the side after.
  void run(const WordDiff &words) {
    size_t x = 0, y = 0; // up to where both are printed
    size_t nextBefore = 0, nextAfter = 0;
    while (nextBefore != words.before.size() || nextAfter != words.after.size()) {
      size_t keptBefore =
          nextBefore == words.before.size() ? SIZE_MAX : words.before[nextBefore].begin - x;
      size_t keptAfter =
          nextAfter == words.after.size() ? SIZE_MAX : words.after[nextAfter].begin - y;
      size_t kept = std::min(keptBefore, keptAfter);
      out_ << after_.substr(y, kept);
      x += kept;
      y += kept;
      if (keptBefore == kept) {
        TextSpan span = words.before[nextBefore++];
        write(out_, ("[-" + textOf(before_, span) + "-]").str(), {Ink::Bad});
        x = span.end;
      }
      if (keptAfter == kept) {
        TextSpan span = words.after[nextAfter++];
        write(out_, ("{+" + textOf(after_, span) + "+}").str(), {Ink::Good});
        y = span.end;
      }
    }
    out_ << after_.substr(y);
  }

private:
  llvm::StringRef before_, after_;
  llvm::raw_ostream &out_;
};

std::string lineNumber(int32_t line) { return line < 0 ? "" : std::to_string(line + 1); }

void printRow(const AlignedRow &row, TextOfLine before, TextOfLine after, llvm::raw_ostream &out) {
  static constexpr const char *Marks[] = {" ", "-", "+", "~"};
  static constexpr Ink Inks[] = {{Ink::Plain}, {Ink::Bad}, {Ink::Good}, {Ink::Notice}};
  auto kind = static_cast<size_t>(row.kind);
  out << llvm::formatv("{0,5} {1,5} ", lineNumber(row.before), lineNumber(row.after));
  write(out, Marks[kind], Inks[kind]);
  llvm::StringRef text = row.after >= 0 ? after(row.after) : before(row.before);
  out << (text.empty() ? "" : " ");
  if (row.kind == RowKind::Modified)
    WordPrinter(before(row.before), text, out).run(row.words);
  else
    write(out, text, Inks[kind]);
  if (row.moved >= 0)
    out << "  (line " << row.moved + 1 << (row.after >= 0 ? " before)" : " after)");
  out << '\n';
}

} // namespace

ChangeCounts countChanges(const std::vector<AlignedRow> &rows) {
  ChangeCounts counts;
  for (const AlignedRow &row : rows) {
    counts.added += row.kind == RowKind::Added;
    counts.removed += row.kind == RowKind::Removed;
    counts.modified += row.kind == RowKind::Modified;
  }
  return counts;
}

std::vector<bool> shownRows(const std::vector<AlignedRow> &rows) {
  std::vector<bool> shown(rows.size(), false);
  size_t shownUntil = 0;
  for (size_t i = 0; i != rows.size(); ++i) {
    if (!rows[i].isChange())
      continue;
    size_t begin = std::max(shownUntil, i < ContextLines ? 0 : i - ContextLines);
    shownUntil = std::min(rows.size(), i + ContextLines + 1);
    for (size_t row = begin; row < shownUntil; ++row)
      shown[row] = true;
  }
  return shown;
}

void printRows(const std::vector<AlignedRow> &rows, TextOfLine before, TextOfLine after,
               llvm::raw_ostream &out) {
  ChangeCounts counts = countChanges(rows);
  out << llvm::formatv("{0} lines added, {1} removed, {2} modified\n", counts.added, counts.removed,
                       counts.modified);
  std::vector<bool> shown = shownRows(rows);
  for (size_t i = 0; i != shown.size(); ++i) {
    if (!shown[i])
      continue;
    if (i == 0 || !shown[i - 1])
      out << '\n';
    printRow(rows[i], before, after, out);
  }
}

std::vector<ChangedRow> changedRows(const std::vector<AlignedRow> &rows, TextOfLine before,
                                    TextOfLine after) {
  std::vector<ChangedRow> changed;
  for (const AlignedRow &row : rows) {
    if (!row.isChange())
      continue;
    changed.push_back({row.kind, static_cast<uint32_t>(row.before + 1),
                       static_cast<uint32_t>(row.after + 1), "", "", row.words});
    if (row.before >= 0)
      changed.back().before = before(row.before);
    if (row.after >= 0)
      changed.back().after = after(row.after);
  }
  return changed;
}

} // namespace tilescope
