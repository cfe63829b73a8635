// Passes that are no part of this program: `--load LIBRARY`.
#pragma once

#include "core/pass/pass.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace tilescope {

// All that a compile may run. Passes of libraries come after ours.
using PassRegistry = std::vector<PassInfo>;

// An error, as below, if the file cannot be read, holds no passes, or was built for other headers.
// Nothing of it is run.
llvm::Error checkPassLibrary(const std::string &path);

// Our passes and those of the libraries, in order. A library stays loaded until the process ends.
// The error names the library and says that it cannot be read, that it holds no passes or was built
// for other headers than those of this program (nothing of it has run then), that a function it
// calls is missing, or that it gives a pass a name that is taken or cannot be written.
llvm::Expected<std::shared_ptr<const PassRegistry>>
loadPasses(llvm::ArrayRef<std::string> libraries);

} // namespace tilescope
