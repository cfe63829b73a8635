// The values of one argument of a sweep: Python literals separated by commas, and ranges.
//
//     64,128,256         three
//     (8, 128),[1, 2]    two: commas within brackets and quotes are theirs
//     1..4               1, 2, 3, 4: both ends belong to it
//     0..96+32           0, 32, 64, 96
//     64..1024*2         64, 128, 256, 512, 1024
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

// More points than this are no sweep but a mistake.
inline constexpr uint64_t MaxSweepPoints = 1'000'000;

// At least one; each once. The error points into the text (see caret.h).
llvm::Expected<std::vector<std::string>> parseValueList(llvm::StringRef text);

} // namespace tilescope
