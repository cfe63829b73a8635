// What the words of the IR and of the views mean, for whoever points at one.
#pragma once

#include "core/support/buffer_key.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {

// A sentence or two; "": the word speaks for itself. Of "fragment(4@t32)" it is that of "fragment".
llvm::StringRef meaningOfWord(llvm::StringRef word);

// "matmul/A_local#1", and what the number is.
std::string tooltipOf(const BufferKey &key);

} // namespace tilescope
