// Two texts side by side, printed: rows of a line alignment.
#pragma once

#include "core/json/archive.h"
#include "core/views/line_alignment.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

struct ChangeCounts {
  size_t added = 0;
  size_t removed = 0;
  size_t modified = 0;

  bool isEmpty() const { return added + removed + modified == 0; }
};
ChangeCounts countChanges(const std::vector<AlignedRow> &rows);

// Which rows are printed: changes, and three lines around them.
std::vector<bool> shownRows(const std::vector<AlignedRow> &rows);

// The text of a line of one side.
using TextOfLine = llvm::function_ref<llvm::StringRef(int32_t line)>;

// "3 lines added, 1 removed, 2 modified", then those rows: line numbers before and after, a mark,
// the text. Within a modified line [-this-] became {+that+}.
void printRows(const std::vector<AlignedRow> &rows, TextOfLine before, TextOfLine after,
               llvm::raw_ostream &out);

struct ChangedRow {
  RowKind kind = RowKind::Same;
  uint32_t lineBefore = 0; // from 1; 0: none
  uint32_t lineAfter = 0;
  std::string before;
  std::string after;
  WordDiff words;
};

// What scripts read: the differing rows alone.
std::vector<ChangedRow> changedRows(const std::vector<AlignedRow> &rows, TextOfLine before,
                                    TextOfLine after);

template <> struct EnumNames<RowKind> {
  static constexpr const char *Names[] = {"same", "removed", "added", "modified"};
};

template <typename Archive> void fields(Archive &archive, ChangedRow &row) {
  archive.always("kind", row.kind);
  archive("lineBefore", row.lineBefore);
  archive("lineAfter", row.lineAfter);
  archive("before", row.before);
  archive("after", row.after);
  archive("words", row.words);
}

} // namespace tilescope
