// Edit scripts between two snapshots of interned lines.
#pragma once

#include "core/trace/trace.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilescope {

// Replace `removed` lines from position `at` (of the text before) by `inserted`.
struct LineEdit {
  uint32_t at = 0;
  uint32_t removed = 0;
  std::vector<LineId> inserted;

  friend bool operator==(const LineEdit &, const LineEdit &) = default;
};

// Sorted by position, not overlapping. Shortest for texts that are alike (Myers, "An O(ND)
// Difference Algorithm and Its Variations", 1986); one coarse edit when they differ too much.
std::vector<LineEdit> diffLines(llvm::ArrayRef<LineId> before, llvm::ArrayRef<LineId> after);

// nullopt if the edits do not fit the text.
std::optional<std::vector<LineId>> applyLineEdits(llvm::ArrayRef<LineId> before,
                                                  llvm::ArrayRef<LineEdit> edits);

} // namespace tilescope
