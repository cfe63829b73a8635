// Where a text changed, and which of these changes is shown.
#pragma once

#include "viewer/panels/widgets/text_line.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tilescope {

class ChangeList {
public:
  using LineAt = llvm::function_ref<std::optional<TextLine>(size_t row)>;
  // A change is a run of rows that are not the same. Those of metadata count where there is no
  // other. The first is shown, or, where the same changes stand in other rows, the one that was.
  void find(size_t rowCount, LineAt lineAt, bool areTheSame);

  bool isEmpty() const { return changes_.empty(); }
  size_t row() const { return changes_[shown_].begin; } // where the one that is shown begins
  size_t endRow() const { return changes_[shown_].end; }
  size_t firstRow() const { return changes_.front().begin; }
  void step(int by) {
    shown_ = (shown_ + changes_.size() + static_cast<size_t>(by)) % changes_.size();
  }
  // Shows the first of which some of the rows [begin, end) are seen; false: none is.
  bool showSeen(llvm::function_ref<bool(size_t begin, size_t end)> isSeen);
  // "change 2 of 4"; "": there is none.
  std::string text() const;
  std::string shortText() const; // "2/4"

private:
  struct Change {
    size_t begin = 0, end = 0; // rows
  };
  std::vector<Change> changes_;
  size_t shown_ = 0;
};

} // namespace tilescope
