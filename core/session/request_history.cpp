#include "core/session/request_history.h"

namespace tilescope {

void RequestHistory::note(const std::string &file, const Requested &now) {
  if (file != file_) {
    file_ = file;
    steps_.clear();
  }
  if (!steps_.empty() && steps_[at_] == now)
    return;
  steps_.resize(steps_.empty() ? 0 : at_ + 1);
  steps_.push_back(now);
  at_ = steps_.size() - 1;
}

const Requested *RequestHistory::undo() { return canUndo() ? &steps_[--at_] : nullptr; }

const Requested *RequestHistory::redo() { return canRedo() ? &steps_[++at_] : nullptr; }

const Requested *RequestHistory::reset() {
  if (!canReset())
    return nullptr;
  Requested first = steps_.front();
  note(file_, first);
  return &steps_[at_];
}

} // namespace tilescope
