// A function in which a choice has marked statements, which layouts may yet speak against.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct MarkedStmts {
  const Function *function = nullptr; // with the marks; null: there are none
  std::vector<const OpStmt *> chosen; // as they were
};

} // namespace tilescope
