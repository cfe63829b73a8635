// Kernels that call what their author wrote in CUDA: nothing here can run that.
#pragma once

#include "core/ir/module.h"

#include <string>

namespace tilescope {

// "foreign code 'decode' at line 12"
std::string nameOfForeignCall(const OpStmt &op);
// Why the function cannot be run: its first such call; "": it has none.
std::string whyForeign(const Function &function);

} // namespace tilescope
