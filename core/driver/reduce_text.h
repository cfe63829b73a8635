// A smaller text with a property, by delta debugging on lines. A line and the deeper ones below it
// are a unit:
//
//     with T.Kernel(4) as bx:        a unit: it may go as a whole,
//         for k in T.serial(8):      or one inside of it; or its first line alone,
//             T.copy(A[k], s)        with what is below in its place
//         T.copy(s, B[bx])
//
// From the outside in, runs of neighbours are left out, of many units before few; then first lines;
// then calls are replaced by one of their arguments. That is repeated until nothing more can go.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

// `keeps` is asked about smaller texts, each once, and is taken to say yes to `text`. The result is
// the last text that it said yes to; `text` if there is none.
std::string reduceText(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef)> keeps);

} // namespace tilescope
