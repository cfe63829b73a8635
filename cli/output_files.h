// Which files a verb reads and writes. Two of them may not be one file.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilescope {

struct NamedFile {
  std::string option; // how the user gave it: "-o", "--trace", "KERNEL"
  std::string path;   // "-": standard output, of an output; "": not given
};

// To be called before anything is written. The error names two outputs that would overwrite each
// other, or an output that would overwrite an input. What is no regular file (/dev/null) may be
// named twice.
llvm::Error checkOutputs(llvm::ArrayRef<NamedFile> outputs, llvm::ArrayRef<NamedFile> inputs);

} // namespace tilescope
