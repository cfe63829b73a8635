// Reads IR text (plain or tagged) as the printer writes it: one AST statement is one IR statement,
// nothing is executed.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Where the statements of tagged text stand.
enum class TaggedPlaces : uint8_t {
  Kept,    // where the tags say, in the kernel that the text was made from
  Ignored, // where the text has them
};

// Null if an error was reported; reports all that can be found. Tagged ids are kept, others are
// fresh. Spans in tags point into `kernel` (none: into no file); what has no tag gets the span of
// its text, as everything has where the places of tags are ignored.
const Module *readModule(Context &context, FileId file, const SourceFiles &files,
                         Diagnostics &diagnostics, FileId kernel = FileId(),
                         TaggedPlaces places = TaggedPlaces::Kept);

// True if the text starts with `# tilescope-ir`.
bool looksLikeIr(llvm::StringRef text);
// And has places in another file, the kernel that it was made from.
bool isTaggedIr(llvm::StringRef text);

} // namespace tilescope
