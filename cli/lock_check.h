// check --lock: the kernels of today against the layout lock.
#pragma once

#include "cli/kernel_list.h"

namespace tilescope {

struct LockCheck {
  std::string lockPath;
  std::vector<std::string> kernels; // files, @FILE lists, traces and folders of traces
  const PtxasOption &ptxas;         // was checked
  bool update = false;
  bool asJson = false;
};

// Prints what grew, shrank or changed, kernels that the lock does not know and those that are gone.
// A trace that cannot be read makes it Trouble. A file without kernels is passed over with a note,
// if the lock has none of it either. Findings if a kernel grew or does not compile, or a file lost
// all of its kernels; with `update` the lock is written anew instead.
int checkLock(const LockCheck &check);

} // namespace tilescope
