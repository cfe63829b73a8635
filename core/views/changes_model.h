// What a pass changed in the IR, as text: the rows of panel `ir` that differ.
#pragma once

#include "core/views/aligned_text.h"
#include "core/views/ir_model.h"

namespace tilescope {

struct ChangesView {
  IrView ir;
  ChangeCounts counts;
};

ChangesView buildChanges(const PassState &state);

// Line numbers before and after, a mark, the text; three lines of context. Within a modified line
// [-this-] became {+that+}.
void print(const ChangesView &view, llvm::raw_ostream &out);

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

template <typename Archive> void fields(Archive &archive, PrintedChanges &changes) {
  archive.always("pass", changes.pass);
  archive.always("passBefore", changes.passBefore);
  archive.always("added", changes.added);
  archive.always("removed", changes.removed);
  archive.always("modified", changes.modified);
  archive.always("rows", changes.rows);
}

} // namespace tilescope
