// The passes of the product, by name, and the order in which a compile runs them.
#pragma once

#include "core/pass/pass.h"

namespace tilescope {

llvm::ArrayRef<PassInfo> allPasses();

// Pass pipeline text of a whole compile for a target; see passes/pipeline.cpp for the reasons.
std::string defaultPipeline(const Target &target);

} // namespace tilescope
