// Reads IR text (plain or tagged) as the printer writes it: one AST statement is one IR statement,
// nothing is executed.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Null if an error was reported; reports all that can be found. Tagged ids are kept, others are
// fresh. Spans in tags point into `kernel` (none: into no file); what has no tag gets the span of
// its text.
const Module *readModule(Context &context, FileId file, const SourceFiles &files,
                         Diagnostics &diagnostics, FileId kernel = FileId());

// True if the text starts with `# tilescope-ir`.
bool looksLikeIr(llvm::StringRef text);

} // namespace tilescope
