// What was asked of a live kernel, step by step, so that it can be had again.
#pragma once

#include "core/session/document.h"

namespace tilescope {

class RequestHistory {
public:
  // What is asked now, of the kernel that is open as `file`; another file begins anew.
  void note(const std::string &file, const Requested &now);

  // Null: there is none. What is given is where the history stands from then on, and is to be
  // asked.
  const Requested *undo();
  const Requested *redo();
  // As the kernel was opened; undo leads back.
  const Requested *reset();

  // Whether each of them gives something.
  bool canUndo() const { return at_ > 0; }
  bool canRedo() const { return at_ + 1 < steps_.size(); }
  bool canReset() const { return !steps_.empty() && !(steps_[at_] == steps_.front()); }

private:
  std::string file_;
  std::vector<Requested> steps_; // no two alike in a row
  size_t at_ = 0;                // in `steps_`
};

} // namespace tilescope
