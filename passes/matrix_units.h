// Which tensor cores the products of a kernel are given to.
#pragma once

#include "core/pass/pass.h"

namespace tilescope {

// The function with its products by wgmma: all of them, or none. Null, with the reason and the
// product that it is about: one of them cannot be.
struct WithWarpGroups {
  const Function *function = nullptr;
  std::string reason;
  const Stmt *stmt = nullptr; // null: there is no product
};
WithWarpGroups withWarpGroups(const Function &function, PassContext &pass);

} // namespace tilescope
