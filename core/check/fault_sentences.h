// What the two checkers of memory found, in words.
#pragma once

#include "core/check/arena_check.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {

// By the names of the two buffers.
std::string sentenceOf(const ArenaFault &fault, llvm::StringRef victim, llvm::StringRef culprit);
std::string sentenceOf(const HazardFault &fault, llvm::StringRef first, llvm::StringRef second);

} // namespace tilescope
