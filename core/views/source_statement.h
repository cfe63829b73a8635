// Statements of a kernel file that go over several lines, as one.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

// The line of that number, from 1, and those after it until its brackets are closed; "": there is
// no such line. `lines` are trimmed.
std::string sourceStatement(llvm::ArrayRef<llvm::StringRef> lines, uint32_t number);

} // namespace tilescope
