// Why a buffer lies where it does, in the words that every view and every panel uses.
#pragma once

#include "core/access/arena_plan.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

// "above Q_shared, over bytes of O_shared, which is dead then", "at the bottom of the arena", ...
std::string placementText(const Placement &placement,
                          llvm::function_ref<std::string(BufferId)> nameOf);

// "registers (local)", "shared.dyn memory": of the name of a scope.
std::string memoryText(llvm::StringRef scope);

// What is open of an arena: "may still change: ..." of a preview, "lives may be shorter than shown:
// it is not known ..." of the plan of another compiler. "": `unknown` is empty.
std::string unknownText(bool isPreview, const std::vector<std::string> &unknown);

} // namespace tilescope
