// Edits of the IR between two passes, kept as unified diffs of its tagged text, which `opt --patch`
// and `compile --patch` replay. Offsets of buffers are part of that text:
//
//     --- after merge-shared-memory
//     +++ after merge-shared-memory
//     @@ -8 +8 @@
//     -    S = T.alloc_shared((64,), "float16", offset=0)  #@ b4
//     +    S = T.alloc_shared((64,), "float16", offset=1024)  #@ b4
//
// A place is a pass of the pipeline, or a group, by name: "simplify#2" is the second time that it
// runs, "elaborate" comes before the first pass. A patch may hold diffs for several places; diffs
// of one place are carried out in order.
#pragma once

#include "core/support/ids.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tilescope {

struct CompileRequest;
struct Trace;

struct Patch {
  std::string file; // for messages and the trace
  std::string text;
};

// Where a diff of the text after pass `index` of the trace belongs.
std::string patchPlaceOf(const Trace &trace, size_t index);

// What the next diff at `place` is made from: the text after the pass and the patches that the
// request has there. The error is that of the compile.
llvm::Expected<std::string> taggedTextAfter(CompileRequest request, std::string place);

// "" if nothing was edited.
std::string makePatchText(llvm::StringRef place, llvm::StringRef before, llvm::StringRef after);

// Carries out all diffs of a patch, which are of one place. The error is a DiffError.
llvm::Expected<std::string> applyPatch(const Patch &patch, llvm::StringRef text);

// Tagged text with a buffer at another offset. nullopt: the text places no such buffer.
std::optional<std::string> withOffset(llvm::StringRef taggedText, BufferId buffer,
                                      int64_t offsetBytes);

} // namespace tilescope
