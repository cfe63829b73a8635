// Edit scripts between two texts of interned lines: equal ids are equal lines.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope {

// Replace `removed` lines from position `at` (of the text before) by `inserted`.
struct LineEdit {
  uint32_t at = 0;
  uint32_t removed = 0;
  std::vector<uint32_t> inserted;

  friend bool operator==(const LineEdit &, const LineEdit &) = default;
};

// Sorted by position, not overlapping. Shortest for texts that are alike (Myers, "An O(ND)
// Difference Algorithm and Its Variations", 1986); one coarse edit when they differ too much.
std::vector<LineEdit> diffLines(llvm::ArrayRef<uint32_t> before, llvm::ArrayRef<uint32_t> after);

// nullopt if the edits do not fit the text.
std::optional<std::vector<uint32_t>> applyLineEdits(llvm::ArrayRef<uint32_t> before,
                                                    llvm::ArrayRef<LineEdit> edits);

} // namespace tilescope
