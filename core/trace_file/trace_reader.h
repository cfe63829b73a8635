// Reads a trace file. The file is untrusted: every type, count, id and position is checked.
#pragma once

#include "core/trace/trace.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Recovers everything up to the first line that is torn or makes no sense; `Trace::recovery` then
// says how much was lost. Unknown records and fields are skipped. An error only if nothing can be
// shown: no trace at all, or a newer major version (the error has both numbers).
llvm::Expected<Trace> readTrace(llvm::StringRef text, llvm::StringRef name);
llvm::Expected<Trace> readTraceFile(const std::string &path);

// Whether the text begins like a trace.
bool looksLikeTrace(llvm::StringRef text);

} // namespace tilescope
