// Edits of the elaborated IR after which a kernel may need fewer bytes of shared memory, one change
// each:
//
//     for k in T.Pipelined(0, 12, num_stages=3):              num_stages=2
//     S = T.alloc_shared((64, 64), "float16", layout="padded(8)")     layout="swizzle(128)"
//
// What they gain a compile says, and whether the edited kernel is one.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope {

struct SmallerEdit {
  std::string what;      // "num_stages=2", "swizzle(128) instead of padded(8) of S"
  uint32_t line = 0;     // of the kernel file; 0: none
  int64_t numStages = 0; // of the loop; 0: it is about a layout
  std::string text;      // with the change
};

// In the order of the text, which is tagged.
std::vector<SmallerEdit> smallerEdits(llvm::StringRef taggedText);

} // namespace tilescope
