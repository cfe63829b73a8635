// check --lock: the kernels of today against the layout lock.
#pragma once

#include "cli/kernel_list.h"

namespace tilescope {

struct LockCheck {
  std::string lockPath;
  std::vector<std::string> kernels; // files and @FILE lists
  bool update = false;
  bool asJson = false;
};

// Prints what grew, shrank or changed, kernels that the lock does not know and those that are gone.
// Findings if a kernel grew or does not compile; with `update` the lock is written anew instead.
int checkLock(const LockCheck &check);

} // namespace tilescope
