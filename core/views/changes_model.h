// What a pass changed in the IR, as text: the rows of panel `ir` that differ.
#pragma once

#include "core/views/ir_model.h"

namespace tilescope {

struct ChangesView {
  IrView ir;
  size_t added = 0;
  size_t removed = 0;
  size_t modified = 0;
};

ChangesView buildChanges(const PassState &state);

// Which rows are printed: changes, and three lines around them.
std::vector<bool> shownRows(const std::vector<AlignedRow> &rows);

// Line numbers before and after, a mark, the text; three lines of context. Within a modified line
// [-this-] became {+that+}.
void print(const ChangesView &view, llvm::raw_ostream &out);

struct ChangedRow {
  RowKind kind = RowKind::Same;
  uint32_t lineBefore = 0; // from 1; 0: none
  uint32_t lineAfter = 0;
  std::string before;
  std::string after;
  WordDiff words;
};

// What scripts read: the differing rows alone.
struct PrintedChanges {
  std::string pass;
  std::string passBefore;
  size_t added = 0;
  size_t removed = 0;
  size_t modified = 0;
  std::vector<ChangedRow> rows;
};

PrintedChanges printed(const ChangesView &view);
Json toJson(const ChangesView &view);

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

template <typename Archive> void fields(Archive &archive, PrintedChanges &changes) {
  archive.always("pass", changes.pass);
  archive.always("passBefore", changes.passBefore);
  archive.always("added", changes.added);
  archive.always("removed", changes.removed);
  archive.always("modified", changes.modified);
  archive.always("rows", changes.rows);
}

} // namespace tilescope
