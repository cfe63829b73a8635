// Which tensor cores the products of a kernel are given to.
#pragma once

#include "core/pass/pass.h"

namespace tilescope {

struct WithWarpGroups {
  // With those products by wgmma that can be, each of which takes the place of the zeros right
  // before it; null: there are none.
  const Function *function = nullptr;
  std::vector<const Stmt *> chosen;
};
// A remark says of each other product why it cannot be.
WithWarpGroups withWarpGroups(const Function &function, PassContext &pass);

} // namespace tilescope
