#include "viewer/panels/widgets/change_list.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void ChangeList::find(size_t rowCount, LineAt lineAt, bool areTheSame) {
  size_t count = changes_.size();
  changes_.clear();
  std::vector<Change> quiet;
  bool wasChange = false, wasQuiet = false;
  for (size_t row = 0; row != rowCount; ++row) {
    std::optional<TextLine> line = lineAt(row);
    bool isChange = line && line->kind != RowKind::Same;
    bool isQuiet = isChange && line->isQuiet;
    std::vector<Change> &kind = isQuiet ? quiet : changes_;
    if (isChange && wasChange && wasQuiet == isQuiet)
      kind.back().end = row + 1;
    else if (isChange)
      kind.push_back({row, row + 1});
    wasChange = isChange;
    wasQuiet = isQuiet;
  }
  if (changes_.empty())
    changes_ = std::move(quiet);
  if (!areTheSame || changes_.size() != count)
    shown_ = 0;
}

bool ChangeList::showSeen(llvm::function_ref<bool(size_t begin, size_t end)> isSeen) {
  for (size_t i = 0; i != changes_.size(); ++i)
    if (isSeen(changes_[i].begin, changes_[i].end)) {
      shown_ = i;
      return true;
    }
  return false;
}

std::string ChangeList::text() const {
  return changes_.empty() ? ""
                          : llvm::formatv("change {0} of {1}", shown_ + 1, changes_.size()).str();
}

std::string ChangeList::shortText() const {
  return changes_.empty() ? "" : llvm::formatv("{0}/{1}", shown_ + 1, changes_.size()).str();
}

} // namespace tilescope
